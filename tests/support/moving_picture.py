"""Draws the moving picture of the README: `python -m tests.support.moving_picture ADDRESS`.

ADDRESS is that of a served page. The picture is an animated WebP of screenshots, which Chromium
encodes one by one.
"""

import shutil
import sys
from base64 import b64decode, b64encode
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import CHROMIUM_NAMES

PICTURE = Path(__file__).parents[2] / "static" / "pictures" / "moving.webp"
WIDTH, HEIGHT = 1120, 630
CANDIDATE, REFERENCE = "the cat is on mat", "the cat is on the mat"
ENCODE = """async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"),
        { width: image.width, height: image.height });
    canvas.getContext("2d", { alpha: false }).drawImage(image, 0, 0);
    return canvas.toDataURL("image/webp", .8).split(",")[1];
}"""
"""Encodes a PNG as WebP; both are in base64."""


def scenes(page: Page) -> Iterator[int]:
    """Act on the page, and yield the milliseconds for which each picture of it is shown."""
    page.locator("#clear").dispatch_event("click")
    page.locator("#reference-1").fill(REFERENCE)
    page.locator("#hypothesis").focus()
    yield 600
    for start in range(0, len(CANDIDATE), 2):
        page.keyboard.type(CANDIDATE[start : start + 2])
        page.wait_for_timeout(300)
        yield 160
    yield 1200
    page.locator('#result-body [data-factor="precision-2"]').first.click()
    page.mouse.move(0, 0)
    page.wait_for_timeout(400)
    yield 1800
    page.keyboard.press("Escape")
    page.locator("#tour").click()
    for _ in range(6):
        page.mouse.move(0, 0)
        page.wait_for_timeout(400)
        yield 900
        page.locator("#station .next").click()


def chunk(name: bytes, content: bytes) -> bytes:
    """Return a chunk of a RIFF file."""
    return name + len(content).to_bytes(4, "little") + content + b"\0" * (len(content) % 2)


def size_bytes(*numbers: int) -> bytes:
    """Return numbers as WebP stores them: three bytes each."""
    return b"".join(number.to_bytes(3, "little") for number in numbers)


def animated_webp(pictures: list[tuple[bytes, int]]) -> bytes:
    """Return one WebP that shows still ones, each for some milliseconds, again and again."""
    frames = b""
    for still, milliseconds in pictures:
        image = still[still.index(b"VP8 ") :]
        place = size_bytes(0, 0, WIDTH - 1, HEIGHT - 1, milliseconds) + b"\2"
        frames += chunk(b"ANMF", place + image)
    head = chunk(b"VP8X", b"\2\0\0\0" + size_bytes(WIDTH - 1, HEIGHT - 1))
    return chunk(b"RIFF", b"WEBP" + head + chunk(b"ANIM", b"\xff" * 4 + b"\0\0") + frames)


def main() -> None:
    """Draw the picture of the page at the address that the command line names."""
    chromium = next(filter(None, map(shutil.which, CHROMIUM_NAMES)))
    with sync_playwright() as engines:
        browser = engines.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        encoder = browser.new_page()
        page.goto(sys.argv[1])
        page.locator("html[data-sealed]").wait_for(state="attached")
        pictures = [
            (b64decode(encoder.evaluate(ENCODE, b64encode(page.screenshot()).decode())), shown)
            for shown in scenes(page)
        ]
        browser.close()
    PICTURE.write_bytes(animated_webp(pictures))
    print(f"{PICTURE}: {len(pictures)} pictures, {sum(shown for _, shown in pictures) / 1000} s")


if __name__ == "__main__":
    main()

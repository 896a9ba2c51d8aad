"""Compare pictures of the page under two sets of style sheets.

Run `python -m tests.support.compare_styles BEFORE AFTER FOLDER [ENGINE [PATTERN]]` after a build.
BEFORE and AFTER are folders of style sheets, such as static/style of two work trees; FOLDER
receives two pictures of each state that differs. ENGINE is chromium (the default: every state),
firefox or webkit (a few states). PATTERN chooses states by a regular expression.

The page is opened once for each width. In each state only its style sheet is replaced, so both
pictures show the same data. A line for each state gives the share of the area that differs, the
height of the page, and the elements that changed in size, font or colour, vanished, or spill.
"""

import re
import sys
from base64 import b64decode
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from app.build.assemble import FONT_PLACEHOLDER, STYLES
from tests.browser.servers import QuietHandler, serving
from tests.engines.engines import ENGINES
from tests.engines.page import Page

ROOT = Path(__file__).parents[2]
MAX_SIZE_CHANGE_PX = 3
MODES = ("lesson", "practice", "puzzle", "code", "sheet")
"""The modes of Learn."""
VIEWS = ("calculator", "why", "compare", "files", "learn", "reference")
SLIDES = ("tokens", *(f"precision-{n}" for n in range(1, 5)), "brevity-penalty", "score", "loss")
FEW = ("score-clipped", "why", "files-result", "slide-precision-2")
"""The states that are compared in Firefox and WebKit."""
CLIPPED = ("the the the the the the the", ["the cat is on the mat", "there is a cat on the mat"])
ZERO = (
    "The weather is nice today, so we went to the park.",
    ["Today the weather is good, so we walked to the park."],
)

USE = """
const sheet = new CSSStyleSheet();
sheet.replaceSync(arguments[0]);
document.querySelector("style").disabled = true;
document.adoptedStyleSheets = [sheet];
dispatchEvent(new Event("resize"));
return document.fonts.ready.then(() => new Promise(requestAnimationFrame)).then(() => 0);
"""
"""Replaces the style sheet, which no policy of the sealed page forbids."""

ELEMENTS = """
const path = (node) => node.id ? `#${node.id}` : node === document.body ? "body" :
  `${path(node.parentElement)} ${node.localName}:${[...node.parentElement.children].indexOf(node)}`;
const elements = {};
for (const node of document.body.querySelectorAll("*")) {
  const box = node.getBoundingClientRect();
  if (!box.width || !box.height || !node.checkVisibility({visibilityProperty: true})) continue;
  const style = getComputedStyle(node);
  const spills = node.scrollWidth > node.clientWidth + 1 && style.overflowX === "visible" &&
    style.display !== "inline";
  elements[path(node)] = {
    size: [box.width, box.height],
    font: [style.fontSize, style.fontWeight, style.fontFamily.slice(0, 12)].join(" "),
    colour: [style.color, style.backgroundColor, style.borderTopColor].join(" "),
    spills,
  };
}
const {scrollHeight, scrollWidth} = document.documentElement;
return {elements, height: scrollHeight, sideways: scrollWidth > innerWidth};
"""

DIFFERENCE = """
const decode = (data) => fetch(`data:image/png;base64,${data}`).then((reply) => reply.blob())
  .then(createImageBitmap);
return Promise.all([decode(arguments[0]), decode(arguments[1])]).then(([a, b]) => {
  const width = Math.max(a.width, b.width), height = Math.max(a.height, b.height);
  const [one, other] = [a, b].map((image) => {
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, width, height).data;
  });
  let different = 0;
  for (let i = 0; i < one.length; i += 4) {
    if ([0, 1, 2, 3].some((part) => Math.abs(one[i + part] - other[i + part]) > 8)) different++;
  }
  return different / (width * height);
});
"""
"""Compares two pictures in a canvas of an empty page, and returns the share that differs."""


def style_of(folder: Path) -> str:
    """Return the style sheets of a folder as one; those that it lacks are empty."""
    paths = [folder / f"{name}.css" for name in STYLES]
    return "".join(path.read_text("utf-8") for path in paths if path.exists())


FONT = r"""
return document.querySelector("style").textContent.match(/url\("data:font[^)]*\)/)[0];
"""
"""Returns the font that the build has put into the style sheet."""

OPEN_FOLDS = """
const folds = document.querySelectorAll(`#${arguments[0]} details:not(.menu)`);
for (const fold of folds) fold.open = true;
"""

PRESS = "document.querySelector(arguments[0]).click()"
"""Presses a button that may be folded or hidden."""


class Comparison:
    """The page in one engine, and what differs between its states under two style sheets."""

    def __init__(self, page: Page, blank: str, styles: list[str], folder: Path) -> None:
        self.page, self.blank, self.folder = page, blank, folder
        font = page.run(FONT)
        self.styles = [style.replace(FONT_PLACEHOLDER, font) for style in styles]
        self.known: set[str] = set()

    def picture(self) -> str:
        """Return a picture of the page as PNG in base64: whole, if the engine can."""
        driver: Any = self.page.driver
        if self.page.engine == "Chromium":
            options = {"captureBeyondViewport": True, "format": "png"}
            return driver.execute_cdp_cmd("Page.captureScreenshot", options)["data"]
        if self.page.engine == "Firefox":
            return driver.get_full_page_screenshot_as_base64()
        return driver.get_screenshot_as_base64()

    def __call__(self, name: str) -> None:
        """Compare the current state, and print what differs."""
        states, pictures = [], []
        for style in self.styles:
            self.page.run(USE, style)
            states.append(self.page.run(ELEMENTS))
            pictures.append(self.picture())
        area = 0.0
        if pictures[0] != pictures[1]:
            with self.page.tab(self.blank):
                area = self.page.run(DIFFERENCE, *pictures)
            for number, data in enumerate(pictures):
                (self.folder / f"{name}-{number}.png").write_bytes(b64decode(data))
        before, after = (state["elements"] for state in states)
        heights = " -> ".join(str(state["height"]) for state in states)
        changes = self.changes(before, after)
        print(f"{name:28} {area:7.2%}  height {heights}", *changes, sep="", flush=True)
        if states[1]["sideways"] > states[0]["sideways"]:
            print("    the page scrolls sideways")

    def changes(self, before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
        """Yield the changes of elements, those of a font or a colour once in all states."""
        both = [(key, before[key], after[key]) for key in before if key in after]
        gone = before.keys() ^ after.keys()
        spilling = [key for key, old, new in both if new["spills"] > old["spills"]]
        resized = [
            key
            for key, old, new in both
            if any(
                abs(a - b) > MAX_SIZE_CHANGE_PX
                for a, b in zip(old["size"], new["size"], strict=True)
            )
        ]
        for what, keys in ("in one only", sorted(gone)), ("spills", spilling), ("size", resized):
            if keys:
                yield f"\n    {what}: {len(keys)}, such as {', '.join(keys[:3])}"
        for what in ("font", "colour"):
            for key, old, new in both:
                change = f"{what} {old[what]} -> {new[what]}"
                if old[what] != new[what] and change not in self.known:
                    self.known.add(change)
                    yield f"\n    {change}: {key}"


def fill(page: Page, hypothesis: str, references: list[str]) -> None:
    """Replace the texts of the form, and wait for their score."""
    page.run(PRESS, "#clear")
    for _ in references[1:]:
        page.click("#add-reference")
    page.type("#hypothesis", hypothesis)
    for number, reference in enumerate(references, 1):
        page.type(f"#reference-{number}", reference)
    page.until(lambda: page.count("html[data-invalid], html[data-stale]"), 0)


def states(page: Page) -> Iterator[str]:
    """Bring the page into one state after the other, and yield their names."""
    for view in VIEWS:
        page.reveal(f"#{view} h2, #{view} label")
        page.run(OPEN_FOLDS, view)
        yield view
    page.reveal("#hypothesis")
    fill(page, *ZERO)
    yield "score-zero"
    fill(page, *CLIPPED)
    yield "score-clipped"
    page.reveal("#corpus-run")
    page.run(PRESS, "#corpus-example button")
    page.run(PRESS, "#corpus-run")
    page.until(lambda: page.run("return document.getElementById('corpus-outcome').hidden"), False)
    yield "files-result"
    for mode in MODES:
        page.click(f"#learn-{mode}")
        yield f"learn-{mode}"
    page.reveal("#hypothesis")
    page.click("#walk")
    for anchor in SLIDES:
        page.until(lambda anchor=anchor: turned_to(page, anchor), anchor)
        yield f"slide-{anchor}"
    page.click("#leave")


def turned_to(page: Page, anchor: str) -> str | None:
    """Press Next, which scrolls a long slide, unless a slide is shown; return the one shown."""
    if page.data("html", "walk") != anchor:
        page.click("#next")
    return page.data("html", "walk")


def chromium_states(page: Page) -> Iterator[str]:
    """Yield the names of the states at several widths, in the dark, large, and on paper."""
    driver: Any = page.driver
    run: Callable[..., Any] = driver.execute_cdp_cmd
    for width, height in ((390, 844), (320, 640), (768, 1024), (1280, 720)):
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        run("Emulation.setDeviceMetricsOverride", size)
        yield from (f"{name}-{width}" for name in states(page))
    for button in ("theme", "large"):
        page.click(f"#{button}")
        yield from (f"{name}-{button}" for name in states(page))
        page.click(f"#{button}")
    for media, features in (("print", []), ("", [{"name": "forced-colors", "value": "active"}])):
        for name in states(page):
            run("Emulation.setEmulatedMedia", {"media": media, "features": features})
            yield f"{name}-{media or 'forced'}"
            # Paper has no buttons to go on with.
            run("Emulation.setEmulatedMedia", {"media": "", "features": []})


def main(before: str, after: str, folder: str, engine: str = "chromium", pattern: str = "") -> None:
    """Compare the states of the page in one engine under two folders of style sheets."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    chosen = ENGINES[engine]
    if reason := chosen.missing():
        sys.exit(reason)

    def handler(*args: Any) -> QuietHandler:
        return QuietHandler(*args, directory=str(ROOT / "dist"))

    with TemporaryDirectory() as temporary, serving(handler) as address:
        downloads = Path(temporary, "downloads")
        downloads.mkdir()
        with chosen.start(chosen.parts, downloads) as driver:
            page = Page(driver, downloads, chosen.name)
            page.open(address)
            blank = f"{address}licenses.txt"
            compare = Comparison(
                page, blank, [style_of(Path(name)) for name in (before, after)], Path(folder)
            )
            for name in chromium_states(page) if engine == "chromium" else states(page):
                if (engine == "chromium" or name in FEW) and re.search(pattern, name):
                    compare(name)


if __name__ == "__main__":
    main(*sys.argv[1:])

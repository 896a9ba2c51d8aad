"""The QR code of a link, as another program reads it."""

import random
import re

import numpy as np
import pytest
import zxingcpp

from app.score.qr_code import MAX_BYTES, MAX_VERSION, qr_svg
from app.state.inputs import Inputs
from app.state.saved_form import to_fragment

pytestmark = pytest.mark.host
WINDOW_HEIGHT = 720
"""The height in pixels of a window on a projector."""
MIN_SQUARE_PIXELS = 10
"""The size of a square that phones read from the seats of a class."""
SCALE = 4
ALPHABET = "abcdefghijklmnop+&=%20-.,'äß猫 ليلى"


def pixels(svg: str) -> np.ndarray:
    """Return the picture of an SVG, with `SCALE` pixels for each unit."""
    size = int(re.search(r'viewBox="0 0 (\d+) ', svg)[1])
    picture = np.full((size, size), 255, np.uint8)
    for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", svg):
        picture[int(y), int(x)] = 0
    return picture.repeat(SCALE, 0).repeat(SCALE, 1)


def links() -> list[str]:
    """Return 50 links with texts of all lengths that have a code."""
    draw = random.Random(73)
    base = "https://example.org/bleu/#"
    found = []
    while len(found) < 50:
        texts = ["".join(draw.choices(ALPHABET, k=draw.randrange(90))) for _ in range(2)]
        link = base + to_fragment(Inputs(texts[0], (texts[1],)))
        if len(link) <= MAX_BYTES:
            found.append(link)
    return found


@pytest.mark.parametrize("link", links())
def test_code_is_read_back(link):
    [barcode] = zxingcpp.read_barcodes(pixels(qr_svg(link)))
    assert barcode.text == link


def test_largest_code_fits_a_window_with_large_squares():
    [barcode] = zxingcpp.read_barcodes(pixels(qr_svg("x" * MAX_BYTES)))
    assert barcode.text == "x" * MAX_BYTES
    size = int(re.search(r'viewBox="0 0 (\d+) ', qr_svg("x" * MAX_BYTES))[1])
    assert size == 17 + 4 * MAX_VERSION + 8
    assert WINDOW_HEIGHT // size >= MIN_SQUARE_PIXELS
    assert qr_svg("x" * (MAX_BYTES + 1)) == ""

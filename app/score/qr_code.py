"""The link of the page as a QR code, which a class reads from the screen."""

from typing import Final

from segno import encoder

MAX_VERSION: Final = 11
"""The largest code: with its margin, 69 squares a side, of 10 pixels in a window of 720."""
MAX_BYTES: Final = 321
"""The bytes that the largest code holds at the lowest level of error correction."""
MARGIN: Final = 4
"""The width of the light margin, in squares."""


def qr_svg(text: str) -> str:
    """Return a text as the SVG of its QR code, or "" if it is longer than `MAX_BYTES`.

    >>> qr_svg("HELLO")[:65]
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 29 29" shape'
    >>> qr_svg("x" * 322)
    ''
    """
    data = text.encode()
    if len(data) > MAX_BYTES:
        return ""
    code = encoder.encode(data, error="l", micro=False)  # type: ignore[no-untyped-call]
    size = len(code.matrix) + 2 * MARGIN
    squares = "".join(
        f"M{x + MARGIN} {y + MARGIN}h1v1h-1z"
        for y, row in enumerate(code.matrix)
        for x, is_dark in enumerate(row)
        if is_dark
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" '
        f'shape-rendering="crispEdges"><path fill="#fff" d="M0 0h{size}v{size}H0z"/>'
        f'<path d="{squares}"/></svg>'
    )

"""What the page may load, and from where: its own files, and nothing else."""

from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from typing import Final

OWN: Final = "'self'"
NOTHING: Final = "'none'"
INLINE: Final = "'unsafe-inline'"


def _policy(scripts: str, styles: str, own: str) -> str:
    """The rules: `own` is where the page's own files come from, 'self' or nowhere."""
    files = f"{own} " if own != NOTHING else ""
    rules = (
        "default-src 'none'",
        f"script-src {scripts} 'wasm-unsafe-eval'",
        f"style-src {styles}",
        "font-src data:",
        f"img-src {files}data:",
        f"connect-src {own}",
        f"manifest-src {own}",
        f"worker-src {own}",
        "base-uri 'none'",
        "form-action 'none'",
    )
    return "; ".join(rules)


def policy(script: str, style: str) -> str:
    """The policy as the page itself carries it, wherever it is served from.

    Of what stands in the page, it allows this script and this style.
    """
    return _policy(f"{OWN} {_digest(script)}", _digest(style), OWN)


def closed_policy(script: str, styles: Iterable[str]) -> str:
    """The policy of the page in one file: this script and these styles, and no file at all."""
    return _policy(_digest(script), " ".join(map(_digest, styles)), NOTHING)


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


SANDBOX: Final = "sandbox allow-downloads allow-forms allow-modals allow-same-origin allow-scripts"
"""No window may be opened by a script; what the page does itself, it may go on doing."""

ONLY_BY_HEADER: Final = {
    "Content-Security-Policy": SANDBOX,
    "Permissions-Policy": "identity-credentials-get=(), payment=(), "
    "publickey-credentials-create=(), publickey-credentials-get=()",
    "X-DNS-Prefetch-Control": "off",
}
"""What a page cannot say of itself; the service worker says it of the page that it has stored.

Not Cross-Origin-Opener-Policy: with it, Chromium finds the machine code of WebAssembly no more that
it has kept since the last visit.
"""

HEADER: Final = _policy(f"{OWN} {INLINE}", INLINE, OWN) + f"; frame-ancestors 'none'; {SANDBOX}"
"""The policy as a header, which can also forbid frames, and is the same for every build.

Of scripts and styles within the page it lets the page's own policy decide, as both hold.
"""

"""Content security policies: the page may load its own files and nothing else."""

from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from typing import Final

SELF: Final = "'self'"
NONE: Final = "'none'"
INLINE: Final = "'unsafe-inline'"


def _policy(scripts: str, styles: str, source: str) -> str:
    """Return the policy; `source` is where the page may load files from: 'self' or 'none'."""
    images = "data:" if source == NONE else f"{source} data:"
    rules = (
        "default-src 'none'",
        f"script-src {scripts} 'wasm-unsafe-eval'",
        f"style-src {styles}",
        "font-src data:",
        f"img-src {images}",
        f"connect-src {source}",
        f"manifest-src {source}",
        f"worker-src {source}",
        "base-uri 'none'",
        "form-action 'none'",
    )
    return "; ".join(rules)


def policy(script: str, style: str) -> str:
    """Return the policy of the page's own `<meta>`, which holds on any server.

    It allows no inline content but this script and this style.
    """
    return _policy(f"{SELF} {_digest(script)}", _digest(style), SELF)


def single_file_policy(script: str, styles: Iterable[str]) -> str:
    """Return the security policy of the single-file page: this script and these styles only."""
    return _policy(_digest(script), " ".join(map(_digest, styles)), NONE)


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


SANDBOX: Final = "sandbox allow-downloads allow-forms allow-modals allow-same-origin allow-scripts"
"""The sandbox: it forbids scripts to open windows, and allows all that the page itself does."""

ONLY_BY_HEADER: Final = {
    "Content-Security-Policy": SANDBOX,
    "Permissions-Policy": "identity-credentials-get=(), payment=(), "
    "publickey-credentials-create=(), publickey-credentials-get=()",
    "X-DNS-Prefetch-Control": "off",
}
"""Headers that a `<meta>` cannot replace; the service worker adds them to the stored page.

Cross-Origin-Opener-Policy is left out, because with it Chromium no longer finds the machine code of
WebAssembly that it cached at an earlier visit.
"""

HEADER: Final = _policy(f"{SELF} {INLINE}", INLINE, SELF) + f"; frame-ancestors 'none'; {SANDBOX}"
"""The policy as a header, which can also forbid frames, and is the same for every build.

It allows inline scripts and styles, because the page's own policy, which applies too, restricts
them by digest.
"""

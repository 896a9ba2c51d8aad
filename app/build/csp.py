"""What the page may load, and from where: its own files, and nothing else."""

from base64 import b64encode
from hashlib import sha256


def _policy(styles: str) -> str:
    rules = (
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        f"style-src {styles}",
        "font-src data:",
        "img-src 'self' data:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
    )
    return "; ".join(rules)


def policy(style: str) -> str:
    """The policy as the page itself carries it, wherever it is served from; its style is this."""
    digest = b64encode(sha256(style.encode()).digest()).decode()
    return _policy(f"'sha256-{digest}'")


HEADER = _policy("'unsafe-inline'") + "; frame-ancestors 'none'"
"""The policy as a header, which can also forbid frames, and is the same for every build.

Of styles it lets the page's own policy decide, as both hold.
"""

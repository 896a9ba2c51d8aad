"""What the page may load, and from where: its own files, and nothing else."""

_RULES = (
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
)

META = "; ".join(_RULES)
"""The policy as the page itself carries it, wherever it is served from."""

POLICY = f"{META}; frame-ancestors 'none'"
"""The policy as a header, which can also forbid frames."""

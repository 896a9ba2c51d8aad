"""The security policies and headers of the page, and a web server that sends them.

The server is for this machine: it serves the files of the build.
"""

import errno
import os
import re
import sys
import webbrowser
from base64 import b64encode
from collections.abc import Iterable, Mapping
from functools import partial
from hashlib import sha256
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final
from urllib.parse import unquote

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


def single_file_policy(scripts: Iterable[str], styles: Iterable[str]) -> str:
    """Return the security policy of the single-file page: these scripts and styles only."""
    return _policy(" ".join(map(_digest, scripts)), " ".join(map(_digest, styles)), NONE)


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


SANDBOX: Final = "sandbox allow-downloads allow-forms allow-modals allow-same-origin allow-scripts"
"""The sandbox: it forbids scripts to open windows, and allows all that the page itself does.

It also forbids the link out of a frame to open one. Before the page is sealed, nothing else would
keep a script from opening a window.
"""


def frame_ancestors(environment: Mapping[str, str]) -> str:
    """Return the pages that may frame this one: `FRAME_ANCESTORS` in the environment, or "".

    Raises ValueError if it is no list of sources.

    >>> frame_ancestors({"FRAME_ANCESTORS": "*; script-src *"})
    Traceback (most recent call last):
        ...
    ValueError: FRAME_ANCESTORS is '*; script-src *'; give addresses with spaces between them
    """
    sources = environment.get("FRAME_ANCESTORS", "").strip()
    if not re.fullmatch(r"[\w.:/*' -]*", sources, re.ASCII):
        raise ValueError(
            f"FRAME_ANCESTORS is {sources[:100]!r}; give addresses with spaces between them"
        )
    return sources


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


def header_policy(ancestors: str = "") -> str:
    """Return the policy as a header, which also names the pages that may frame this one.

    Without any, pages of the same origin may. Inline scripts and styles are allowed, because the
    page's own policy, which applies too, restricts them by digest.
    """
    page = _policy(f"{SELF} {INLINE}", INLINE, SELF)
    return f"{page}; frame-ancestors {ancestors or SELF}; {SANDBOX}"


MIME_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
}
HEADERS = {
    **ONLY_BY_HEADER,
    "Content-Security-Policy": header_policy(),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",
}
"""The headers of every response, including errors; `FRAME_ANCESTORS` changes the first."""


class Handler(BaseHTTPRequestHandler):
    """A handler that answers GET and HEAD from the files of the build, by their URL paths.

    It speaks HTTP/1.0, so it reads a single request from each connection, and nothing after it.
    """

    server_version = "bleu"
    sys_version = ""
    default_request_version = "HTTP/1.0"

    def __init__(self, files: dict[str, bytes], headers: Mapping[str, str], *args: object) -> None:
        """Handle a connection; `args` are those of BaseHTTPRequestHandler."""
        self.files, self.added_headers = files, headers
        super().__init__(*args)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        """Send a file, or for HEAD its headers."""
        path = unquote(self.path.partition("?")[0])
        path = "/index.html" if path == "/" else path
        content = self.files.get(path)
        if content is None:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        mime_type = MIME_TYPES.get(Path(path).suffix, "application/octet-stream")
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", mime_type)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content)

    def do_HEAD(self) -> None:
        """Send the headers of a file."""
        self.do_GET()

    def end_headers(self) -> None:
        """Add headers to every response, and end them."""
        for name, value in self.added_headers.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


class Server(ThreadingHTTPServer):
    """A threaded server that ignores connections that a browser closes early."""

    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:  # noqa: ARG002
        """Print the error of a request, unless the browser closed the connection."""
        error = sys.exception()
        if not isinstance(error, ConnectionError):
            print(f"a request failed: {error!r}", file=sys.stderr)


def make_server(folder: Path, port: int) -> Server:
    """Return a server of the folder on 127.0.0.1; port 0 stands for any free port.

    The files are read once, so that a new build does not mix with this one.

    Raises FileNotFoundError if there is no build, OSError if the port is in use or not allowed, and
    ValueError if the port is out of range, or `FRAME_ANCESTORS` no list of sources.
    """
    ancestors = frame_ancestors(os.environ)
    headers = {**HEADERS, "Content-Security-Policy": header_policy(ancestors)}
    if not 0 <= port <= 65535:
        raise ValueError(f"port is {port}; choose a number from 0 to 65535")
    if not (folder / "index.html").is_file():
        raise FileNotFoundError("there is no build in dist; run make serve or make build")
    paths = (path for path in folder.rglob("*") if path.is_file())
    files = {f"/{path.relative_to(folder).as_posix()}": path.read_bytes() for path in paths}
    try:
        return Server(("127.0.0.1", port), partial(Handler, files, headers))
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise OSError(
                f"port {port} is in use; choose another, for example make serve PORT={port + 1}"
            ) from None
        if error.errno == errno.EACCES:
            raise OSError(f"port {port} is not allowed; choose one above 1023") from None
        raise


def serve(server: Server, *, open_browser: bool = True) -> None:
    """Print the address, open a browser if there is a display, and serve until interrupted.

    Raises OSError if the address cannot be printed.
    """
    with server:
        try:
            address = f"http://127.0.0.1:{server.server_address[1]}/"
            print(f"The BLEU calculator is at {address} (Ctrl-C ends it)", flush=True)
            if open_browser and _has_display():
                webbrowser.open(address)
            server.serve_forever()
        except KeyboardInterrupt:
            print()


def _has_display() -> bool:
    unix_display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    has_display = sys.platform in {"win32", "darwin"} or unix_display
    return bool(has_display and not os.environ.get("CI"))

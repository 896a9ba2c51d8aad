"""A web server on this machine: the files of the build, with strict headers."""

import errno
import gzip
import hashlib
import os
import re
import socket
import sys
import webbrowser
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Timer
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from app.build.csp import HEADER, ONLY_BY_HEADER

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
    "Content-Security-Policy": HEADER,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",
    "Vary": "Accept-Encoding",
    "Accept-Ranges": "none",
}
"""The headers of every response, including errors."""

GZIP = re.compile(r"\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?", re.IGNORECASE)
"""Matches an item of Accept-Encoding that accepts gzip, that is, without q=0."""


class File(NamedTuple):
    """A file of the build: its content, plain and gzipped, MIME type and ETag."""

    content: bytes
    gzipped: bytes
    mime_type: str
    etag: str


def load_files(folder: Path) -> dict[str, File]:
    """Return every file of the build by its URL path, read and compressed once.

    Raises FileNotFoundError if there is no build.
    """
    if not (folder / "index.html").is_file():
        raise FileNotFoundError("there is no build in dist; run make serve or make build")
    files = {}
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            content = path.read_bytes()
            gzipped = gzip.compress(content, 6, mtime=0)
            mime_type = MIME_TYPES.get(path.suffix, "application/octet-stream")
            etag = f'W/"{hashlib.sha256(content).hexdigest()[:20]}"'
            name = f"/{path.relative_to(folder).as_posix()}"
            files[name] = File(content, gzipped, mime_type, etag)
    files["/"] = files["/index.html"]
    return files


class Handler(BaseHTTPRequestHandler):
    """A handler that answers GET and HEAD from the files of the build."""

    protocol_version = "HTTP/1.1"
    server_version = "bleu"
    sys_version = ""
    default_request_version = "HTTP/1.1"
    timeout = 60
    """Seconds for a whole request and its response."""

    def __init__(self, files: dict[str, File], *args: object) -> None:
        """Handle a connection; `args` are those of BaseHTTPRequestHandler."""
        self.files = files
        super().__init__(*args)  # type: ignore[arg-type]

    def handle_one_request(self) -> None:
        """Handle a request, and close the connection if that takes longer than the timeout."""
        timer = Timer(self.timeout, self._shut_down)
        timer.daemon = True
        timer.start()
        try:
            super().handle_one_request()
        finally:
            timer.cancel()

    def _shut_down(self) -> None:
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)

    def parse_request(self) -> bool:
        """Parse the request line and headers; reject headers that other servers read differently.

        A blank before a colon could hide a body, whose bytes were then the next request (RFC 9112,
        section 5.1).
        """
        if not super().parse_request():
            return False
        if self.headers.defects or any(name != name.strip() for name in self.headers):
            self.close_connection = True
            self.send_error(HTTPStatus.BAD_REQUEST)
            return False
        return True

    def do_GET(self) -> None:
        """Send a file."""
        self._respond(body=True)

    def do_HEAD(self) -> None:
        """Send the headers of a file."""
        self._respond(body=False)

    def _respond(self, *, body: bool) -> None:
        if {"content-length", "transfer-encoding"} & set(map(str.lower, self.headers)):
            # the body is not read, so the bytes that follow are not the next request
            self.close_connection = True
        try:
            path = unquote(urlsplit(self.path).path, errors="strict")
        except ValueError:
            self.send_error(HTTPStatus.BAD_REQUEST)
            return
        file = self.files.get(path)
        if file is None:
            self.send_error(HTTPStatus.NOT_FOUND)
        elif file.etag in self._list_header("If-None-Match"):
            self.send_response(HTTPStatus.NOT_MODIFIED)
            self.send_header("ETag", file.etag)
            self.end_headers()
        else:
            use_gzip = any(map(GZIP.fullmatch, self._list_header("Accept-Encoding")))
            content = file.gzipped if use_gzip else file.content
            self.send_response(HTTPStatus.OK)
            self.send_header("ETag", file.etag)
            self.send_header("Content-Type", file.mime_type)
            self.send_header("Content-Length", str(len(content)))
            if use_gzip:
                self.send_header("Content-Encoding", "gzip")
            self.end_headers()
            if body:
                self.wfile.write(content)

    def _list_header(self, name: str) -> list[str]:
        return [item.strip() for item in self.headers.get(name, "").split(",")]

    def end_headers(self) -> None:
        """Add `HEADERS` to every response, and end its headers."""
        for name, value in HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


class Server(ThreadingHTTPServer):
    """A threaded server that ignores connections that a browser closes early."""

    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:  # noqa: ARG002
        """Print an error unless it is a closed or timed-out connection."""
        error = sys.exception()
        if not isinstance(error, ConnectionError | TimeoutError):
            print(f"a request failed: {error!r}", file=sys.stderr)


def make_server(folder: Path, port: int) -> Server:
    """Return a server of the folder on 127.0.0.1; port 0 stands for any free port.

    Raises OSError if the port is in use or not allowed, and ValueError if it is out of range.
    """
    if not 0 <= port <= 65535:
        raise ValueError(f"port is {port}; choose a number from 0 to 65535")
    try:
        return Server(("127.0.0.1", port), partial(Handler, load_files(folder)))
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise OSError(
                f"port {port} is in use; choose another, for example make serve PORT={port + 1}"
            ) from None
        if error.errno == errno.EACCES:
            raise OSError(f"port {port} is not allowed; choose one above 1023") from None
        raise


def serve(server: Server, *, browser: bool = True) -> None:
    """Print the address, open a browser if there is a display, and serve until interrupted.

    Raises OSError if the address cannot be printed.
    """
    with server:
        try:
            address = f"http://127.0.0.1:{server.server_address[1]}/"
            print(f"The BLEU calculator is at {address} (Ctrl-C ends it)", flush=True)
            if browser and _has_display():
                webbrowser.open(address)
            server.serve_forever()
        except KeyboardInterrupt:
            print()


def _has_display() -> bool:
    unix_display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    has_display = sys.platform in {"win32", "darwin"} or unix_display
    return bool(has_display and not os.environ.get("CI"))

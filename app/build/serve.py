"""A server for this machine alone: the files of the build, with strict headers."""

import errno
import gzip
import hashlib
import os
import re
import sys
import webbrowser
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

from app.build.csp import HEADER, ONLY_BY_HEADER

TYPES = {
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
"""Sent with every answer, errors too."""

GZIP = re.compile(r"\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?", re.IGNORECASE)
"""One of the encodings that a request accepts, if it is gzip and not ruled out by q=0."""


@dataclass(frozen=True, slots=True)
class File:
    """One file of the build as it is sent."""

    content: bytes
    packed: bytes
    kind: str
    tag: str


def load(folder: Path) -> dict[str, File]:
    """Every file of the build by its path, read and packed once.

    Raises FileNotFoundError where there is no build.
    """
    if not (folder / "index.html").is_file():
        raise FileNotFoundError("there is no build in dist: run make serve, or make build")
    files = {}
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            content = path.read_bytes()
            kind = TYPES.get(path.suffix, "application/octet-stream")
            packed = gzip.compress(content, 6, mtime=0)
            tag = f'W/"{hashlib.sha256(content).hexdigest()[:20]}"'
            files["/" + path.relative_to(folder).as_posix()] = File(content, packed, kind, tag)
    files["/"] = files["/index.html"]
    return files


class Handler(BaseHTTPRequestHandler):
    """Answers GET and HEAD from the files of the build, and everything else with an error."""

    protocol_version = "HTTP/1.1"
    server_version = "bleu"
    sys_version = ""
    timeout = 60

    def __init__(self, files: dict[str, File], *args: object) -> None:
        """Keep the files; the rest is the connection."""
        self.files = files
        super().__init__(*args)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        """Send a file."""
        self._answer(body=True)

    def do_HEAD(self) -> None:
        """Send a file's headers."""
        self._answer(body=False)

    def _answer(self, *, body: bool) -> None:
        if {"content-length", "transfer-encoding"} & set(map(str.lower, self.headers)):
            # what follows is no request, and is not read
            self.close_connection = True
        try:
            path = unquote(urlsplit(self.path).path, errors="strict")
        except ValueError:
            self.send_error(HTTPStatus.BAD_REQUEST)
            return
        file = self.files.get(path)
        if file is None:
            self.send_error(HTTPStatus.NOT_FOUND)
        elif file.tag in self._listed("If-None-Match"):
            self.send_response(HTTPStatus.NOT_MODIFIED)
            self.send_header("ETag", file.tag)
            self.end_headers()
        else:
            packed = any(map(GZIP.fullmatch, self._listed("Accept-Encoding")))
            content = file.packed if packed else file.content
            self.send_response(HTTPStatus.OK)
            self.send_header("ETag", file.tag)
            self.send_header("Content-Type", file.kind)
            self.send_header("Content-Length", str(len(content)))
            if packed:
                self.send_header("Content-Encoding", "gzip")
            self.end_headers()
            if body:
                self.wfile.write(content)

    def _listed(self, name: str) -> list[str]:
        return [item.strip() for item in self.headers.get(name, "").split(",")]

    def end_headers(self) -> None:
        """End the headers of any answer, with the strict ones."""
        for name, value in HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: a request is no news."""


class Server(ThreadingHTTPServer):
    """Quiet about connections that a browser breaks off."""

    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:  # noqa: ARG002
        """Report what is not a broken connection."""
        error = sys.exception()
        if not isinstance(error, ConnectionError | TimeoutError):
            print(f"a request failed: {error!r}", file=sys.stderr)


def make_server(folder: Path, port: int) -> Server:
    """A server of the folder on 127.0.0.1; port 0 takes any free one.

    Raises OSError that says so where the port is in use, and ValueError for no port at all.
    """
    if not 0 <= port <= 65535:
        raise ValueError(f"port is {port}; choose a number from 0 to 65535")
    try:
        return Server(("127.0.0.1", port), partial(Handler, load(folder)))
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise OSError(
                f"port {port} is in use; choose another, as in: make serve PORT={port + 1}"
            ) from None
        if error.errno == errno.EACCES:
            raise OSError(f"port {port} is not allowed here; choose one above 1023") from None
        raise


def serve(server: Server, *, browser: bool = True) -> None:
    """Serve until interrupted: print the address, and open a browser where there is one.

    Raises OSError where the address cannot be printed.
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
    if os.environ.get("CI"):
        return False
    return sys.platform in {"win32", "darwin"} or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )

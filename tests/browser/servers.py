"""Builds and web servers for the tests: cached builds, plain, recording and listening servers."""

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, flock
from functools import cache, partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

import pytest

from app.build import assemble
from app.build.serve import Server
from tests.conftest import BUILDS

ROOT = Path(__file__).parents[2]
BUILT = "BLEU_TEST_BUILT"
"""The environment variable with the folder of a build of this tree, which `make test` has made."""


class QuietHandler(SimpleHTTPRequestHandler):
    """A handler as on any web host: the right content types, no special headers, no log."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Log nothing."""


class ListeningHandler(BaseHTTPRequestHandler):
    """A handler that appends the first line of each request to `received` and closes."""

    def __init__(self, received: list[str], *args: object) -> None:
        self.received = received
        super().__init__(*args)

    def handle_one_request(self) -> None:
        """Record any bytes, valid HTTP or not."""
        line = self.rfile.readline()
        if line:
            self.received.append(line.decode("latin-1"))
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Log nothing."""


def start_server(handler: Callable[..., Any]) -> Server:
    """Return a running server on a free local port."""
    server = Server(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, daemon=True).start()
    return server


def stop_server(server: Server) -> None:
    """Stop a server and free its port."""
    server.shutdown()
    server.server_close()


def server_address(server: Server) -> str:
    """Return the URL of a server's root."""
    return f"http://127.0.0.1:{server.server_address[1]}/"


@contextmanager
def serving(handler: Callable[..., Any]) -> Iterator[str]:
    """Yield the URL of a server that runs until the block ends."""
    server = start_server(handler)
    try:
        yield server_address(server)
    finally:
        stop_server(server)


class Site:
    """A folder served under a sub-path; every request path and cookie is recorded.

    `overrides` maps the last part of a path to a function that responds instead of the file, and
    the name "*" to one that responds to every request.
    """

    def __init__(self, root: Path) -> None:
        self.folder = root / "some" / "where"
        self.requests: list[str] = []
        self.cookies: list[str] = []
        self.overrides: dict[str, Callable[[QuietHandler], None]] = {}
        requests, cookies, overrides = self.requests, self.cookies, self.overrides

        class RecordingHandler(QuietHandler):
            def log_request(self, *_: object) -> None:
                requests.append(self.path)
                cookies.extend(self.headers.get_all("Cookie", []))

            def do_GET(self) -> None:
                override = overrides.get(self.path.rsplit("/", 1)[-1], overrides.get("*"))
                if override:
                    requests.append(self.path)
                    override(self)
                else:
                    super().do_GET()

        self.server = start_server(partial(RecordingHandler, directory=str(root)))
        self.address = f"{server_address(self.server)}some/where/"

    def close(self) -> None:
        """Stop the server, as if the network were gone."""
        stop_server(self.server)


def respond_with(status: int, body: str = "", **headers: str) -> Callable[[QuietHandler], None]:
    """Return a function for `Site.overrides` that sends this response."""

    def respond(handler: QuietHandler) -> None:
        handler.send_response_only(status)
        for name, value in {"Content-Length": str(len(body.encode())), **headers}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body.encode())

    return respond


def abort(handler: QuietHandler) -> None:
    """Close the connection without a response, as an override of a `Site`."""
    handler.close_connection = True


SHARED_PARTS = {name: cache(getattr(assemble, name)) for name in ("docs_pages", "subset_font")}
"""The parts of a build that depend on no change of a test, and take long."""


@contextmanager
def shared_parts() -> Iterator[pytest.MonkeyPatch]:
    """Make the documentation and the font only once for all builds of this process."""
    with pytest.MonkeyPatch.context() as patch:
        for name, make in SHARED_PARTS.items():
            patch.setattr(assemble, name, make)
        yield patch


def copy_runtime(_source: Path, _packages: Path, target: Path) -> None:
    """Copy the runtime of the unchanged build, as `make_runtime` would write it."""
    shutil.copytree(cached_build() / "pyodide", target / "pyodide")


Change = tuple[str, str, str]
"""A change of the sources: a file, a text in it, and its replacement."""


def build_with_changes(target: Path, *changes: Change) -> None:
    """Build a copy of this tree with changed sources."""
    with TemporaryDirectory() as folder, shared_parts() as patch:
        copy = Path(folder)
        for part in ("app", "bleu", "static"):
            shutil.copytree(ROOT / part, copy / part)
        for part in ("index.html", "LICENSE", "pyproject.toml"):
            shutil.copyfile(ROOT / part, copy / part)
        (copy / "node_modules").symlink_to((ROOT / "node_modules").resolve())
        for name, old, new in changes:
            text = (copy / name).read_text("utf-8")
            assert old in text
            (copy / name).write_text(text.replace(old, new), "utf-8")
        if not any(name.endswith(".py") for name, _, _ in changes):
            # Only Python sources change the runtime, which takes most of the time of a build.
            patch.setattr(assemble, "make_runtime", copy_runtime)
        assemble.build(copy, target)


def cached_build(*changes: Change) -> Path:
    """Return the folder of a build that all processes of a test run share; do not modify it."""
    digest = hashlib.sha256(repr(changes).encode()).hexdigest()
    target = Path(os.environ[BUILDS], digest[:16])
    with open(f"{target}.lock", "w") as lock:
        flock(lock, LOCK_EX)
        if not target.exists():
            if changes:
                build_with_changes(target, *changes)
            elif BUILT in os.environ:
                shutil.copytree(ROOT / os.environ[BUILT], target)
            else:
                with shared_parts():
                    assemble.build(ROOT, target)
    return target


def deploy_newer_build(site_copy: Site, mark: str) -> None:
    """Replace the served build by one whose heading starts with `mark`."""
    newer = cached_build(("index.html", "<h1>", f"<h1>{mark} "))
    shutil.rmtree(site_copy.folder)
    # copyfile sets new modification times: browsers revalidate by them
    shutil.copytree(newer, site_copy.folder, copy_function=shutil.copyfile)

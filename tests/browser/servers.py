"""Web servers for the tests: any host's, one that is watched, and one that only listens."""

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, flock
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from app.build import FAST
from app.build.assemble import build
from app.build.serve import Server
from tests.conftest import BUILDS

ROOT = Path(__file__).parents[2]
RUNTIME = os.environ.get("RUNTIME", FAST)
"""Of which runtime the pages are, that the tests build: make test RUNTIME=plain."""


class QuietHandler(SimpleHTTPRequestHandler):
    """Any web server: the right types, no special headers."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class ListeningHandler(BaseHTTPRequestHandler):
    """Answers everything, and remembers that it was asked."""

    def __init__(self, heard: list[str], *args: object) -> None:
        self.heard = heard
        super().__init__(*args)

    def handle_one_request(self) -> None:
        """Any bytes at all count."""
        line = self.rfile.readline()
        if line:
            self.heard.append(line.decode("latin-1"))
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def start_server(handler: Callable[..., Any]) -> Server:
    """A server on a free port of this machine, answering already."""
    server = Server(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, daemon=True).start()
    return server


def stop_server(server: Server) -> None:
    """No server any more."""
    server.shutdown()
    server.server_close()


def server_address(server: Server) -> str:
    """Where it answers."""
    return f"http://127.0.0.1:{server.server_address[1]}/"


@contextmanager
def serving(handler: Callable[..., Any]) -> Iterator[str]:
    """The address of a server that ends with the block."""
    server = start_server(handler)
    try:
        yield server_address(server)
    finally:
        stop_server(server)


class Site:
    """A folder served under a sub-path, with every request recorded.

    `instead` has what answers in the place of a file, by the last part of its path.
    """

    def __init__(self, root: Path) -> None:
        self.folder = root / "some" / "where"
        self.requests: list[str] = []
        self.cookies: list[str] = []
        self.overrides: dict[str, Callable[[QuietHandler], None]] = {}
        asked, cookies, instead = self.requests, self.cookies, self.overrides

        class Recording(QuietHandler):
            def log_request(self, *_: object) -> None:
                asked.append(self.path)
                cookies.extend(self.headers.get_all("Cookie", []))

            def do_GET(self) -> None:
                answer = instead.get(self.path.rsplit("/", 1)[-1])
                if answer:
                    asked.append(self.path)
                    answer(self)
                else:
                    super().do_GET()

        self.server = start_server(partial(Recording, directory=str(root)))
        self.address = f"{server_address(self.server)}some/where/"

    def close(self) -> None:
        """No network any more."""
        stop_server(self.server)


def respond_with(status: int, body: str = "", **headers: str) -> Callable[[QuietHandler], None]:
    """An answer of any kind, for `Site.instead`."""

    def answer(handler: QuietHandler) -> None:
        handler.send_response_only(status)
        for name, value in {"Content-Length": str(len(body.encode())), **headers}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body.encode())

    return answer


def build_with_change(target: Path, name: str, old: str, new: str) -> None:
    """Build this tree with another text in the place of one in a file."""
    with TemporaryDirectory() as folder:
        copy = Path(folder)
        for part in ("app", "bleu", "static"):
            shutil.copytree(ROOT / part, copy / part)
        for part in ("index.html", "LICENSE", "pyproject.toml"):
            shutil.copyfile(ROOT / part, copy / part)
        (copy / "node_modules").symlink_to((ROOT / "node_modules").resolve())
        text = (copy / name).read_text("utf-8")
        assert old in text
        (copy / name).write_text(text.replace(old, new), "utf-8")
        reason = build(copy, target, RUNTIME)
        assert reason is None


def cached_build(*change: str) -> Path:
    """A build of this tree, made once for all tests of a run, in whichever process: only to read.

    `change` is a file, a text in it, and what stands there instead; without it, nothing is changed.
    """
    digest = hashlib.sha256(repr((RUNTIME, change)).encode()).hexdigest()
    target = Path(os.environ[BUILDS], digest[:16])
    with open(f"{target}.lock", "w") as lock:
        flock(lock, LOCK_EX)
        if not target.exists():
            if change:
                build_with_change(target, *change)
            else:
                assert build(ROOT, target, RUNTIME) is None
    return target


def deploy_newer_build(site_copy: Site, mark: str) -> None:
    """Another build in the place of the one that is served."""
    newer = cached_build("index.html", "<h1>", f"<h1>{mark} ")
    shutil.rmtree(site_copy.folder)
    # as new as it would be if it had been built there: browsers ask again by that
    shutil.copytree(newer, site_copy.folder, copy_function=shutil.copyfile)

"""Web servers for the tests: any host's, one that is watched, and one that only listens."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from app.build import build

ROOT = Path(__file__).parents[2]


class Quiet(SimpleHTTPRequestHandler):
    """Any web server: the right types, no special headers."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Listening(BaseHTTPRequestHandler):
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


def started(handler: Callable[..., Any]) -> ThreadingHTTPServer:
    """A server on a free port of this machine, answering already."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, daemon=True).start()
    return server


def stop(server: ThreadingHTTPServer) -> None:
    """No server any more."""
    server.shutdown()
    server.server_close()


def address(server: ThreadingHTTPServer) -> str:
    """Where it answers."""
    return f"http://127.0.0.1:{server.server_address[1]}/"


@contextmanager
def serving(handler: Callable[..., Any]) -> Iterator[str]:
    """The address of a server that ends with the block."""
    server = started(handler)
    try:
        yield address(server)
    finally:
        stop(server)


class Site:
    """A folder served under a sub-path, with every request recorded."""

    def __init__(self, root: Path) -> None:
        self.folder = root / "some" / "where"
        self.asked: list[str] = []
        asked = self.asked

        class Recording(Quiet):
            def log_request(self, *_: object) -> None:
                asked.append(self.path)

        self.server = started(partial(Recording, directory=str(root)))
        self.address = f"{address(self.server)}some/where/"

    def close(self) -> None:
        """No network any more."""
        stop(self.server)


def built(target: Path, name: str, old: str, new: str) -> None:
    """A build of this tree with another text in the place of one in a file."""
    with TemporaryDirectory() as folder:
        copy = Path(folder)
        for part in ("app", "bleu", "static"):
            shutil.copytree(ROOT / part, copy / part)
        for part in ("index.html", "LICENSE"):
            shutil.copyfile(ROOT / part, copy / part)
        (copy / "node_modules").symlink_to((ROOT / "node_modules").resolve())
        text = (copy / name).read_text("utf-8")
        assert old in text
        (copy / name).write_text(text.replace(old, new), "utf-8")
        build(copy, target)


def changed_build(own: Site, mark: str) -> None:
    """Another build in the place of the one that is served."""
    built(own.folder, "index.html", "<h1>", f"<h1>{mark} ")

"""A port of this machine for each way out of a page, where all that comes is heard."""

import selectors
import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

ANSWER = b"HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 2\r\n\r\nok"
"""What every connection gets that says anything."""


class Ears:
    """What was heard at each port, by the name of the way that it was given for.

    A connection counts when it is opened, even if nothing is sent on it.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.heard: dict[str, list[str]] = {}
        self.ports: dict[str, int] = {}
        self.listening = selectors.DefaultSelector()
        for name in names:
            tcp = socket.create_server(("127.0.0.1", 0))
            udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            self.ports[name] = tcp.getsockname()[1]
            udp.bind(("127.0.0.1", self.ports[name]))
            for one in (tcp, udp):
                self.listening.register(one, selectors.EVENT_READ, name)
        self.closing, self.end = socket.socketpair()
        self.listening.register(self.end, selectors.EVENT_READ, None)

    def address(self, name: str) -> str:
        """Where this way shall lead."""
        return f"http://127.0.0.1:{self.ports[name]}/"

    def run(self) -> None:
        """Hear, until the other end is closed."""
        while True:
            for key, _ in self.listening.select():
                if key.data is None:
                    return
                self.heard.setdefault(key.data, []).append(self.taken(key.fileobj, key.data))

    def taken(self, one: Any, name: str) -> str:
        """What came in at a socket, in a word."""
        if one.type == socket.SOCK_DGRAM:
            return f"datagram of {len(one.recv(65536))} bytes"
        if one.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
            self.listening.register(one.accept()[0], selectors.EVENT_READ, name)
            return "connection"
        try:
            said = one.recv(65536)
            one.sendall(ANSWER)
        except OSError:
            said = b""
        if said:
            return said.decode("latin-1").partition("\r\n")[0]
        self.listening.unregister(one)
        one.close()
        return "end"


@contextmanager
def ears(names: Iterable[str]) -> Iterator[Ears]:
    """Ears that are closed with the block."""
    listening = Ears(names)
    thread = Thread(target=listening.run, daemon=True)
    thread.start()
    try:
        yield listening
    finally:
        listening.closing.close()
        thread.join()
        for key in list(listening.listening.get_map().values()):
            one: Any = key.fileobj
            one.close()
        listening.listening.close()

"""Listeners that record every connection and datagram, with one port for each escape route."""

import selectors
import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

RESPONSE = b"HTTP/1.1 204 No Content\r\nAccess-Control-Allow-Origin: *\r\n\r\n"
"""The response to any bytes on a connection: a browser stays on the page that it shows."""


def bound_sockets() -> tuple[socket.socket, socket.socket]:
    """Return sockets for TCP and UDP at a port that is free for both."""
    while True:
        tcp = socket.create_server(("127.0.0.1", 0))
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            udp.bind(tcp.getsockname())
        except OSError:  # Another program has the port for UDP.
            tcp.close()
            udp.close()
        else:
            return tcp, udp


class PortListeners:
    """Listeners on one TCP and UDP port per name; `received` maps each name to its events.

    An opened connection counts even if nothing is sent on it.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.received: dict[str, list[str]] = {}
        self.ports: dict[str, int] = {}
        self.selector = selectors.DefaultSelector()
        for name in names:
            tcp, udp = bound_sockets()
            self.ports[name] = tcp.getsockname()[1]
            for listener in (tcp, udp):
                self.selector.register(listener, selectors.EVENT_READ, name)
        self.stop_sender, self.stop_receiver = socket.socketpair()
        self.selector.register(self.stop_receiver, selectors.EVENT_READ, None)

    def address(self, name: str) -> str:
        """Return the address that the route of this name must use."""
        return f"http://127.0.0.1:{self.ports[name]}/"

    def run(self) -> None:
        """Record events until `stop_sender` is closed."""
        while True:
            for key, _ in self.selector.select():
                if key.data is None:
                    return
                event = self.receive(key.fileobj, key.data)
                self.received.setdefault(key.data, []).append(event)

    def receive(self, ready: Any, name: str) -> str:
        """Return a short description of the event on a socket, and respond to it."""
        if ready.type == socket.SOCK_DGRAM:
            return f"datagram of {len(ready.recv(65536))} bytes"
        if ready.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
            self.selector.register(ready.accept()[0], selectors.EVENT_READ, name)
            return "connection"
        try:
            data = ready.recv(65536)
            ready.sendall(RESPONSE)
        except OSError:
            data = b""
        if data:
            return data.decode("latin-1").partition("\r\n")[0]
        self.selector.unregister(ready)
        ready.close()
        return "end"


@contextmanager
def port_listeners(names: Iterable[str]) -> Iterator[PortListeners]:
    """Run listeners for these names in a thread, and close them with the block."""
    listeners = PortListeners(names)
    thread = Thread(target=listeners.run, daemon=True)
    thread.start()
    try:
        yield listeners
    finally:
        listeners.stop_sender.close()
        thread.join()
        for key in list(listeners.selector.get_map().values()):
            closing: Any = key.fileobj
            closing.close()
        listeners.selector.close()

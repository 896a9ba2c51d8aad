"""The local server: the build and nothing else, with strict headers."""

import gzip
import http.client
import socket
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest

from app.csp import META, POLICY
from app.serve import make_server

pytestmark = pytest.mark.host
ROOT = Path(__file__).parents[1]


@pytest.fixture
def folder(tmp_path):
    """A small build, with a secret beside it."""
    dist = tmp_path / "dist"
    (dist / "pyodide").mkdir(parents=True)
    (dist / "index.html").write_text("<!doctype html><p>hello</p>" * 20, encoding="utf-8")
    (dist / "pyodide" / "a.wasm").write_bytes(b"\0asm" * 100)
    (dist / "pyodide" / "b.mjs").write_text("export {}", encoding="utf-8")
    (dist / "pyodide" / "c.zip").write_bytes(b"PK")
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    (dist / "link.txt").symlink_to(tmp_path / "secret.txt")
    return dist


@pytest.fixture
def port(folder):
    """The port of a running server."""
    with make_server(folder, 0) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


def ask(port, path, method="GET", **headers):
    """One request: status, headers, body."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.putrequest(method, path, skip_accept_encoding=True)
    for name, value in headers.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response.status, response.headers, body


def raw(port, request):
    """What comes back for these bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(65536), b""))


def test_the_page_comes_with_strict_headers(port, folder):
    status, headers, body = ask(port, "/")
    assert status == 200
    assert body == (folder / "index.html").read_bytes()
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert headers["Content-Security-Policy"] == POLICY == f"{META}; frame-ancestors 'none'"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/pyodide/a.wasm", "application/wasm"),
        ("/pyodide/b.mjs", "text/javascript; charset=utf-8"),
        ("/pyodide/c.zip", "application/zip"),
        ("/index.html?x=1", "text/html; charset=utf-8"),
        ("/%69ndex.html", "text/html; charset=utf-8"),
    ],
)
def test_types(port, path, kind):
    status, headers, _ = ask(port, path)
    assert (status, headers["Content-Type"]) == (200, kind)


def test_compressed_for_those_who_take_it(port, folder):
    _, headers, body = ask(port, "/", Accept_Encoding="gzip, br")
    assert headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(body) == (folder / "index.html").read_bytes()
    assert int(headers["Content-Length"]) == len(body)
    assert ask(port, "/pyodide/c.zip", Accept_Encoding="gzip")[1]["Content-Encoding"] is None


def test_what_is_known_is_not_sent_again(port):
    _, headers, _ = ask(port, "/")
    status, again, body = ask(port, "/", If_None_Match=headers["ETag"])
    assert (status, body, again["ETag"]) == (304, b"", headers["ETag"])
    assert ask(port, "/", If_None_Match='"other"')[0] == 200


def test_head_has_no_body(port):
    status, headers, body = ask(port, "/", "HEAD")
    assert (status, body) == (200, b"")
    assert int(headers["Content-Length"]) > 0


@pytest.mark.parametrize(
    "path",
    ["/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "//secret.txt", "/pyodide",
     "/pyodide/", "/link.txt", "/%00", "/index.html/", "/missing"],
)  # fmt: skip
def test_nothing_but_the_build(port, path):
    status, _, body = ask(port, path)
    assert status == 404
    assert b"secret" not in body.replace(b"secret.txt", b"")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE"])
def test_only_get_and_head(port, method):
    assert ask(port, "/", method)[0] == 501


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"nonsense\r\n\r\n", b"400"),
        (b"GET /%ff%fe HTTP/1.1\r\nHost: x\r\n\r\n", b"400"),
        (b"GET / HTTP/9.9\r\n\r\n", b"505"),
        (b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n", b"414"),
        (b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 200 + b"\r\n", b"431"),
    ],
)
def test_malformed_requests_are_answered_with_an_error(port, request_, status, capfd):
    assert status in raw(port, request_)[:400]
    assert "Traceback" not in "".join(capfd.readouterr())


def test_a_busy_port_is_one_clear_line(port, tmp_path):
    command = [sys.executable, "-m", "app", "serve", "--port", str(port), "--no-browser"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == (
        f"port {port} is in use; choose another, as in: make serve PORT={port + 1}\n"
    )


def test_no_port_and_no_build_are_named(folder, tmp_path):
    with pytest.raises(ValueError, match="port is 70000; choose a number from 0 to 65535"):
        make_server(folder, 70_000)
    with pytest.raises(FileNotFoundError, match="there is no build"):
        make_server(tmp_path, 0)

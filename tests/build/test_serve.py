"""The local server: it serves only the build, with strict headers."""

import http.client
import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from app.build.serve import HEADERS, SANDBOX, make_server, policy

pytestmark = pytest.mark.host
ROOT = Path(__file__).parents[2]
SCRIPT_DIGEST = "'sha256-qVpDBgj7bpq5hMAcGp3AOc79J3Y1Z4HvySTwKrWDoy4='"
"""The SHA-256 of `a()`, in base64."""
STYLE_DIGEST = "'sha256-SNJDlN1Iy2mnt7DOjQIyDb2LQE6O5PQiSZomcdzawQ4='"
"""The SHA-256 of `p {}`, in base64."""


@pytest.fixture
def folder(tmp_path):
    """A small build, with a file beside it that must not be served."""
    dist = tmp_path / "dist"
    (dist / "pyodide").mkdir(parents=True)
    (dist / "index.html").write_text("<!doctype html><p>hello</p>" * 20, encoding="utf-8")
    (dist / "pyodide" / "a.wasm").write_bytes(b"\0asm" * 100)
    (dist / "pyodide" / "b.mjs").write_text("export {}", encoding="utf-8")
    (dist / "pyodide" / "c.other").write_bytes(b"?")
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    return dist


@pytest.fixture
def port(folder):
    """The port of a running server."""
    with make_server(folder, 0) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


def request(port, path, method="GET", **headers):
    """Send a request; return the status, the headers and the body."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.putrequest(method, path, skip_accept_encoding=True)
    for name, value in headers.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response.status, response.headers, body


def send_bytes(port, data):
    """Send raw bytes; return all bytes of the response."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(65536), b""))


def test_page_has_strict_headers(port, folder):
    status, headers, body = request(port, "/")
    assert status == 200
    assert body == (folder / "index.html").read_bytes()
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    rules = headers["Content-Security-Policy"].split("; ")
    page_rules = policy("a()", "p {}").split("; ")
    assert rules.pop() == SANDBOX
    assert rules.pop() == "frame-ancestors 'self'"
    assert [(a, b) for a, b in zip(rules, page_rules, strict=True) if a != b] == [
        (
            "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'",
            f"script-src 'self' {SCRIPT_DIGEST} 'wasm-unsafe-eval'",
        ),
        ("style-src 'unsafe-inline'", f"style-src {STYLE_DIGEST}"),
    ]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"


@pytest.mark.parametrize(
    ("path", "mime_type"),
    [
        ("/pyodide/a.wasm", "application/wasm"),
        ("/pyodide/b.mjs", "text/javascript; charset=utf-8"),
        ("/pyodide/c.other", "application/octet-stream"),
        ("/index.html?x=1", "text/html; charset=utf-8"),
        ("/%69ndex.html", "text/html; charset=utf-8"),
    ],
)
def test_mime_types(port, path, mime_type):
    status, headers, _ = request(port, path)
    assert (status, headers["Content-Type"]) == (200, mime_type)


def test_other_pages_may_frame_the_page_if_they_are_named(folder, monkeypatch):
    monkeypatch.setenv("FRAME_ANCESTORS", "https://moodle.example.org 'self'")
    with make_server(folder, 0) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        _, headers, _ = request(server.server_address[1], "/")
        server.shutdown()
    rule = "; frame-ancestors https://moodle.example.org 'self'; sandbox "
    assert rule in headers["Content-Security-Policy"]


def test_server_listens_on_localhost_only(folder):
    with make_server(folder, 0) as server:
        assert server.server_address[0] == "127.0.0.1"


def test_errors_have_strict_headers_and_reveal_nothing(port):
    for status, headers, body in (request(port, "/<script>"), request(port, "/", "POST")):
        assert status in {404, 501}
        assert all(headers[name] == value for name, value in HEADERS.items())
        assert b"script" not in body
        assert b"Python" not in body + headers["Server"].encode()


def test_connection_has_a_single_request(port):
    body = b"GET /pyodide/a.wasm HTTP/1.1\r\n\r\n"
    response = send_bytes(port, b"GET / HTTP/1.1\r\nContent-Length: 32\r\n\r\n" + body)
    assert response.count(b"HTTP/1.0 ") == 1
    assert b"\0asm" not in response


def test_head_has_no_body(port):
    status, headers, body = request(port, "/", "HEAD")
    assert (status, body) == (200, b"")
    assert int(headers["Content-Length"]) > 0


@pytest.mark.parametrize(
    "path",
    ["/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "//secret.txt", "/pyodide",
     "/pyodide/", "/%00", "/index.html/", "/missing", "/..\\secret.txt",
     "/%5c..%5csecret.txt", "/%252e%252e/secret.txt", "/pyodide/../../secret.txt",
     "/pyodide/../index.html", "/index.html%00.txt", "/./index.html", "/etc/passwd",
     "/C:/secret.txt", "/INDEX.HTML", "/index.html.", "/index.html::$DATA",
     "/" + "../" * 40 + "etc/passwd"],
)  # fmt: skip
def test_other_paths_are_not_found(port, path):
    status, _, body = request(port, path)
    assert status == 404
    assert b"secret" not in body.replace(b"secret.txt", b"")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE"])
def test_other_methods_are_rejected(port, method):
    assert request(port, "/", method)[0] == 501


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"nonsense\r\n\r\n", b"400"),
        (b"GET /%ff%fe HTTP/1.1\r\nHost: x\r\n\r\n", b"404"),
        (b"GET / HTTP/9.9\r\n\r\n", b"505"),
        (b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n", b"414"),
        (b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 200 + b"\r\n", b"431"),
        (b"GET / HTTP/1.1\r\nA: " + b"b" * 70_000 + b"\r\n\r\n", b"431"),
        (b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03\r\n\r\n", b"400"),
        (b"GET / HTTP/x\r\n\r\n", b"400"),
        (b"BREW / HTTP/1.1\r\n\r\n", b"501"),
        (b"CONNECT example.org:443 HTTP/1.1\r\n\r\n", b"501"),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"505"),
        (b"OPTIONS * HTTP/1.1\r\n\r\n", b"501"),
        (b"BREW /\r\n\r\n", b"400"),
    ],
)
def test_malformed_request_gets_an_error(port, data, status, capfd):
    response = send_bytes(port, data + b"GET / HTTP/1.1\r\n\r\n")
    assert response.startswith(b"HTTP/1.0 " + status)
    assert response.count(b"HTTP/1.0 ") == 1
    assert b"\r\nX-Content-Type-Options: nosniff\r\n" in response
    assert "".join(capfd.readouterr()) == ""


requests = st.builds(
    b"".join,
    st.tuples(
        st.sampled_from([b"GET", b"HEAD", b"POST", b"get", b""]) | st.binary(max_size=8),
        st.sampled_from([b" ", b"\t", b""]),
        st.sampled_from([b"/", b"/index.html", b"*", b"http://x/", b"//"]) | st.binary(max_size=20),
        st.sampled_from([b" HTTP/1.1", b" HTTP/1.0", b"", b" HTTP/1.1 x", b" HTTP/0.9"]),
        st.sampled_from([b"\r\n", b"\n", b"\r"]),
        st.binary(max_size=60),
        st.just(b"\r\n\r\n"),
    ),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(requests | st.binary(max_size=200))
@example(b"")
@example(b"GET / HTTP/1.1\r\n")
def test_any_bytes_are_answered(port, capfd, data):
    statuses = re.findall(rb"^HTTP/1\.0 (\d{3}) ", send_bytes(port, data), re.MULTILINE)
    assert set(statuses) <= {b"200", b"400", b"404", b"414", b"431", b"501", b"505"}
    assert request(port, "/")[0] == 200
    assert "".join(capfd.readouterr()) == ""


def test_busy_port_prints_one_line(port, tmp_path):
    command = [sys.executable, "-m", "app", "serve", "--port", str(port), "--no-browser"]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert process.returncode == 1
    assert process.stderr == (
        f"port {port} is in use; choose another, for example make serve PORT={port + 1}\n"
    )


def test_invalid_port_and_missing_build_are_named(folder, tmp_path):
    with pytest.raises(ValueError, match="port is 70000; choose a number from 0 to 65535"):
        make_server(folder, 70_000)
    with pytest.raises(FileNotFoundError, match="there is no build"):
        make_server(tmp_path, 0)


INTERRUPT = """
import os, signal, sys

def interrupt(event, arguments):
    if event == {event!r} and str(arguments[0]).endswith({end!r}):
        os.kill(os.getpid(), signal.SIGINT)

sys.addaudithook(interrupt)
"""


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(
    ("event", "end"),
    [
        ("import", "bleu.core.score"),
        ("import", "app.build.serve"),
        ("open", "index.html"),
        ("socket.bind", ""),
    ],
)
def test_interrupt_while_starting_prints_no_traceback(event, end, folder, tmp_path):
    for package in ("app", "bleu"):
        shutil.copytree(ROOT / package, tmp_path / package)
    hook = INTERRUPT.format(event=event, end=end)
    (tmp_path / "sitecustomize.py").write_text(hook, encoding="utf-8")
    process = subprocess.run(
        [sys.executable, "-m", "app", "serve", "--port", "0", "--no-browser"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert process.returncode == 130
    assert process.stdout == ""
    assert process.stderr in {"", "python -m app: interrupted\n"}

"""The local server: the build and nothing else, with strict headers."""

import gzip
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

from app.build.csp import SANDBOX, policy
from app.build.serve import HEADERS, make_server

pytestmark = pytest.mark.host
ROOT = Path(__file__).parents[2]
A = "'sha256-qVpDBgj7bpq5hMAcGp3AOc79J3Y1Z4HvySTwKrWDoy4='"
"""SHA-256 of `a()`, in base 64."""
P = "'sha256-SNJDlN1Iy2mnt7DOjQIyDb2LQE6O5PQiSZomcdzawQ4='"
"""SHA-256 of `p {}`, in base 64."""


@pytest.fixture
def folder(tmp_path):
    """A small build, with a secret beside it."""
    dist = tmp_path / "dist"
    (dist / "pyodide").mkdir(parents=True)
    (dist / "index.html").write_text("<!doctype html><p>hello</p>" * 20, encoding="utf-8")
    (dist / "pyodide" / "a.wasm").write_bytes(b"\0asm" * 100)
    (dist / "pyodide" / "b.mjs").write_text("export {}", encoding="utf-8")
    (dist / "pyodide" / "c.other").write_bytes(b"?")
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    (dist / "link.txt").symlink_to(tmp_path / "secret.txt")
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
    rules = headers["Content-Security-Policy"].split("; ")
    own = policy("a()", "p {}").split("; ")
    assert rules.pop() == SANDBOX
    assert rules.pop() == "frame-ancestors 'none'"
    assert [(a, b) for a, b in zip(rules, own, strict=True) if a != b] == [
        (
            "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'",
            f"script-src 'self' {A} 'wasm-unsafe-eval'",
        ),
        ("style-src 'unsafe-inline'", f"style-src {P}"),
    ]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/pyodide/a.wasm", "application/wasm"),
        ("/pyodide/b.mjs", "text/javascript; charset=utf-8"),
        ("/pyodide/c.other", "application/octet-stream"),
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
    assert headers["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize(
    ("accepted", "packed"),
    [("gzip", True), ("br, GZIP;q=0.5", True), ("*", True), ("identity;q=0, gzip ; q=1", True),
     ("gzip;q=0", False), ("gzip; q=0.00", False), ("br", False), ("gzipped", False), ("", False)],
)  # fmt: skip
def test_only_for_those(port, accepted, packed):
    headers = ask(port, "/", Accept_Encoding=accepted)[1]
    assert (headers["Content-Encoding"] == "gzip") == packed


def test_what_is_known_is_not_sent_again(port):
    _, headers, _ = ask(port, "/")
    status, again, body = ask(port, "/", If_None_Match=headers["ETag"])
    assert (status, body, again["ETag"]) == (304, b"", headers["ETag"])
    assert ask(port, "/", If_None_Match=f'"other", {headers["ETag"]}')[0] == 304
    assert ask(port, "/", If_None_Match='"other"')[0] == 200
    assert ask(port, "/pyodide/a.wasm", If_None_Match=headers["ETag"])[0] == 200


def test_it_is_there_for_this_machine_alone(folder):
    with make_server(folder, 0) as server:
        assert server.server_address[0] == "127.0.0.1"


def test_a_part_is_not_to_be_had_but_the_whole_is(port, folder):
    for wanted in ("bytes=0-3", "bytes=9-2", "bytes=-1,5-", "lines=1"):
        status, headers, body = ask(port, "/", Range=wanted)
        assert (status, headers["Accept-Ranges"]) == (200, "none")
        assert body == (folder / "index.html").read_bytes()


def test_errors_come_with_strict_headers_too_and_show_nothing(port):
    for status, headers, body in (ask(port, "/<script>"), ask(port, "/", "POST")):
        assert status in {404, 501}
        assert all(headers[name] == value for name, value in HEADERS.items())
        assert b"script" not in body
        assert b"Python" not in body + headers["Server"].encode()


def test_what_follows_a_request_with_a_body_is_no_request(port):
    hidden = b"GET /pyodide/a.wasm HTTP/1.1\r\n\r\n"
    answer = raw(port, b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 32\r\n\r\n" + hidden)
    assert answer.count(b"HTTP/1.1 200") == 1
    assert b"\0asm" not in answer


def test_one_connection_takes_many_requests(port):
    answer = raw(port, b"GET /missing HTTP/1.1\r\n\r\n")
    assert answer.count(b"HTTP/1.1 404") == 1
    answer = raw(port, b"HEAD / HTTP/1.1\r\nHost: x\r\n\r\n" * 5)
    assert answer.count(b"HTTP/1.1 200") == 5


def test_head_has_no_body(port):
    status, headers, body = ask(port, "/", "HEAD")
    assert (status, body) == (200, b"")
    assert int(headers["Content-Length"]) > 0


@pytest.mark.parametrize(
    "path",
    ["/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "//secret.txt", "/pyodide",
     "/pyodide/", "/link.txt", "/%00", "/index.html/", "/missing", "/..\\secret.txt",
     "/%5c..%5csecret.txt", "/%252e%252e/secret.txt", "/pyodide/../../secret.txt",
     "/pyodide/../index.html", "/index.html%00.txt", "/./index.html", "/etc/passwd",
     "/C:/secret.txt", "/INDEX.HTML", "/index.html.", "/index.html::$DATA",
     "/" + "../" * 40 + "etc/passwd"],
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
        (b"GET / HTTP/1.1\r\nA: " + b"b" * 70_000 + b"\r\n\r\n", b"431"),
        (b"GET http://[ HTTP/1.1\r\n\r\n", b"400"),
        (b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03\r\n\r\n", b"400"),
        (b"GET / HTTP/x\r\n\r\n", b"400"),
        (b"BREW / HTTP/1.1\r\n\r\n", b"501"),
        (b"CONNECT example.org:443 HTTP/1.1\r\n\r\n", b"501"),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"505"),
        (b"OPTIONS * HTTP/1.1\r\n\r\n", b"501"),
    ],
)
def test_malformed_requests_are_answered_with_an_error(port, request_, status, capfd):
    assert status in raw(port, request_)[:400]
    assert "".join(capfd.readouterr()) == ""


requests = st.builds(
    b"".join,
    st.tuples(
        st.sampled_from([b"GET", b"HEAD", b"POST", b"get", b""]) | st.binary(max_size=8),
        st.sampled_from([b" ", b"\t", b""]),
        st.sampled_from([b"/", b"/index.html", b"*", b"http://x/", b"//"]) | st.binary(max_size=20),
        st.sampled_from([b" HTTP/1.1", b" HTTP/1.0", b"", b" HTTP/1.1 x", b" HTTP/0.9"]),
        st.sampled_from([b"\r\n", b"\n", b"\r"]),
        st.binary(max_size=60) | st.just(b"Accept-Encoding: gzip;q=\xff\r\nIf-None-Match: ,,*\r\n"),
        st.just(b"\r\n\r\n"),
    ),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(requests | st.binary(max_size=200))
@example(b"")
@example(b"GET / HTTP/1.1\r\n")
def test_no_bytes_are_too_odd_to_be_answered(port, capfd, bytes_):
    statuses = re.findall(rb"^HTTP/1\.1 (\d{3}) ", raw(port, bytes_), re.MULTILINE)
    assert set(statuses) <= {b"200", b"304", b"400", b"404", b"414", b"431", b"501", b"505"}
    assert ask(port, "/")[0] == 200
    assert "".join(capfd.readouterr()) == ""


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
def test_an_interrupt_before_it_serves_is_no_traceback(event, end, folder, tmp_path):
    for package in ("app", "bleu"):
        shutil.copytree(ROOT / package, tmp_path / package)
    hook = INTERRUPT.format(event=event, end=end)
    (tmp_path / "sitecustomize.py").write_text(hook, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "app", "serve", "--port", "0", "--no-browser"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 130
    assert done.stdout == ""
    assert done.stderr in {"", "python -m app: interrupted\n"}

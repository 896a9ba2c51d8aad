"""The documentation of the library: a page that is not as known is refused."""

import subprocess
from pathlib import Path

import pytest

from app.build.docs import HEAD, POLICY, docs_page

pytestmark = pytest.mark.host


def made_as(page, monkeypatch):
    """What becomes of a page, where pdoc makes this one."""

    def run(command, **_):
        Path(command[-1], "bleu.html").write_text(page, encoding="utf-8")
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", run)
    return docs_page()


def test_a_policy_stands_first_and_the_page_is_called_as_it_is_stored(monkeypatch):
    page = made_as(f'<html>{HEAD}</head><a href="bleu.html">a</a></html>', monkeypatch)
    assert page.index(POLICY) < page.index("</head>")
    assert 'href="index.html"' in page


@pytest.mark.parametrize(
    "page",
    [
        f"{HEAD}</head><body><script>1</script></body>",
        f"{HEAD}<script src=search.js></script></head>",
        "<head lang=en></head>",
        f"{HEAD}</head>{HEAD}</head>",
    ],
)
def test_a_page_with_a_script_or_of_another_form_is_refused(page, monkeypatch):
    with pytest.raises(RuntimeError, match="has another form"):
        made_as(page, monkeypatch)

"""What the code of the page may not do because translators of browsers change its texts."""

import re

from tests.browser.servers import ROOT

READ = re.compile(r"\.(?:textContent|innerText|nodeValue)\b(?! =(?!=))")
NEVER_TRANSLATED = ("snippet-", "part.textContent", "mirror.textContent")
"""Parts of the lines that read code or a user's text with `translate="no"`, or a script."""


def test_no_code_reads_a_text_that_may_be_translated():
    modules = [*(ROOT / "app").rglob("*.py"), *(ROOT / "static").glob("*.*js")]
    lines = (line for module in modules for line in module.read_text("utf-8").splitlines())
    reading = [line.strip() for line in lines if READ.search(line)]
    assert [line for line in reading if not any(part in line for part in NEVER_TRANSLATED)] == []


def test_every_option_of_the_template_has_a_value():
    markup = (ROOT / "index.html").read_text("utf-8")
    assert re.findall(r"<option(?![^>]* value=)[^>]*>", markup) == []

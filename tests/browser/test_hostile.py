"""A few hundred hostile texts through the real page: typed, linked, opened, named, taken along."""

import json
import re
from collections.abc import Iterator, Sequence
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from app.files.tables import pasted_source
from bleu import corpus_bleu, sentence_bleu
from bleu.explanation.phrases import token_text
from tests.browser.conftest import (
    START_MS,
    TIMEOUT_MS,
    Recorder,
    reveal,
)
from tests.support.strategies import HOSTILE

LONG = 10 * TIMEOUT_MS
"""Milliseconds that a text of 10 MB may take: a busy machine needs minutes for it."""

RUN = "window.hacked=1"
SCRIPTS = (
    f"<script>{RUN}</script>",
    f"<img src=x onerror={RUN}>",
    f"<svg onload={RUN}><animate onbegin={RUN} attributeName=x>",
    f"<svg><use href=data:image/svg+xml,<svg/onload={RUN}>>",
    f"</textarea></title></style></script><body onload={RUN}>",
    f"<details open ontoggle={RUN}><input autofocus onfocus={RUN}>",
    f"<iframe srcdoc='<script>parent.{RUN}</script>'>",
    f"<math><mtext><table><mglyph><style><img src=x onerror={RUN}>",
    f"<math href=javascript:{RUN}>x</math><a href=javascript:{RUN}>x</a>",
    f'" onmouseover="{RUN}" x="',
    f"' onfocus='{RUN}' autofocus='",
    f"`onclick={RUN}`",
    f"<base href=//example.org/><link rel=stylesheet href=//example.org/x.css><meta {RUN}>",
    "<img src=//example.org/x.png srcset=//example.org/y.png> <video poster=//example.org/z>",
    "<style>@import url(//example.org/x.css); * {display: none}</style>",
    "<form action=//example.org/><button>go</button></form>",
    "<template shadowrootmode=open><slot></slot></template>",
    f"&lt;script&gt;{RUN}&lt;/script&gt; &#60;b&#62; &amp;lt;",
    f"\\u003cscript\\u003e{RUN} \\x3cb\\x3e %3Cscript%3E{RUN}",
    f"${{{RUN}}} {{{{{RUN}}}}} #{{{RUN}}} <%= {RUN} %> <?php {RUN} ?>",
    f"__import__('js').eval('{RUN}') \"\"\" + f'{{{RUN}}}' # \\N{{BULLET}}",
    f"<!--<img src=x onerror={RUN}>--> <![CDATA[<script>{RUN}</script>]]>",
    f"javascript:{RUN} data:text/html,<script>{RUN}</script>",
)
TYPED = tuple(text for text in (*SCRIPTS, *HOSTILE) if "\ud800" not in text)
"""What can be typed; half a character cannot, and has its own test."""
SOME = TYPED[::6]
ODD = (
    *("x" * 20_000, "猫" * 5_000, "ﷺ" * 500, "𒐫" * 500, "a\u0301" * 3_000, "\u200b" * 5_000),
    *("-" * 3_000, "W" * 3_000 + " " + "i" * 3_000, "‮" * 300, "🏳️‍🌈" * 500, "\u00a0" * 3_000 + "a"),
    *("a\tb\tc" * 500, "\n" * 2_000 + "a", "\0" * 300, "a " * 3_000),
)
HIDDEN = re.compile(
    "[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)

STATE = """() => ({
    hacked: window.hacked ?? null,
    wide: Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)
        - document.documentElement.clientWidth,
    alien: document.querySelectorAll(
        "script, iframe, object, embed, img, video, audio, base, link, meta, style, form, "
        + "template, foreignObject, use, animate, mglyph, maction, semantics").length,
    handlers: [...document.querySelectorAll("*")].filter(
        (node) => node.getAttributeNames().some((name) => name.startsWith("on"))).length,
    links: [...document.querySelectorAll("[href]:not([rel=icon])")]
        .map((node) => node.getAttribute("href"))
        .filter((to) => !/^(#|https:\\/\\/|static\\/|pyscript\\/|pyodide\\/|licenses)/.test(to))
        .filter((to) => !["bleu-calculator.html", "docs/index.html"].includes(to))
        .filter((to) => !/^bleu_calculator-[\\d.]+-py3-none-any\\.whl$/.test(to)),
    text: document.body.innerText,
})"""


class Watch:
    """A page on which nothing of the reader's may run, load, hide or run over the edge."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.dialogs: list[str] = []
        page.on("dialog", self.dialog)
        self.alien = page.evaluate(STATE)["alien"]
        self.cases = 0

    def dialog(self, dialog) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def check(self) -> None:
        """The page is as it should be after one more case."""
        self.cases += 1
        state = self.page.evaluate(STATE)
        assert state["hacked"] is None
        assert state["wide"] <= 0
        assert state["alien"] == self.alien
        assert state["handlers"] == 0
        assert state["links"] == []
        assert not HIDDEN.search(state["text"])
        assert "Traceback" not in state["text"]
        assert "The page itself failed" not in state["text"]
        assert self.dialogs == []


@pytest.fixture
def page(shared_recorder: Recorder) -> Iterator[Page]:
    """The module's page as on a phone, cleared, with the quick panels open."""
    page = shared_recorder.page
    expect(page.locator("html[data-sealed]")).to_have_count(1, timeout=START_MS)
    page.set_viewport_size({"width": 360, "height": 800})
    reveal(page, "#clear").click()
    yield page
    complaints, shared_recorder.complaints = shared_recorder.complaints, []
    assert complaints == []


@pytest.fixture(
    params=[
        pytest.param(SOME, id="some"),
        pytest.param(
            [text for text in TYPED if text not in SOME], id="rest", marks=pytest.mark.slow
        ),
    ]
)
def typed(request: pytest.FixtureRequest) -> Sequence[str]:
    """Some of the hostile texts in every run, and the rest of them in a run of everything."""
    return request.param


@pytest.fixture
def watch(page: Page) -> Iterator[Watch]:
    """Watches over the page; at the end, nothing has run and no dialog was opened."""
    watch = Watch(page)
    yield watch
    assert watch.dialogs == []
    print(watch.cases, "cases")


def expect_library_score(page: Page, **settings: object) -> None:
    """The page shows what the library gives for what is in the boxes."""
    first, *others = (
        box.input_value() for box in page.locator("#hypothesis, #references textarea").all()
    )
    counted = [text for text in others if text.strip()] or [""]
    if not (first.strip() and "".join(counted).strip()):
        expect(page.locator("#result-title")).to_have_text("No score yet")
        return
    value = sentence_bleu(first, counted, **settings).value
    expect(page.locator("#score")).to_have_attribute("data-value", repr(value))
    expect(page.locator("#error")).to_be_empty()


@pytest.mark.slow
def test_typed_texts_are_shown_and_scored(page, watch, typed):
    for name in ("lens", "check-yourself", "what-if"):
        reveal(page, f"#{name} summary").click()
    reveal(page, "#add-reference").click()
    reveal(page, "#max-order").select_option("2")
    for number, text in enumerate(typed):
        other = typed[(number * 7 + 3) % len(typed)]
        reveal(page, "#reference-2").fill(other)
        reveal(page, "#reference-1").fill(f"{text} and {number}")
        reveal(page, "#hypothesis").fill(f"{text} and {other}")
        expect_library_score(page, max_order=2)
        watch.check()
        reveal(page, "#swap").click()
        expect_library_score(page, max_order=2)
        reveal(page, "#compare")
        watch.check()
    expect(page.locator("#what-if-body table.losses")).to_have_count(1)
    for name in ("lens", "check-yourself", "what-if"):
        reveal(page, f"#{name} summary").click()


@pytest.mark.parametrize("width", [360, pytest.param(1280, marks=pytest.mark.slow)])
def test_long_and_odd_texts_stay_in_their_boxes(page, watch, width):
    page.set_viewport_size({"width": width, "height": 800})
    for text in ODD:
        reveal(page, "#reference-1").fill(text)
        reveal(page, "#hypothesis").fill(f"{text} x")
        expect_library_score(page)
        watch.check()


def test_what_stands_in_a_setting_is_refused_in_words(page, watch, typed):
    reveal(page, "#hypothesis").fill("a b c d")
    reveal(page, "#reference-1").fill("a b c d")
    reveal(page, "#more summary").click()
    reveal(page, "#smoothing").select_option("floor")
    for text in (*typed, "1e999999999", "1e-999999999", "9" * 5000, "nan", "1/0", "0x1", "½"):
        for field, word in (("smoothing-value", "ε"), ("weights", "weight")):
            reveal(page, f"#{field}").fill(text)
            expect(page.locator("#error")).to_contain_text(word)
            watch.check()
            reveal(page, f"#{field}").fill("")
            expect(page.locator("#error")).to_be_empty()
    reveal(page, "#more summary").click()


def test_links_are_texts_and_settings_and_nothing_else(page, watch, typed):
    names = ("reference", "convention", "tokenizer", "max-order", "smoothing", "weights", "colour")
    for number, text in enumerate(typed):
        name = names[number % len(names)]
        link = f"hypothesis={quote(text)}+{number}&{name}={quote(text)}"
        page.evaluate("link => { location.hash = link; }", link)
        expect(page.locator("#hypothesis")).to_have_value(re.compile(rf" {number}$"))
        expect_library_score(page)
        watch.check()
        page.evaluate("link => { location.hash = link; }", text)
        watch.check()
    page.evaluate("history.replaceState(null, '', location.pathname)")


def drop(page: Page, slot: str, name: str, content: str) -> None:
    """Drop a file of any name on its place."""
    page.evaluate(
        """([slot, name, text]) => {
            const given = new DataTransfer();
            given.items.add(new File([text], name));
            document.querySelector(`[data-slot="${slot}"]`).dispatchEvent(new DragEvent(
                "drop", {dataTransfer: given, bubbles: true, cancelable: true}));
        }""",
        [slot, name, content],
    )


def close_files(page: Page) -> None:
    """Close every file that is open."""
    closes = page.locator(".opened [data-command^=close]")
    while closes.count():
        closes.first.click()


def run(page: Page) -> None:
    """Score the files, and wait for the outcome."""
    reveal(page, "#corpus-run").click()
    expect(page.locator("#corpus-cancel")).to_be_hidden()
    expect(page.locator("#corpus-error")).to_be_empty()


def test_pasted_lines_are_scored_and_listed(page, watch, typed):
    for start in range(0, len(typed), 4):
        system = "\n".join(typed[start : start + 4])
        references = "\n".join(f"{line} x" for line in pasted_source("", system).lines)
        reveal(page, "#corpus-system").fill(system)
        reveal(page, "#corpus-references").fill(references)
        run(page)
        lines = pasted_source("", page.locator("#corpus-system").input_value()).lines
        others = pasted_source("", page.locator("#corpus-references").input_value()).lines
        value = corpus_bleu(lines, [[line] for line in others], convention="sacrebleu").value
        expect(page.locator("#corpus-score")).to_have_attribute("data-value", repr(value))
        watch.check()
        reveal(page, "#segments-filter").fill(typed[start])
        watch.check()
        reveal(page, "#segments-filter").fill("")
        reveal(page, '[data-command="segment:0"]').click()
        expect(page.locator("#segment-title")).to_contain_text("Segment 1 of ")
        watch.check()
        reveal(page, '[data-command="segment-boxes:0"]').click()
        expect_library_score(page, convention="sacrebleu")
        watch.check()
    for name in ("system", "references"):
        reveal(page, f"#corpus-{name}").fill("")


@pytest.mark.slow
def test_names_of_files(page, watch, typed):
    for number, name in enumerate(typed):
        other = typed[(number * 5 + 1) % len(typed)]
        for slot, shown in (("system", name), ("second", other), ("references", name)):
            drop(page, slot, shown, f"a b {number}\nc d\n")
            item = page.locator(f'[data-slot="{slot}"] .opened li span')
            expect(item).to_have_text(f"{token_text(shown.replace('/', ':'))}: 2 lines") if (
                "/" not in shown
            ) else expect(item).to_contain_text(": 2 lines")
        run(page)
        reveal(page, "#corpus-ngrams summary").click()
        expect(page.locator("#corpus-ngrams-body table")).to_have_count(2)
        watch.check()
        drop(page, "second", name, "\0")
        expect(page.locator("#corpus-error")).to_contain_text("NUL character")
        watch.check()
        drop(page, "second", name, "a\n")
        expect(page.locator('[data-slot="second"] .opened li span')).to_contain_text(": 1 line")
        reveal(page, "#corpus-run").click()
        expect(page.locator("#corpus-error")).to_contain_text(
            "Use files with the same number of lines"
        )
        watch.check()
        close_files(page)


@pytest.mark.slow
def test_names_and_cells_of_columns(page, watch, typed):
    reveal(page, "#table-file summary").click()
    for text in typed:
        row = json.dumps({text: text, f"{text} 2": [text, text]})
        drop(page, "table", "a.jsonl", f"{row}\n{row}\n")
        menu = page.get_by_role("combobox", name=token_text(f"{text} 2"), exact=True)
        expect(menu).to_be_visible()
        watch.check()
        reveal(page, "#column-0").select_option("system")
        menu.select_option("references")
        reveal(page, "#use-columns").click()
        expect(page.locator(".opened li")).to_have_count(3)
        run(page)
        watch.check()
        close_files(page)
    for wrong in ('{"a": ' + "[" * 50_000, '{"a": 1}\n{"b', '{"<b>": {"<i>": 1}}', "<b>", "{}"):
        drop(page, "table", "<b>.jsonl", wrong)
        if "<i>" in wrong:
            expect(page.locator("#columns legend")).to_contain_text("<b>.jsonl")
            reveal(page, "#column-0").select_option("references")
            reveal(page, "#use-columns").click()
        expect(page.locator("#corpus-error")).to_contain_text("<b>.jsonl")
        watch.check()
    reveal(page, "#table-file summary").click()


@pytest.mark.slow
def test_a_thousand_references(page, watch):
    link = "hypothesis=the+cat+is+on+mat" + "".join(
        f"&reference=the+cat+is+on+the+mat+{number}" for number in range(1000)
    )
    page.evaluate("link => { location.hash = link; }", link)
    expect(page.locator("#references textarea")).to_have_count(1000)
    value = sentence_bleu("the cat is on mat", ["the cat is on the mat 1"]).value
    expect(page.locator("#score")).to_have_attribute("data-value", repr(value))
    watch.check()
    page.evaluate("history.replaceState(null, '', location.pathname)")


@pytest.mark.slow
def test_ten_megabytes_without_a_space(page, watch):
    page.set_default_timeout(LONG)
    page.evaluate(
        """() => {
            const text = "x".repeat(10 * 2 ** 20);
            for (const id of ["reference-1", "hypothesis"])
                document.getElementById(id).value = text;
            document.getElementById("hypothesis")
                .dispatchEvent(new InputEvent("input", {bubbles: true}));
        }"""
    )
    reveal(page, "#max-order").select_option("1")
    expect(page.locator("#score")).to_have_attribute("data-value", "1.0", timeout=LONG)
    expect(page.locator("section#tokens")).to_contain_text("10,485,260 more characters")
    watch.check()

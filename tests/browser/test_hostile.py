"""Hostile texts in the page: texts, in links, in files, as names and in exports."""

import json
import re
from collections.abc import Iterator, Sequence
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from app.files.reading import pasted_source
from bleu import corpus_bleu, sentence_bleu
from bleu.explanation.phrases import token_text
from tests.browser.conftest import (
    START_MS,
    TIMEOUT_MS,
    Recorder,
    reveal,
)
from tests.support.strategies import HOSTILE

LONG_MS = 10 * TIMEOUT_MS
"""The time limit for a text of 10 MB, which takes minutes on a busy machine."""

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
"""Texts that can be texts: all but those with a lone surrogate."""
FAST = TYPED[::6]
UNUSUAL = (
    *("x" * 20_000, "猫" * 5_000, "ﷺ" * 500, "𒐫" * 500, "a\u0301" * 3_000, "\u200b" * 5_000),
    *("-" * 3_000, "W" * 3_000 + " " + "i" * 3_000, "‮" * 300, "🏳️‍🌈" * 500, "\u00a0" * 3_000 + "a"),
    *("a\tb\tc" * 500, "\n" * 200 + "a", "\0" * 300, "a " * 3_000),
)
HIDDEN = re.compile(
    "[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)

PAGE_STATE = """() => ({
    hacked: window.hacked ?? null,
    overflow: Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)
        - document.documentElement.clientWidth,
    forbidden: document.querySelectorAll(
        "script, iframe, object, embed, img, video, audio, base, link, meta, style, form, "
        + "template, foreignObject, use, animate, mglyph, maction, semantics").length,
    handlers: [...document.querySelectorAll("*")].filter(
        (node) => node.getAttributeNames().some((name) => name.startsWith("on"))).length,
    links: [...document.querySelectorAll("[href]:not([rel=icon])")]
        .map((node) => node.getAttribute("href"))
        .filter((to) => !/^(#|https:\\/\\/|static\\/|pyscript\\/|pyodide\\/|licenses)/.test(to))
        .filter((to) => !["bleu-calculator.html", "questions/index.html"].includes(to))
        .filter((to) => !/^docs\\/(index|teaching|embed)\\.html$/.test(to))
        .filter((to) => !/^bleu_calculator-[\\d.]+-py3-none-any\\.whl$/.test(to)),
    text: document.body.innerText,
})"""


TYPE_ALL = """(texts) => {
    for (const [id, text] of Object.entries(texts)) {
        const box = document.getElementById(id);
        box.value = text;
        box.dispatchEvent(new InputEvent("input", {bubbles: true}));
    }
}"""
"""Types into several fields at once, so that the page scores fewer times than they are."""


class PageMonitor:
    """A monitor that no text runs a script, adds elements, is hidden or overflows the page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.dialogs: list[str] = []
        page.on("dialog", self.on_dialog)
        self.forbidden = page.evaluate(PAGE_STATE)["forbidden"]
        self.cases = 0

    def on_dialog(self, dialog) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def check(self) -> None:
        """Assert that the page is intact after a case."""
        self.cases += 1
        state = self.page.evaluate(PAGE_STATE)
        assert state["hacked"] is None
        assert state["overflow"] <= 0
        assert state["forbidden"] == self.forbidden
        assert state["handlers"] == 0
        assert state["links"] == []
        assert not HIDDEN.search(state["text"])
        assert "Traceback" not in state["text"]
        assert "The page itself failed" not in state["text"]
        assert self.dialogs == []


@pytest.fixture
def page(shared_recorder: Recorder) -> Iterator[Page]:
    """Yield the module's page with empty boxes at the width of a phone."""
    page = shared_recorder.page
    expect(page.locator("html[data-sealed]")).to_have_count(1, timeout=START_MS)
    page.set_viewport_size({"width": 360, "height": 800})
    reveal(page, "#clear").click()
    yield page
    complaints, shared_recorder.complaints = shared_recorder.complaints, []
    assert complaints == []


@pytest.fixture(
    params=[
        pytest.param(FAST, id="some"),
        pytest.param(
            [text for text in TYPED if text not in FAST], id="rest", marks=pytest.mark.slow
        ),
    ]
)
def texts(request: pytest.FixtureRequest) -> Sequence[str]:
    """Return hostile texts: every sixth in the fast tests, the others in the slow tests."""
    return request.param


@pytest.fixture
def monitor(page: Page) -> Iterator[PageMonitor]:
    """Yield a monitor of the page; at the end, no dialog may have been opened."""
    monitor = PageMonitor(page)
    yield monitor
    assert monitor.dialogs == []
    print(monitor.cases, "cases")


def expect_library_score(page: Page, **settings: object) -> None:
    """Wait until the page shows the library's score of the texts in the boxes."""
    hypothesis, *references = (
        box.input_value() for box in page.locator("#hypothesis, #references textarea").all()
    )
    scored = [text for text in references if text.strip()] or [""]
    if not (hypothesis.strip() and "".join(scored).strip()):
        expect(page.locator("#result-title")).to_have_text("No score yet")
        return
    value = sentence_bleu(hypothesis, scored, **settings).value
    expect(page.locator("#score")).to_have_attribute("data-value", repr(value))
    expect(page.locator("#error")).to_be_empty()


def edit(page: Page, texts: dict[str, str]) -> None:
    """Type into several fields of the form at once, whatever view is shown."""
    if not page.locator("#inputs").is_visible():
        reveal(page, "#hypothesis")
    page.evaluate(TYPE_ALL, texts)


def groups_of(count: int, texts: Sequence[str]) -> list[Sequence[str]]:
    """Return the texts in groups; the last one is filled up with the first texts."""
    return [[*texts, *texts][start : start + count] for start in range(0, len(texts), count)]


@pytest.mark.slow
def test_typed_texts_are_displayed_and_scored(page, monitor, texts):
    for name in ("lens", "check-yourself", "what-if"):
        reveal(page, f"#{name} summary").click()
    reveal(page, "#add-reference").click()
    reveal(page, "#add-reference").click()
    reveal(page, "#max-order").select_option("2")
    for number, (first, second, third) in enumerate(groups_of(3, texts)):
        edit(
            page,
            {
                "hypothesis": f"{first} and {second} and {third}",
                "reference-1": f"{first} and {number}",
                "reference-2": second,
                "reference-3": third,
            },
        )
        expect_library_score(page, max_order=2)
        monitor.check()
        reveal(page, "#swap").click()
        expect_library_score(page, max_order=2)
        reveal(page, "#compare")
        monitor.check()
    expect(page.locator("#what-if-body table.losses")).to_have_count(1)
    for name in ("lens", "check-yourself", "what-if"):
        reveal(page, f"#{name} summary").click()


@pytest.mark.slow
@pytest.mark.layout
def test_long_and_unusual_texts_do_not_overflow(page, monitor):
    for text in UNUSUAL:
        reveal(page, "#reference-1").fill(text)
        reveal(page, "#hypothesis").fill(f"{text} x")
        expect_library_score(page)
        for width in (1280, 360):
            page.set_viewport_size({"width": width, "height": 800})
            monitor.check()


@pytest.mark.slow
def test_text_in_a_setting_is_reported_as_invalid(page, monitor, texts):
    reveal(page, "#hypothesis").fill("a b c d")
    reveal(page, "#reference-1").fill("a b c d")
    reveal(page, "#more summary").click()
    reveal(page, "#smoothing").select_option("floor")
    for text in (*texts, "1e999999999", "1e-999999999", "9" * 5000, "nan", "1/0", "0x1", "½"):
        # Each error differs from the one before, so that it is of this text.
        for field, other, word in (
            ("smoothing-value", "weights", "ε"),
            ("weights", "smoothing-value", "weight"),
        ):
            edit(page, {other: "", field: text})
            expect(page.locator("#error")).to_contain_text(word)
            monitor.check()
    edit(page, {"weights": ""})
    expect(page.locator("#error")).to_be_empty()
    reveal(page, "#more summary").click()


def test_links_set_texts_and_valid_settings_only(page, monitor, texts):
    names = ("reference", "convention", "tokenizer", "max-order", "smoothing", "weights", "colour")
    for number, text in enumerate(texts):
        name = names[number % len(names)]
        link = f"hypothesis={quote(text)}+{number}&{name}={quote(text)}"
        page.evaluate("link => { location.hash = link; }", link)
        expect(page.locator("#hypothesis")).to_have_value(re.compile(rf" {number}$"))
        expect_library_score(page)
        monitor.check()
        page.evaluate("link => { location.hash = link; }", text)
        monitor.check()
    page.evaluate("history.replaceState(null, '', location.pathname)")


def drop(page: Page, slot: str, names: Sequence[str], content: str) -> None:
    """Drop files with any names on a slot, one after the other."""
    page.evaluate(
        """([slot, names, text]) => {
            for (const name of names) {
                const transfer = new DataTransfer();
                transfer.items.add(new File([text], name));
                document.querySelector(`[data-slot="${slot}"]`).dispatchEvent(new DragEvent(
                    "drop", {dataTransfer: transfer, bubbles: true, cancelable: true}));
            }
        }""",
        [slot, names, content],
    )


def close_files(page: Page) -> None:
    """Close all open files."""
    page.evaluate(
        """() => {
            const css = ".opened [data-command^=close]";
            while (document.querySelector(css)) document.querySelector(css).click();
        }"""
    )
    expect(page.locator(".opened li")).to_have_count(0)


def score_corpus(page: Page) -> None:
    """Score the files and wait for the result."""
    reveal(page, "#corpus-run").click()
    expect(page.locator("#corpus-cancel")).to_be_hidden()
    expect(page.locator("#corpus-error")).to_be_empty()


def test_pasted_lines_are_scored_and_listed(page, monitor, texts):
    for group in groups_of(8, texts):
        system = "\n".join(group)
        references = "\n".join(f"{line} x" for line in pasted_source("", system).lines)
        reveal(page, "#corpus-system").fill(system)
        reveal(page, "#corpus-references").fill(references)
        score_corpus(page)
        hypotheses = pasted_source("", page.locator("#corpus-system").input_value()).lines
        lines = pasted_source("", page.locator("#corpus-references").input_value()).lines
        value = corpus_bleu(hypotheses, [[line] for line in lines], convention="sacrebleu").value
        expect(page.locator("#corpus-score")).to_have_attribute("data-value", repr(value))
        monitor.check()
        for text in (group[0], group[4], ""):
            reveal(page, "#segments-filter").fill(text)
            monitor.check()
        reveal(page, '[data-command="segment:0"]').click()
        expect(page.locator("#segment-title")).to_contain_text("Segment 1 of ")
        monitor.check()
        reveal(page, '[data-command="segment-boxes:0"]').click()
        expect_library_score(page, convention="sacrebleu")
        monitor.check()
    for name in ("system", "references"):
        reveal(page, f"#corpus-{name}").fill("")


def drop_and_expect(page: Page, slot: str, names: Sequence[str], content: str) -> None:
    """Drop files with any names on a slot, and wait until they are listed there by their names."""
    items = page.locator(f'[data-slot="{slot}"] .opened li:not(.refused) > span')
    count, line_count = items.count(), content.count("\n")
    lines = f": {line_count} line{'s' if line_count > 1 else ''}"
    drop(page, slot, names, content)
    expect(items).to_have_count(count + len(names))
    for item, name in zip(items.all()[count:], names, strict=True):
        expect(item).to_contain_text(lines)
        if "/" not in name:
            expect(item).to_have_text(f"{token_text(name)}{lines}")


@pytest.mark.slow
def test_hostile_file_names_are_displayed(page, monitor, texts):
    refused = page.locator('[data-slot="system"] .opened li.refused')
    for number, names in enumerate(groups_of(5, texts)):
        for slot in ("system", "references"):
            drop_and_expect(page, slot, names, f"a b {number}\nc d\n")
        score_corpus(page)
        reveal(page, "#corpus-ngrams summary").click()
        expect(page.locator("#corpus-ngrams-body :is(table, .nothing)")).to_have_count(2)
        monitor.check()
        for count, name in enumerate(names, 1):
            drop(page, "system", [name], "\0")
            expect(refused).to_have_count(count)
            expect(refused.last).to_contain_text("NUL character")
            expect(page.locator("#corpus-error")).to_contain_text("NUL character")
            monitor.check()
        drop_and_expect(page, "system", names, "a\n")
        reveal(page, "#corpus-run").click()
        expect(page.locator("#corpus-error")).to_contain_text(
            "Use files with the same number of lines"
        )
        monitor.check()
        close_files(page)


@pytest.mark.slow
def test_hostile_column_names_and_cells_are_displayed(page, monitor, texts):
    reveal(page, "#table-file summary").click()
    for names in groups_of(4, texts):
        row = {text: text for text in names} | {f"{text} 2": [text, text] for text in names}
        # A column of nothing but markup would be refused.
        plain = dict.fromkeys(names, "a") | {f"{text} 2": ["a", "b"] for text in names}
        drop(page, "table", ["a.jsonl"], f"{json.dumps(row)}\n{json.dumps(plain)}\n")
        for text in names:
            menu = page.get_by_role("combobox", name=token_text(f"{text} 2"), exact=True)
            expect(menu).to_be_visible()
        monitor.check()
        for index in range(len(row)):
            reveal(page, f"#column-{index}").select_option(
                "system" if index < len(names) else "references"
            )
        reveal(page, "#use-columns").click()
        expect(page.locator(".opened li:not(.refused)")).to_have_count(3 * len(names))
        score_corpus(page)
        monitor.check()
        close_files(page)
    for invalid in ('{"a": ' + "[" * 50_000, '{"a": 1}\n{"b', '{"<b>": {"<i>": 1}}', "<b>", "{}"):
        drop(page, "table", ["<b>.jsonl"], invalid)
        if "<i>" in invalid:
            expect(page.locator("#columns legend")).to_contain_text("<b>.jsonl")
            reveal(page, "#column-0").select_option("references")
            reveal(page, "#use-columns").click()
        expect(page.locator("#corpus-error")).to_contain_text("<b>.jsonl")
        monitor.check()
    reveal(page, "#table-file summary").click()


@pytest.mark.slow
def test_thousand_references_are_scored(page, monitor):
    link = "hypothesis=the+cat+is+on+mat" + "".join(
        f"&reference=the+cat+is+on+the+mat+{number}" for number in range(1000)
    )
    page.evaluate("link => { location.hash = link; }", link)
    expect(page.locator("#references textarea")).to_have_count(1000)
    value = sentence_bleu("the cat is on mat", ["the cat is on the mat 1"]).value
    expect(page.locator("#score")).to_have_attribute("data-value", repr(value))
    monitor.check()
    page.evaluate("history.replaceState(null, '', location.pathname)")


@pytest.mark.slow
def test_ten_megabytes_without_a_space_are_scored(page, monitor):
    page.set_default_timeout(LONG_MS)
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
    expect(page.locator("#score")).to_have_attribute("data-value", "1.0", timeout=LONG_MS)
    expect(page.locator("section#tokens")).to_contain_text("10,485,260 more characters")
    monitor.check()

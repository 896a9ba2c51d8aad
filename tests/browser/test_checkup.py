"""The check-up in the view Files: findings, remedies, undo, and files that are not plain text."""

import json
import re
import unicodedata

import pytest
from playwright.sync_api import Page, expect

from bleu import check_corpus, corpus_bleu
from tests.browser.conftest import Recorder, reveal
from tests.browser.test_access import violations

NAMES = ["Ann", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana"]
REFERENCES = [
    f"{name} didn't say “no” to the café number {number} in town"
    for number, name in enumerate(NAMES * 4)
]


def with_faults(number: int, line: str) -> str:
    """Return a line with a fault that depends on its number."""
    line = line.replace("say", "tell") if number % 5 == 4 else line
    match number % 4:
        case 0:
            return line.replace("'", "&#39;")
        case 1:
            return unicodedata.normalize("NFD", line)
        case 2:
            return f"{line} </s>"
    return line.replace("“", '"').replace("”", '"')


HYPOTHESES = [with_faults(number, line) for number, line in enumerate(REFERENCES)]
ROWS = [[line] for line in REFERENCES]


@pytest.fixture
def page(shared_recorder: Recorder):
    """Return the module's page with the texts in the boxes of the view Files."""
    page = shared_recorder.page
    fill(page, HYPOTHESES, REFERENCES)
    reveal(page, "#corpus-test").select_option("none")
    yield page
    complaints, shared_recorder.complaints = shared_recorder.complaints, []
    assert complaints == []


def fill(page: Page, hypotheses: list[str], references: list[str]) -> None:
    """Paste lines into the boxes of the system and of the references."""
    reveal(page, "#corpus-system").fill("\n".join(hypotheses))
    reveal(page, "#corpus-references").fill("\n".join(references))


def check(page: Page) -> None:
    """Score, and wait for the check-up."""
    reveal(page, "#corpus-run").click()
    wait(page)


def wait(page: Page) -> None:
    """Wait until the page has scored and checked the texts."""
    expect(page.locator("#corpus-cancel")).to_be_hidden()
    expect(page.locator("#check-up-status")).to_have_text(re.compile("found|small"))


def corpus_score(page: Page) -> float:
    """Return the corpus score on the page."""
    return float(page.locator("#corpus-score").get_attribute("data-value"))


def test_findings_are_those_of_the_library_and_remedies_can_be_undone(page):
    check(page)
    findings = check_corpus(HYPOTHESES, ROWS, convention="sacrebleu")
    rows = page.locator(".faults > li")
    expect(rows).to_have_count(len(findings))
    names = [finding.name for finding in findings]
    assert {"escapes", "normalization", "special-tokens", "punctuation"} <= set(names)
    for finding, row in zip(findings, rows.all(), strict=True):
        if finding.cost is not None:
            expect(row.locator("b")).to_have_text(f"{100 * finding.cost:.1f}")
            expect(row.locator(".cost")).to_contain_text("costs")
        expect(row.locator(".quoted li")).to_have_count(len(finding.examples))
        expect(row.locator("button")).to_contain_text(finding.label)
    expect(page.locator("#check-up-status")).to_have_attribute("role", "status")
    assert violations(page) == []
    before = corpus_score(page)

    page.locator('[data-command="remedy:repair:escapes"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator("#check-up-title")).to_be_focused()
    expect(page.locator("#corpus-result")).to_contain_text("Repaired before scoring: escapes of")
    wait(page)
    expect(page.locator('[data-command="remedy:repair:escapes"]')).to_have_count(0)
    repaired = [line.replace("&#39;", "'") for line in HYPOTHESES]
    assert corpus_score(page) == corpus_bleu(repaired, ROWS, convention="sacrebleu").value > before
    expect(page.locator("#corpus-undo")).to_have_attribute(
        "aria-label", "Undo: Resolve the escapes"
    )
    expect(page.locator("#corpus-stale")).to_be_hidden()

    with page.expect_download() as download:
        reveal(page, "#corpus-as").select_option("json")
        reveal(page, "#corpus-download").click()
    data = json.loads(download.value.path().read_text("utf-8"))
    assert data["repairs"] == ["escapes"]
    assert {finding["name"] for finding in data["findings"]} == set(names) - {"escapes"}

    page.locator("#check-up-title").focus()
    page.keyboard.press("Control+z")
    expect(page.locator("#corpus-result")).not_to_contain_text("Repaired before")
    wait(page)
    assert corpus_score(page) == before
    expect(page.locator("#corpus-undo")).to_be_hidden()
    page.keyboard.press("Control+y")
    expect(page.locator("#corpus-result")).to_contain_text("Repaired before scoring: escapes of")
    wait(page)
    reveal(page, "#corpus-system").press_sequentially("x")
    expect(page.locator("#corpus-stale")).to_be_visible()
    expect(page.locator("#corpus-undo")).to_be_hidden()  # Repairs belong to the former files.


@pytest.mark.slow
def test_small_faults_are_one_line_that_unfolds(page):
    filler = [" ".join(f"{name}{number}" for name in NAMES) for number in range(400)]
    output = [line.replace("Dan20", "Dane20") for line in filler]
    fill(page, [*output, "say “no”"], [*filler, 'say "no"'])
    check(page)
    line, toggle = page.locator("#check-up-status"), page.locator("#check-up-toggle")
    expect(line).to_have_text(re.compile(r"^1 small fault, of 0\.\d\d points\.$"))
    expect(page.locator("#check-up-body")).to_be_hidden()
    expect(toggle).to_have_attribute("aria-expanded", "false")
    toggle.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".faults > li")).to_be_visible()
    expect(toggle).to_have_accessible_name("Hide the findings")
    expect(toggle).to_be_focused()
    assert violations(page) == []
    check(page)  # What was opened stays open.
    expect(page.locator(".faults > li")).to_be_visible()
    toggle.click()
    expect(page.locator(".faults > li")).to_be_hidden()
    fill(page, HYPOTHESES, REFERENCES)
    check(page)
    expect(page.locator(".faults > li").first).to_be_visible()


def test_texts_that_do_not_fit_are_checked_and_aligned(page):
    words = [f"{name}{letter}" for name in NAMES for letter in "abcd"]
    lines = [" ".join(words[number : number + 6]) for number in range(26)]
    fill(page, lines[:5] + lines[6:], lines)
    reveal(page, "#corpus-run").click()
    expect(page.locator("#corpus-error")).to_contain_text("25 lines")
    button = page.locator('[data-command="remedy:repair:length-mismatch"]')
    expect(page.locator(".faults > li").first).to_contain_text("drift apart at line 6")
    button.click()
    expect(page.locator("#corpus-error")).to_be_empty()
    expect(page.locator("#corpus-result")).to_contain_text("Repaired before scoring: different")


def test_files_that_are_no_plain_text_are_scored_only_by_choice(page):
    lines = [json.dumps({"text": line}) for line in REFERENCES]
    fill(page, lines, [line.replace("didn't", "did not") for line in lines])
    page.evaluate("document.getElementById('corpus-outcome').hidden = true")
    reveal(page, "#corpus-run").click()
    expect(page.locator("#corpus-error")).to_contain_text("not scored")
    button = page.get_by_role("button", name="Score as text anyway").first
    expect(button).to_be_visible()
    expect(page.locator("#corpus-outcome")).to_be_hidden()
    button.click()
    expect(page.locator("#corpus-outcome")).to_be_visible()
    expect(page.locator("#corpus-error")).to_be_empty()
    expect(page.locator("#check-up-body")).to_contain_text("JSON read as text")


def test_remedies_apply_to_the_form_if_the_files_are_scored_like_it(page):
    lines = [f"今天天气很好我们去公园散步吧{number}号" for number in range(12)]
    fill(page, [f"{line}了" for line in lines], lines)
    reveal(page, "#corpus-convention").select_option("boxes")
    check(page)
    page.locator(".faults").get_by_role("button", name="Use tokenizer").click()
    wait(page)
    tokenizer = page.locator("#corpus-tokenizer").input_value()
    assert tokenizer != "whitespace"
    expect(page.locator("#tokenizer")).to_have_value(tokenizer)
    references = [[line] for line in lines]
    hypotheses = [f"{line}了" for line in lines]
    assert corpus_score(page) == corpus_bleu(hypotheses, references, tokenizer=tokenizer).value
    reveal(page, "#corpus-undo").click()
    wait(page)
    expect(page.locator("#tokenizer")).to_have_value("whitespace")
    expect(page.locator("#corpus-tokenizer")).to_have_value("whitespace")
    reveal(page, "#corpus-convention").select_option("sacrebleu")


def test_clean_texts_have_one_line(page):
    clean = [line.replace("town", "the town") for line in REFERENCES]
    fill(page, clean, REFERENCES)
    check(page)
    expect(page.locator("#check-up-status")).to_have_text("No faults found in 32 segments.")
    expect(page.locator("#check-up-body")).to_be_empty()

"""The check-up of the view Files: findings of all systems, repairs, markup and exports."""

import csv
import io
import json
import re
from dataclasses import replace

import pytest

from app.files.checkup_html import (
    MIN_BAR,
    check_up_html,
    finding_text,
    needs_attention,
    points_text,
    status_text,
)
from app.files.reading import TextSource
from app.files.result_html import CORPUS_FORMATS, result_html
from app.files.scoring import BoxError, check_and_score, check_texts, iter_check_up
from app.state.file_settings import FileChoices, apply_remedy
from app.state.inputs import History
from bleu import corpus_bleu
from bleu.analysis.evaluation import SystemFinding
from bleu.checkup.finding import FaultyLine, Finding
from bleu.core.conventions import convention_settings
from bleu.core.progress import run_to_end
from tests.render.test_render import parse_xml
from tests.support.plain_markup import plain, raises_plain

SETTINGS = convention_settings("sacrebleu")
LINES = [f"the cat sat on the mat number {n} & it's fine" for n in range(8)]
ESCAPED = [line.replace("'", "&#39;") for line in LINES]
HOSTILE = "\u202e<b>&amp;</b>\"'…"


def sources(*texts):
    """Return sources named by letters."""
    return [TextSource(name, lines) for name, lines in zip("ABCDEF", texts, strict=False)]


def finding(name="escapes", **values):
    """Return a finding with all its parts."""
    values = {"message": "2 lines have it.", "score": 0.364, "score_without": 0.487} | values
    return Finding(action=f"repair:{name}", name=name, **values)


def test_a_fault_of_the_references_is_one_finding():
    systems = sources(LINES, ["a dog", *LINES[1:]], ESCAPED)
    check_up = run_to_end(iter_check_up(systems, [TextSource("r", ESCAPED)], SETTINGS))
    items = {item.finding.side: item for item in check_up if item.finding.name == "escapes"}
    assert items["references"].systems == (0, 1)
    alone = run_to_end(iter_check_up(systems[:1], [TextSource("r", ESCAPED)], SETTINGS))
    [of_first] = [item for item in alone if item.finding.name == "escapes"]
    assert items["references"].cost == of_first.cost > 0  # The first system suffers more.
    costs = [item.finding.cost for item in check_up]
    known = [cost for cost in costs if cost is not None]
    assert costs == [None] * (len(costs) - len(known)) + sorted(known, reverse=True)


def test_line_ends_of_old_macs_are_split():
    joined, split = sources(["\r".join(LINES)]), sources(LINES)
    for systems, references in ((joined, split), (split, joined), (joined, joined)):
        texts = check_texts(systems, references, ["line-ends"])
        assert (texts.hypotheses, texts.references) == (LINES, [[line] for line in LINES])


def test_outputs_equal_to_their_sources_are_found():
    systems, references = sources(LINES), [TextSource("r", [f"{line} ok" for line in ESCAPED])]
    texts = list(LINES)
    with_sources = run_to_end(iter_check_up(systems, references, SETTINGS, texts))
    assert "other-language" in {item.finding.name for item in with_sources}
    for unfit in ((), [*texts, "one more"]):
        check_up = run_to_end(iter_check_up(systems, references, SETTINGS, unfit))
        assert "other-language" not in {item.finding.name for item in check_up}


def test_findings_cost_what_a_repair_of_all_texts_gains():
    systems, references = sources(ESCAPED), [TextSource("r", LINES)]
    [item] = run_to_end(iter_check_up(systems, references, SETTINGS))
    rows = [[line] for line in LINES]
    repaired = check_texts(systems, references, ["escapes"])
    assert (repaired.hypotheses, repaired.references) == (LINES, rows)
    assert item.finding.score == corpus_bleu(ESCAPED, rows, SETTINGS).value
    assert item.finding.score_without == corpus_bleu(LINES, rows, SETTINGS).value == 1


def test_repairs_keep_references_missing():
    some = TextSource("s", ["", "&gt;"], missing=frozenset([0]))
    references = [some, TextSource("r", ["&lt;", "b"])]
    texts = check_texts(sources(["a", "b"]), references, ["escapes"])
    assert texts.references == [["<"], [">", "b"]]
    with raises_plain(BoxError, match="A and s have 1 line and r has 2 lines"):
        check_texts(sources(["a"]), [*references[1:], TextSource("s", ["&gt;"])], ["escapes"])


@pytest.mark.parametrize(
    ("systems", "references", "settings", "name", "of"),
    [
        ([LINES], [LINES[1:] + LINES[:1], LINES], SETTINGS, "identical", (0,)),
        ([LINES, LINES[::-1], LINES], [ESCAPED], SETTINGS, "identical", (0,)),
        ([["It is so ."] * 20], [["It was so."] * 20], SETTINGS, "tokenized", (0,)),
        ([["今天天气很好。"] * 20], [["今天天气不好。"] * 20], SETTINGS, "script", (0,)),
    ],
)
def test_faults_have_the_systems_that_have_them(systems, references, settings, name, of):
    check_up = run_to_end(iter_check_up(sources(*systems), sources(*references), settings))
    assert (name, of) in {(item.finding.name, item.systems) for item in check_up}


def test_the_first_segments_of_large_files_are_checked(monkeypatch):
    monkeypatch.setattr("app.files.scoring.MAX_CHECKED_SEGMENTS", 4)
    arguments = (["A"], 0, SETTINGS, "none", "sacrebleu")
    outcome = run_to_end(check_and_score(sources(ESCAPED), sources(LINES), *arguments))
    [item] = run_to_end(outcome.check())
    assert (item.finding.segments, item.finding.is_sampled) == (4, True)
    assert "first 20,000 segments" in check_up_html([item], ["A"])
    assert status_text((), 20_001) == "No faults found in the first 20,000 of 20,001 segments."


def test_byte_order_mark_of_one_side_is_a_finding():
    line = "«a b» c d e f"
    systems = [TextSource("a", [line] * 3, has_bom=True)]
    [item] = run_to_end(iter_check_up(systems, sources([line.replace("f", "g")] * 3), SETTINGS))
    assert (item.finding.name, item.finding.side) == ("bom", "hypotheses")


def test_repairs_are_named_in_the_result_and_in_every_export():
    arguments = (["A"], 0, SETTINGS, "none", "sacrebleu", (), ("escapes", "punctuation"))
    outcome = run_to_end(check_and_score(sources(ESCAPED), sources(LINES), *arguments))
    assert outcome.report.systems[0].score.value == 1
    sentence = "epaired before scoring: escapes of HTML, XML or Moses and forms of quotes"
    assert sentence in result_html(outcome, 0)
    item = SystemFinding(finding(), (0,))
    checked = replace(outcome, evaluation=replace(outcome.evaluation, findings=(item,)))
    exported = CORPUS_FORMATS["markdown"].render(checked)
    assert sentence in exported
    assert "Check-up: 1 fault found; it costs 12.3 points." in exported
    assert "Costs 12.3 points: 2 lines have it." in exported
    for name in ("table-markdown", "sentence", "latex-rows"):
        assert sentence in CORPUS_FORMATS[name].render(checked)
    data = json.loads(CORPUS_FORMATS["json"].render(checked))
    assert data["repairs"] == ["escapes", "punctuation"]
    assert (data["findings"][0]["name"], data["findings"][0]["systems"]) == ("escapes", ["A"])
    assert json.loads(CORPUS_FORMATS["json"].render(outcome))["findings"] is None
    rows = list(csv.DictReader(io.StringIO(CORPUS_FORMATS["csv"].render(outcome))))
    assert {row["repaired"] for row in rows} == {"escapes and punctuation"}
    [first, *_] = CORPUS_FORMATS["jsonl"].render(outcome).splitlines()
    assert json.loads(first)["repairs"] == ["escapes", "punctuation"]


@pytest.mark.parametrize(
    ("name", "lines"),
    [("json", [json.dumps({"mt": line}) for line in LINES]), ("line-ends", ["\r".join(LINES)])],
)
def test_files_scored_as_text_have_a_finding(name, lines):
    arguments = (["A"], 0, SETTINGS, "none", "sacrebleu")
    references = sources(LINES[: len(lines)])
    outcome = run_to_end(check_and_score(sources(lines), references, *arguments))
    assert [item.finding.name for item in run_to_end(outcome.check())] == [name]


def test_status_is_one_line():
    assert status_text((), 3003) == "No faults found in 3,003 segments."
    free = SystemFinding(finding(score_without=None), (0,))
    assert status_text((free,), 3) == "1 fault found."
    helpful = SystemFinding(finding(score_without=0.1), (0,))
    assert status_text((helpful,), 3) == "1 fault found."
    costly = SystemFinding(finding(), (0,))
    assert status_text((free, costly), 3) == "2 faults found; the largest costs 12.3 points."
    small = SystemFinding(finding(score_without=0.3646), (0,))
    tiny = SystemFinding(finding(score_without=0.3639), (0,))
    assert status_text((small, tiny), 3) == "2 small faults, at most 0.06 points."
    assert status_text((small, free), 3) == "2 faults found; the largest costs 0.06 points."
    assert check_up_html((), ["A"]) == ""
    assert "quoted" not in check_up_html((costly,), ["A"])


@pytest.mark.parametrize(
    ("item", "is_shown"),
    [
        (finding(), True),
        (finding(score_without=0.369), True),
        (finding(score_without=0.3689), False),
        (finding(score_without=0.1), False),
        (finding("empty", score_without=None), False),
        *((finding(name, score_without=None), True) for name in ("misaligned", "shuffled", "json")),
    ],
)
def test_findings_open_by_themselves_if_they_cost_much_or_shift_lines(item, is_shown):
    small = SystemFinding(finding(score_without=0.3641), (0,))
    assert needs_attention((small, SystemFinding(item, (0,)))) == is_shown
    assert not needs_attention(())


@pytest.mark.parametrize(
    ("score", "score_without", "effect", "points"),
    [
        (0.364, 0.487, "costs", "12.3"),
        (0.5, 0.4, "flatters by", "10.0"),
        (0.5, 0.5026, "costs", "0.26"),
        (0.5, 0.5, "costs", "0.00"),
        (0.0, 1.0, "costs", "100.0"),
    ],
)
def test_costs_are_points_with_a_verb(score, score_without, effect, points):
    costly = finding(score=score, score_without=score_without)
    markup = check_up_html([SystemFinding(costly, (0,))], ["A"])
    markup = plain(markup)
    assert f"<span>{effect}</span> <b>{points}</b>" in markup
    assert f"<span>{100 * score:.2f} → {100 * score_without:.2f}</span>" in markup
    assert finding_text(costly) == f"{effect.capitalize()} {points} points: 2 lines have it."
    assert ('class="surplus"' in markup) == (score_without < score)
    sampled = finding_text(replace(costly, is_sampled=True))
    assert sampled.startswith(f"{effect.capitalize()} ≈ {points} points")


def test_bars_are_as_long_as_their_costs_and_different_scores_look_different():
    ends = 0.38104, 0.4, 0.371, 0.38105, 0.3810401
    findings = [finding(score=0.381, score_without=end) for end in ends]
    markup = check_up_html([SystemFinding(each, (0,)) for each in findings], ["A"])
    widths = [float(width) for width in re.findall(r' width="([\d.]+)"', markup)]
    assert widths == [MIN_BAR, 100, pytest.approx(52.6), MIN_BAR, MIN_BAR]
    for text in ("38.100 → 38.104", "38.10 → 40.00", "38.10 → 37.10", "38.100 → 38.105"):
        assert f"<span>{text}</span>" in plain(markup)


@pytest.mark.parametrize(("share", "text"), [(0.00994, "0.99"), (0.00996, "1.0"), (1, "100.0")])
def test_few_points_have_two_decimals(share, text):
    assert points_text(share) == text


@pytest.mark.parametrize("place", ["", " in line 7"])
def test_lines_are_quoted_once(place):
    texts = {"message": f"A line: “abc”{place}. More.", "claim": "A line.", "remark": "More."}
    costly = finding(**texts, examples=(FaultyLine(7, "abc"),))
    markup = check_up_html([SystemFinding(costly, (0,))], ["A"])
    assert "<strong>A line.</strong>" in markup
    assert markup.count("abc") == 1


def test_markup_is_escaped_and_buttons_name_the_fault():
    costly = finding(
        message=f"2 lines: “{HOSTILE}” in line 7. More <b>.",
        claim=f"2 {HOSTILE} lines.",
        remark="More <b>.",
        examples=(FaultyLine(7, HOSTILE), FaultyLine(1234, "a⟨U+200F⟩b", ((1, 9),))),
    )
    container = Finding("Most lines are JSON.", name="json")
    items = [SystemFinding(container, (0,)), SystemFinding(costly, (0, 1))]
    tree = parse_xml(check_up_html(items, [HOSTILE, "B"]))
    assert {node.tag for node in tree.iter()} >= {"mark", "button", "rect"}
    assert not any(node.tag == "b" and node.text and "amp" in node.text for node in tree.iter())
    assert "\u202e" not in "".join(tree.itertext())
    buttons = {node.get("data-command"): "".join(node.itertext()) for node in tree.iter("button")}
    assert buttons == {
        "remedy:as-text": "Score as text anyway: JSON read as text",
        "remedy:repair:escapes": "Resolve the escapes: escapes of HTML, XML or Moses",
    }
    details = [node.text for node in tree.iter("p") if node.get("class") == "detail"]
    assert details == ["More <b>."]
    assert "Line 1,234" in "".join(tree.itertext())
    assert "of" in {node.get("class") for node in tree.iter("p")}


@pytest.mark.parametrize(
    ("text", "repaired", "marked"),
    [
        ("it&#39;s", "it's", "it<mark>&amp;#39;</mark>s"),
        ("a “b”", 'a "b"', "a <mark>“</mark>b<mark>”</mark>"),
        ("a\u200bb", "ab", "a<mark>⟨U+200B⟩</mark>b"),
        ("a\u200bb", None, "a<mark>⟨U+200B⟩</mark>b"),
        ("a </s>", "a", "a<mark> &lt;/s&gt;</mark>"),
        ("Sure: a b", "a b", "<mark>Sure: </mark>a b"),
        ("a b" * 9 + "x…y" + "a b" * 30, "a b" * 9 + "x...y" + "a b" * 30, "bx<mark>…</mark>ya"),
    ],
)
def test_characters_that_differ_are_marked(text, repaired, marked):
    examples = (FaultyLine.of_text(1, text, repaired),)
    assert marked in check_up_html([SystemFinding(finding(examples=examples), (0,))], ["A"])


def test_quotations_have_their_own_direction():
    markup = check_up_html([SystemFinding(Finding("It is JSON: “3 חתולים!”."), (0,))], ["A"])
    assert '“<bdi dir="rtl" lang="he" translate="no">3 חתולים!</bdi>”.' in markup


def test_empty_lines_are_listed_by_number():
    empty = Finding(
        "3 are empty.", name="empty", examples=tuple(FaultyLine(n, "") for n in (1, 2, 3))
    )
    assert "Lines 1, 2 and 3</p>" in check_up_html([SystemFinding(empty, (0,))], ["A"])


def test_remedies_are_undone_and_redone():
    history, first = History[FileChoices](), FileChoices()
    second = apply_remedy(first, "repair:escapes")
    third = apply_remedy(apply_remedy(second, "lowercase"), "as-text")
    history.add("a", first, second)
    history.add("b", second, third)
    assert (third.repairs, third.settings.lowercase, third.as_text) == (("escapes",), True, True)
    assert (history.undo(third), history.undo(second), history.redo(first)) == (
        second,
        first,
        second,
    )
    with pytest.raises(ValueError, match="action is 'swap'; choose repair"):
        apply_remedy(first, "swap")

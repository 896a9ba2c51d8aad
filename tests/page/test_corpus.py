"""A corpus on the page: the outcome is the library's, piece by piece, and the table is right."""

import csv
import io
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.page.corpus import TESTS, Progress, Texts, checked, gains, score
from app.page.corpus_html import (
    CORPUS_FORMS,
    PAGE,
    Listing,
    derivation,
    histogram,
    ngram_gains,
    order,
    paged,
    result,
    segments,
    sorted_by,
)
from app.page.uploads import Source
from bleu import Settings, corpus_bleu, paired_bootstrap, segment_statistics, sentence_bleu
from bleu.corpus.corpus import summed
from bleu.corpus.text_files import FileError
from bleu.document.expressions import Equation
from bleu.explanation.corpus import explain_corpus
from tests.render.test_render import parsed
from tests.support.strategies import WORDS, ended

line = st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join)
rows = st.lists(st.tuples(line, line, line), max_size=8)
SETTINGS = Settings(max_order=2, smoothing="exp")


def texts_of(rows, systems=2):
    """Texts from rows of (baseline, system, reference)."""
    columns = list(zip(*rows, strict=True)) or [(), (), ()]
    sources = tuple(
        Source(f"{name}.txt", lines) for name, lines in zip("abr", columns, strict=True)
    )
    return Texts(sources[2 - systems : 2], sources[2:])


def outcome_of(rows, systems=2, test="none", settings=SETTINGS):
    """The outcome of rows of texts."""
    return ended(score(texts_of(rows, systems), settings, test))


@given(rows)
def test_the_outcome_is_what_the_library_says(rows):
    outcome = outcome_of(rows)
    for place, corpus in enumerate(outcome.corpora):
        hypotheses = [row[place] for row in rows]
        references = [[row[2]] for row in rows]
        choices = {"max_order": 2, "smoothing": "exp"}
        assert corpus.score == corpus_bleu(hypotheses, references, **choices)
        singles = [
            sentence_bleu(text, own, **choices).value
            for text, own in zip(hypotheses, references, strict=True)
        ]
        assert list(corpus.scores) == singles
        assert corpus.mean == pytest.approx(sum(singles) / max(1, len(singles)))


def test_any_reference_that_is_a_system_is_noticed():
    texts = Texts((Source("a", ["x"]),), (Source("r1", ["y"]), Source("r2", ["x"])))
    said = "a and r2 are the same text: is one in a wrong place?"
    assert ended(score(texts, SETTINGS)).report.caution == said


@pytest.mark.parametrize(("page", "off"), [(0, ["first", "back"]), (1, []), (2, ["on", "last"])])
def test_there_is_no_page_before_the_first_and_none_after_the_last(page, off):
    outcome = outcome_of([("a", "a", "a")] * (2 * PAGE + 1))
    listing = Listing(page=page)
    shown = segments(outcome, listing, order(outcome, listing))
    assert re.findall(r'data-command="page:(\w+)" disabled', shown) == off


@given(rows)
def test_every_equation_of_a_corpus_holds(rows):
    for corpus in outcome_of(rows).corpora:
        for step in explain_corpus(corpus).steps:
            for block in step.blocks:
                if isinstance(block, Equation):
                    assert block.holds


def test_progress_counts_every_segment_of_every_stage():
    rows = [("a b", "a c", "a b")] * 3
    heard = list(score(texts_of(rows), SETTINGS, "bootstrap"))
    assert heard[:3] == [Progress("scoring a.txt", n, 3) for n in (1, 2, 3)]
    assert heard[6] == Progress("paired bootstrap", 0, 1000)
    assert [each.done for each in heard[6:] if each.done] == list(range(1, 1001))
    assert heard[-1] == Progress("paired bootstrap", 1000, 1000)


def test_chance_is_asked_as_the_library_does():
    rows = [(f"a b {n}", f"a {n} b", "a b c") for n in range(20)]
    report = outcome_of(rows, test="bootstrap").report
    counted = [
        [segment_statistics(row[k], [row[2]], max_order=2, smoothing="exp") for row in rows]
        for k in (0, 1)
    ]
    expected = paired_bootstrap(*counted, SETTINGS)
    assert report.test is not None
    assert report.test.results == (expected,)
    assert report.systems[1].comparison.interval == expected.difference_interval
    assert "Only 20" in (report.caution or "") or "only 20" in (report.caution or "")
    for test in TESTS:
        assert (outcome_of(rows, test=test).report.test is None) == (test in {"none", "interval"})
    for test in ("interval", "bootstrap"):
        interval = outcome_of(rows, 1, test).report.systems[0].interval
        assert interval == expected.intervals[1]
    for test in set(TESTS) - {"none"}:
        baseline, system = outcome_of(rows, test=test).report.systems
        assert (baseline.interval, system.interval) == expected.intervals
        assert system.comparison.interval == expected.difference_interval


@pytest.mark.parametrize(
    ("systems", "references", "reason"),
    [
        ([None, None], [Source("r", ["a"])], "There is no system output yet"),
        ([Source("s", ["a"])], [], "There is no reference yet"),
        ([Source("s", ["a"])], [Source("r", [])], "s has 1 line and r has 0 lines"),
        ([None, Source("s", ["a"])], [Source("r", ["a"]), Source("q", ["a", "b"])], "q has 2 lin"),
    ],
)
def test_texts_that_do_not_fit_are_refused_by_name(systems, references, reason):
    with pytest.raises(FileError, match=reason):
        checked(systems, references)


def test_the_same_text_twice_is_said():
    rows = [("a b", "a c", "a c"), ("d", "e", "e")]
    caution = outcome_of(rows).report.caution
    assert caution == "b.txt and r.txt are the same text: is one in a wrong place?"
    assert outcome_of([*rows, ("a", "a", "b")]).report.caution is None


def test_an_interval_is_shown_beside_its_half_width():
    outcome = outcome_of([(f"a b {n}", f"a {n} b", "a b c") for n in range(20)], 1, "interval")
    interval = outcome.report.systems[0].interval
    shown = f"{interval.mean * 100:.2f} ± {interval.half_width * 100:.2f}"
    assert shown in CORPUS_FORMS["text"].render(outcome)


def test_a_test_that_cannot_be_made_is_refused():
    with pytest.raises(ValueError, match="approximate randomization test compares two"):
        ended(score(texts_of([("a", "b", "c")], 1), SETTINGS, "randomization"))
    with pytest.raises(ValueError, match="test is 'luck'; choose one of: none, interval"):
        ended(score(texts_of([("a", "b", "c")]), SETTINGS, "luck"))


@given(rows, st.sampled_from(["segment", "score", "baseline", "difference", "c", "r", "missing"]))
def test_sorting_is_complete_and_stable(rows, sort):
    outcome = outcome_of(rows)
    up = order(outcome, Listing(sort))
    assert sorted(up) == list(range(len(rows)))
    values = {
        "segment": list(range(len(rows))),
        "score": list(outcome.corpora[1].scores),
        "missing": outcome.corpora[1].missing,
    }.get(sort)
    if values is not None:
        assert [values[n] for n in up] == sorted(values)
        down = order(outcome, Listing(sort, descending=True))
        assert [values[n] for n in down] == sorted(values, reverse=True)


def test_what_cannot_be_sorted_by_is_refused():
    with pytest.raises(ValueError, match="sort is 'luck'; choose one of: segment, score"):
        order(outcome_of([]), Listing("luck"))


def test_filtering_looks_into_every_text_and_folds_case():
    outcome = outcome_of([("a", "B c", "d"), ("e", "f", "b"), ("g", "h", "i")])
    assert order(outcome, Listing(words=" b ")) == [0, 1]


def test_paging_goes_where_it_should_and_no_further():
    outcome = outcome_of([("a", "a", "a")] * (2 * PAGE + 1), settings=Settings(max_order=1))
    numbers = order(outcome, Listing())
    last = paged(Listing(), "last", numbers)
    assert last.page == 2
    assert paged(last, "on", numbers).page == 2
    assert paged(paged(last, "back", numbers), "first", numbers).page == 0
    assert paged(Listing(), "back", numbers).page == 0
    assert f"Segments {2 * PAGE + 1} to {2 * PAGE + 1} of {2 * PAGE + 1}" in segments(
        outcome, last, numbers
    )
    assert segments(outcome, last, numbers).count("segment:") == 1
    assert "Segments 0 to 0 of 0" in segments(outcome, Listing(words="zzz"), [])


def test_sorting_twice_turns_round():
    once = sorted_by(Listing(page=3), "score")
    assert (once.sort, once.descending, once.page) == ("score", False, 0)
    assert sorted_by(once, "score").descending
    assert not sorted_by(sorted_by(once, "score"), "c").descending


HOSTILE = "<script>alert(1)</script> \u202e =1+1 \ud800 & <b>"


def test_everything_shown_is_well_formed_and_nothing_is_interpreted():
    outcome = outcome_of([(HOSTILE, HOSTILE, HOSTILE), ("", "", "")])
    for markup in (
        result(outcome),
        derivation(outcome),
        segments(outcome, Listing(), [0, 1]),
        ngram_gains(ended(gains(outcome.texts, SETTINGS)), ("<a>", "<b>")),
    ):
        tree = parsed(re.sub(r" (disabled|hidden)(?=[ >])", r' \1=""', markup))
        assert not {node.tag for node in tree.iter()} & {"script", "b:evil"}


@given(rows)
def test_ngram_gains_sum_to_the_difference_of_matches(rows):
    outcome = outcome_of(rows)
    more = ended(gains(outcome.texts, SETTINGS))
    for n in (1, 2):
        matched = [corpus.score.matched[n - 1] for corpus in outcome.corpora]
        assert sum(v for gram, v in more.items() if len(gram) == n) == matched[1] - matched[0]


@given(rows)
def test_the_histogram_counts_every_segment_once(rows):
    figure = histogram(outcome_of(rows))
    assert sum(int(column.note) for column in figure.drawing.columns) == len(rows)


@given(rows, st.sampled_from([1, 2]))
def test_what_is_taken_along_says_what_was_scored(rows, systems):
    outcome = outcome_of(rows, systems)
    table = list(csv.DictReader(io.StringIO(CORPUS_FORMS["csv"].render(outcome))))
    assert [float(row["system_score"]) for row in table] == list(outcome.corpora[-1].scores)
    lines = CORPUS_FORMS["jsonl"].render(outcome).splitlines()
    assert [json.loads(each)["systems"][-1]["hypothesis"] for each in lines] == list(
        outcome.texts.systems[-1].lines
    )
    whole = json.loads(CORPUS_FORMS["json"].render(outcome))
    assert [one["score"] for one in whole["systems"]] == [c.score.value for c in outcome.corpora]
    for name in ("markdown", "latex", "text"):
        assert f"{outcome.texts.systems[-1].name.replace('.', '')[0]}" in CORPUS_FORMS[name].render(
            outcome
        )


def test_a_corpus_of_nothing_says_so():
    corpus = summed([], Settings())
    (remark,) = explain_corpus(corpus).summary.remarks
    assert "no segment" in remark.spans[0]
    assert (corpus.score.value, corpus.mean) == (0.0, 0.0)

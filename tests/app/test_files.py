"""Scoring, markup and exports of the view Files."""

import csv
import io
import json
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.files.example import EXAMPLE_SOURCES
from app.files.form_html import (
    column_choices,
    system_rows,
)
from app.files.listing import (
    PAGE_SIZE,
    SegmentListing,
    segment_table,
    sort_segments,
    turn_page,
    with_sort,
)
from app.files.reading import TextSource
from app.files.result_html import (
    CORPUS_FORMATS,
    MAX_OPEN_GROUPS,
    conventions_table,
    derivation_html,
    grouping_html,
    ngram_gains,
    result_html,
)
from app.files.scoring import (
    TESTS,
    BoxError,
    check_and_score,
    check_texts,
    credit_differences,
    parallel_texts,
    score,
    score_under_conventions,
)
from app.files.segment_html import (
    LEGEND,
    differences_html,
    iter_differing_segments,
    parse_segment_key,
    segment_derivations,
    segment_steps,
    segment_view,
    texts_html,
)
from bleu import (
    Settings,
    corpus_bleu,
    derive_corpus,
    paired_bootstrap,
    segment_statistics,
    sentence_bleu,
)
from bleu.core.conventions import convention_settings
from bleu.core.progress import Progress, run_to_end
from bleu.explanation.comparison import comparison_tables
from bleu.explanation.corpus import explain_corpus, mean_paragraph
from bleu.explanation.phrases import escape_invisible, token_text
from bleu.explanation.report import difference_text
from bleu.files.data_table import DataTable, guess_roles
from bleu.files.parallel import ParallelTexts
from bleu.files.text_files import FileError
from bleu.metric.conventions import CONVENTIONS
from bleu.metric.expressions import Equation
from bleu.render import html, markdown, tabular, text
from tests.render.test_render import parse_xml
from tests.support.plain_markup import plain, raises_plain
from tests.support.strategies import WORDS

line = st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join)
rows = st.lists(st.tuples(line, line, line), max_size=8)
SETTINGS = Settings(max_order=2, smoothing="exp")


def sources_of(rows, systems=2):
    """Return systems and references of rows of (baseline, system, reference)."""
    columns = list(zip(*rows, strict=True)) or [(), (), ()]
    sources = [TextSource(f"{name}.txt", lines) for name, lines in zip("abr", columns, strict=True)]
    return sources[2 - systems : 2], sources[2:]


def texts_of(rows, systems=2):
    """Return the texts of rows of (baseline, system, reference)."""
    return parallel_texts(*sources_of(rows, systems))


def outcome_of(rows, systems=2, test="none", settings=SETTINGS):
    """Return the result of rows of texts."""
    return run_to_end(score(texts_of(rows, systems), settings, test))


@given(rows)
def test_scores_equal_library_scores(rows):
    outcome = outcome_of(rows)
    for system_index, corpus in enumerate(outcome.corpora):
        hypotheses = [row[system_index] for row in rows]
        references = [[row[2]] for row in rows]
        choices = {"max_order": 2, "smoothing": "exp"}
        assert corpus.score == corpus_bleu(hypotheses, references, **choices)
        segment_scores = [
            sentence_bleu(text, segment_references, **choices).value
            for text, segment_references in zip(hypotheses, references, strict=True)
        ]
        assert list(corpus.scores) == segment_scores
        assert corpus.mean == pytest.approx(sum(segment_scores) / max(1, len(segment_scores)))


@pytest.mark.parametrize(
    ("page", "disabled"), [(0, ["first", "back"]), (1, []), (2, ["on", "last"])]
)
def test_page_buttons_are_disabled_at_the_ends(page, disabled):
    outcome = outcome_of([("a", "a", "a")] * (2 * PAGE_SIZE + 1))
    listing = SegmentListing(page=page)
    markup = segment_table(outcome, listing, sort_segments(outcome, listing))
    assert re.findall(r'data-command="page:(\w+)"[^>]* disabled', markup) == disabled


@given(rows)
def test_every_equation_of_a_corpus_holds(rows):
    for corpus in outcome_of(rows).corpora:
        for step in explain_corpus(corpus).steps:
            for block in step.blocks:
                if isinstance(block, Equation):
                    assert block.holds


def test_progress_counts_segments_and_resamples():
    rows = [("a b", "a c", "a b")] * 3
    events = list(score(texts_of(rows), SETTINGS, "bootstrap"))
    work = events[0].later
    assert events[:3] == [Progress("scoring", n, 3, later=work) for n in (1, 2, 3)]
    assert events[3] == Progress("paired bootstrap", 0, 1000)
    assert [event.done for event in events[3:] if event.done] == list(range(1, 1001))
    assert events[-1] == Progress("paired bootstrap", 1000, 1000)


def test_significance_equals_library_results():
    rows = [(f"a b {n}", f"a {n} b", "a b c") for n in range(20)]
    report = outcome_of(rows, test="bootstrap").report
    statistics = [
        [segment_statistics(row[k], [row[2]], max_order=2, smoothing="exp") for row in rows]
        for k in (0, 1)
    ]
    expected = paired_bootstrap(*statistics, SETTINGS)
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
        ([], [TextSource("r", ["a"])], "There is no candidate yet"),
        ([TextSource("s", ["a"])], [], "There is no reference yet"),
        (
            [TextSource("s", ["a"])],
            [TextSource("r", [])],
            "r is empty. Use files with one segment per",
        ),
        ([TextSource("s", []), TextSource("t", [])], [TextSource("r", ["a"])], "s and t are empty"),
        (
            [TextSource("s", ["a"])] * 17,
            [TextSource("r", ["a"])],
            "There are 17 systems, and at most 16",
        ),
        (
            [TextSource("s", ["a"]), TextSource("t", ["a"] * 3)],
            [TextSource("r", ["a"]), TextSource("q", ["a", "b"])],
            "s and r have 1 line; t has 3 lines; q has 2 lines. Use files with the same",
        ),
        (
            [TextSource("s", ["a"])],
            [TextSource("r", ["a"]), TextSource("q", ["a", "b"])],
            "q has 2 lin",
        ),
    ],
)
def test_mismatched_texts_raise_with_their_names(systems, references, reason):
    with raises_plain(FileError, match=reason):
        check_texts(systems, references)


def test_sixteen_systems_are_accepted():
    assert len(check_texts([TextSource("s", ["a"])] * 16, [TextSource("r", ["a"])]).systems) == 16


def test_interval_is_shown_as_mean_and_half_width():
    outcome = outcome_of([(f"a b {n}", f"a {n} b", "a b c") for n in range(20)], 1, "interval")
    interval = outcome.report.systems[0].interval
    text_of_interval = f"{interval.mean * 100:.2f} ± {interval.half_width * 100:.2f}"
    assert text_of_interval in CORPUS_FORMATS["table-markdown"].render(outcome)


@pytest.mark.parametrize(
    ("systems", "test", "resampled"),
    [
        (1, "none", ""),
        (1, "bootstrap", "bs:1000|seed:12345|"),
        (2, "none", ""),
        (2, "interval", "bs:1000|seed:12345|"),
        (2, "bootstrap", "bs:1000|seed:12345|"),
        (2, "randomization", "ar:10000|seed:12345|"),
    ],
)
def test_every_export_has_the_signature_of_sacrebleu(systems, test, resampled):
    rows = [(f"a b {n}", f"a {n} b", "a b c") for n in range(20)]
    outcome = outcome_of(rows, systems, test, convention_settings("sacrebleu"))
    expected = f"nrefs:1|{resampled}case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
    assert result_html(outcome, systems - 1).count(f"Signature: {expected}") == 1
    for name in CORPUS_FORMATS.keys() - {"latex-rows", "csv", "jsonl"}:
        exported = CORPUS_FORMATS[name].render(outcome)
        assert expected in re.sub(
            r"\$(.)\$|\\textbar\{\}|\\", lambda m: m[1] or "|" * (len(m[0]) > 1), exported
        )


def test_settings_unknown_to_sacrebleu_have_the_signature_of_this_library():
    outcome = outcome_of([("a", "a", "b")])
    assert outcome.report.signature == outcome.corpora[0].signature
    assert "sacreBLEU" not in result_html(outcome, 1)
    assert "order:2" in CORPUS_FORMATS["sentence"].render(outcome)


def test_sentence_for_a_paper_has_the_numbers_of_the_report():
    rows = [(f"a b {n % 3} d e", f"a b {n % 2} d e", "a b 0 d e") for n in range(30)]
    outcome = outcome_of(rows, test="bootstrap")
    baseline, system = outcome.report.systems
    comparison = system.comparison
    low, high = (f"{100 * end:+.1f}" for end in (comparison.interval.low, comparison.interval.high))
    assert CORPUS_FORMATS["sentence"].render(outcome).replace("−", "-") == (
        f"b.txt scores {100 * system.score.value:.1f} BLEU against "
        f"{100 * baseline.score.value:.1f} for a.txt ({100 * comparison.difference:+.1f}, "
        f"95 % CI {low} to {high}, p = {comparison.p_value:.2g}, paired bootstrap with "
        f"1,000 resamples). Signature: {outcome.report.signature}\n"
    )
    single = CORPUS_FORMATS["sentence"].render(outcome_of(rows, 1, "interval"))
    assert re.match(
        r"b.txt scores [\d.]+ BLEU \(95 % CI [\d.]+ to [\d.]+\)\. Signature: nrefs", single
    )
    assert CORPUS_FORMATS["sentence"].render(outcome_of(rows, 1)).startswith("b.txt scores ")


def test_rows_for_a_latex_table_have_the_signature_and_a_line_for_each_system():
    outcome = outcome_of([("a b", "a c", "a b")] * 3)
    comment, rows = CORPUS_FORMATS["latex-rows"].render(outcome).split("\n", 1)
    assert comment == f"% {outcome.report.signature}"
    assert [row.split(" & ")[0] for row in rows.splitlines()] == ["a.txt", "b.txt"]


@pytest.mark.parametrize("systems", [1, 2, 3])
def test_signature_stands_once_and_a_large_p_value_has_words(systems):
    lines = [f"a b c d {n}" for n in range(9)]
    outputs = [lines, ["x", *lines[1:8], "x"], lines[::-1]][:systems]
    outcome = outcome_of_systems(outputs, "ABC"[:systems])
    markup = plain(result_html(outcome, systems - 1))
    assert markup.count(outcome.report.signature) == 1
    small = outcome_of(
        [("a b c d", "x", "a b c d"), ("x", "a b c d", "a b c d")] * 9, 2, "bootstrap"
    )
    headline, _, table = plain(result_html(small, 1)).partition("</p>")
    for part in (headline, table.partition("</table>")[0]):
        assert "0.51, not significant" in part


@pytest.mark.parametrize("test", ["bootstrap", "randomization", "interval"])
def test_smoothing_by_last_segment_has_a_caution_instead_of_a_test(test):
    settings = Settings(smoothing="average-last")
    texts = texts_of([("a b", "b c", "b d")])
    report = run_to_end(score(texts, settings, test)).report
    untested = run_to_end(score(texts, settings)).report
    assert (report.test, report.systems) == (None, untested.systems)
    assert report.caution.startswith("There is no significance test: smoothing average-last takes")
    assert untested.caution != report.caution


def test_invalid_test_raises():
    with pytest.raises(ValueError, match="approximate randomization test compares two"):
        run_to_end(score(texts_of([("a", "b", "c")], 1), SETTINGS, "randomization"))
    with pytest.raises(ValueError, match="test is 'luck'; choose one of: none, interval"):
        run_to_end(score(texts_of([("a", "b", "c")]), SETTINGS, "luck"))


@given(rows, st.sampled_from(["segment", "score", "baseline", "difference", "c", "r", "missing"]))
def test_sorting_is_complete_and_stable(rows, sort):
    outcome = outcome_of(rows)
    ascending = sort_segments(outcome, SegmentListing(sort, system_index=1))
    assert sorted(ascending) == list(range(len(rows)))
    values = {
        "segment": list(range(len(rows))),
        "score": list(outcome.corpora[1].scores),
        "missing": outcome.corpora[1].uncredited,
    }.get(sort)
    if values is not None:
        assert [values[n] for n in ascending] == sorted(values)
        descending = sort_segments(outcome, SegmentListing(sort, descending=True, system_index=1))
        assert [values[n] for n in descending] == sorted(values, reverse=True)


def test_unknown_sort_column_raises():
    with pytest.raises(ValueError, match="sort is 'luck'; choose one of: segment, score"):
        sort_segments(outcome_of([]), SegmentListing("luck"))


def test_filter_searches_all_texts_ignoring_case():
    outcome = outcome_of([("a", "B c", "d"), ("e", "f", "b"), ("g", "h", "i")])
    assert sort_segments(outcome, SegmentListing(query=" b ")) == [0, 1]


def test_pages_stay_in_range():
    outcome = outcome_of([("a", "a", "a")] * (2 * PAGE_SIZE + 1), settings=Settings(max_order=1))
    numbers = sort_segments(outcome, SegmentListing())
    last = turn_page(SegmentListing(), "last", numbers)
    assert last.page == 2
    assert turn_page(last, "on", numbers).page == 2
    assert turn_page(turn_page(last, "back", numbers), "first", numbers).page == 0
    assert turn_page(SegmentListing(), "back", numbers).page == 0
    shown = plain(segment_table(outcome, last, numbers))
    assert f"Segment {2 * PAGE_SIZE + 1} of {2 * PAGE_SIZE + 1}" in shown
    assert segment_table(outcome, last, numbers).count("segment:") == 1
    assert plain(segment_table(outcome, SegmentListing(query="<zzz>"), [])) == (
        '<p class="nothing">No segment has “&lt;zzz&gt;” in a candidate or a reference.</p>'
    )


def test_groups_are_scored_and_exported():
    sources = sources_of([("a b", "a c", "a b"), ("a", "a", "b"), ("c", "c", "c")])
    groups = [TextSource("=domain", ["news", "=chat", "news"])]
    inputs = (["A", "B"], 1, SETTINGS, "none", "default", groups)
    outcome = run_to_end(check_and_score(*sources, *inputs))
    [grouping] = outcome.report.groupings
    assert [(group.name, group.segments) for group in grouping.groups] == [
        ("news", 2),
        ("=chat", 1),
    ]
    expected = corpus_bleu(["a c", "c"], [["a b"], ["c"]], SETTINGS).value
    assert grouping.groups[0].scores == (expected, 1.0)  # B is the baseline.
    exports = {name: exporter.render(outcome) for name, exporter in CORPUS_FORMATS.items()}
    assert "Macro average" in exports["markdown"]
    assert "All segments" in exports["markdown"]
    assert exports["table-markdown"].startswith(f"<!-- {outcome.report.signature}")
    assert "Macro average" not in exports["table-markdown"]
    assert json.loads(exports["json"])["groupings"][0]["column"] == "=domain"
    rows = list(csv.reader(io.StringIO(exports["csv"])))
    assert [row[1] for row in rows] == ["group =domain", "news", "'=chat", "news"]
    assert json.loads(exports["jsonl"].splitlines()[1])["groups"] == {"=domain": "=chat"}
    markup = result_html(outcome, 1)
    assert "<summary>By =domain: 2 groups</summary>" in plain(markup)
    assert '<details class="grouping" open>' in markup


def test_groups_that_do_not_fit_are_left_out_with_a_caution():
    systems, references = sources_of([("a b", "a c", "a b")] * 3)
    groups = [TextSource("doc", ["x", "y"]), TextSource("domain", ["x", "y", "x"])]
    steps = check_and_score(systems, references, ["A", "B"], 0, SETTINGS, "none", "default", groups)
    outcome = run_to_end(steps)
    assert [grouping.column for grouping in outcome.report.groupings] == ["domain"]
    caution = "The groups of doc are left out: there are 2 of them for 3 segments."
    assert plain(outcome.report.caution) == caution
    exported = json.loads(CORPUS_FORMATS["json"].render(outcome))
    assert exported["caution"] == caution


def test_groups_without_a_system_are_refused():
    groups = [TextSource("doc", ["x"])]
    steps = check_and_score([], [], [], 0, SETTINGS, "none", "default", groups)
    with pytest.raises(BoxError, match="There is no candidate yet"):
        run_to_end(steps)


def test_sorting_twice_reverses_the_order():
    sorted_once = with_sort(SegmentListing(page=3), "score")
    assert (sorted_once.sort, sorted_once.descending, sorted_once.page) == ("score", False, 0)
    assert with_sort(sorted_once, "score").descending
    assert not with_sort(with_sort(sorted_once, "score"), "c").descending


HOSTILE = "<script>alert(1)</script> \u202e =1+1 \ud800 & <b>"


def test_markup_is_well_formed_and_escaped():
    outcome = outcome_of([(HOSTILE, HOSTILE, HOSTILE), ("", "", "")])
    derivations = segment_derivations(outcome, 0)
    table = DataTable("<b>", (escape_invisible(HOSTILE), "ref"), [[HOSTILE, [HOSTILE]]])
    conventions = run_to_end(score_under_conventions(outcome, 1))
    for markup in (
        result_html(outcome, 1),
        derivation_html(outcome, 1),
        segment_table(outcome, SegmentListing(system_index=1), [0, 1]),
        ngram_gains(outcome, 1, run_to_end(credit_differences(outcome, 1))),
        segment_view(outcome, derivations, 0, [1, 0], 2, 1),
        segment_steps(derivations[1], 1),
        conventions_table(outcome, 1, conventions),
        system_rows(
            [("a", escape_invisible(HOSTILE), escape_invisible(HOSTILE)), ("b", "<b>", "")], "b"
        ),
        column_choices(table, guess_roles(table)),
    ):
        xml = re.sub(r"(<input[^>]*)>", r"\1/>", markup)
        boolean_attributes = r" (disabled|hidden|selected|checked|open)(?=[ />])"
        tree = parse_xml(re.sub(boolean_attributes, r' \1=""', xml))
        assert not {node.tag for node in tree.iter()} & {"script", "b:evil"}


@pytest.mark.parametrize("settings", [SETTINGS, convention_settings("fairseq")])
@given(rows)
@example([("", "a", "")])
def test_segments_of_an_ngram_are_those_in_which_it_gains(settings, rows):
    outcome = outcome_of(rows, settings=settings)
    parts = [
        run_to_end(credit_differences(outcome_of([row], settings=settings), 1)) for row in rows
    ]
    for ngram in run_to_end(credit_differences(outcome, 1)):
        indices = run_to_end(iter_differing_segments(outcome, 1, ngram))
        assert list(indices) == [index for index, part in enumerate(parts) if part[ngram]]
        listed = SegmentListing(system_index=1, ngram=ngram, ngram_indices=indices)
        assert sort_segments(outcome, listed) == list(indices)


@pytest.mark.parametrize("settings", [SETTINGS, convention_settings("fairseq")])
@given(rows)
@example([("", "a", "")])
def test_ngram_gains_sum_to_the_difference_of_matches(settings, rows):
    outcome = outcome_of(rows, settings=settings)
    differences = run_to_end(credit_differences(outcome, 1))
    for n in (1, 2):
        matched = [corpus.score.matched[n - 1] for corpus in outcome.corpora]
        assert (
            sum(v for gram, v in differences.items() if len(gram) == n) == matched[1] - matched[0]
        )


def test_example_has_a_clear_win_for_each_side_and_one_that_both_get_wrong():
    texts = parallel_texts(EXAMPLE_SOURCES["system"], EXAMPLE_SOURCES["references"])
    outcome = run_to_end(score(texts, convention_settings("sacrebleu")))
    markup = differences_html(outcome, 1)
    titles = re.findall("<summary>(.*?) <span", markup)
    assert [re.sub("<.*?>", "", title) for title in titles] == [
        "Largest wins of System B",
        "Largest wins of System A",
        "Both wrong",
    ]
    rows = re.findall(r'data-command="segment:(\d+):(\w+)"', markup)
    assert [next(index for index, kind in rows if kind == name) for name in ("win", "loss")] == [
        "1",
        "0",
    ]
    assert [index for index, kind in rows if kind == "wrong"] == ["5"]
    wins = [index for index, kind in rows if kind == "win"]
    gains = [outcome.corpora[1].scores[int(n)] - outcome.corpora[0].scores[int(n)] for n in wins]
    assert gains == sorted(gains, reverse=True)
    assert gains[-1] > 0
    assert '<mark class="unmatched">must</mark>' in markup
    assert '<mark class="credited">has to</mark>' in markup
    assert '<mark class="missed">' in markup.replace(LEGEND, "")


def test_segment_that_one_system_gets_right_is_not_wrong_in_both():
    good, near, bad = "a b c d", "a b c x", "x y z w"
    rows = [(good, good, good), (bad, near, good), (near, bad, good), (bad, bad, good)]
    markup = differences_html(outcome_of(rows), 1)
    assert re.findall(r'data-command="segment:(\d+):wrong"', markup) == ["3"]


def test_many_groups_are_closed():
    for size, is_open in ((MAX_OPEN_GROUPS, True), (MAX_OPEN_GROUPS + 1, False)):
        sources = sources_of([("a b", "a c", "a b")] * size)
        groups = [TextSource("domain", [str(index) for index in range(size)])]
        inputs = (["A", "B"], 1, SETTINGS, "none", "default", groups)
        [grouping] = (outcome := run_to_end(check_and_score(*sources, *inputs))).report.groupings
        assert ('<details class="grouping" open>' in grouping_html(outcome, grouping, 1)) == is_open


@given(rows.filter(bool))
def test_texts_of_a_segment_are_shown_whole_and_its_ngram_is_lit(rows):
    outcome = outcome_of(rows)
    tokens = outcome.texts.systems[1][0].split()
    tree = parse_xml(texts_html(outcome, 1, 0, tuple(tokens[:1])))
    reference, first, second = ("".join(node.itertext()) for node in tree.iter("dd"))
    for shown, line in ((reference, rows[0][-1]), (first, rows[0][0]), (second, rows[0][1])):
        assert shown.split() == list(map(token_text, line.split())) or shown == "⟨empty⟩"
    lit = [node for node in tree.iter("mark") if "lit" in node.get("class", "")]
    texts = (*rows[0][:2], rows[0][-1])
    count = sum(line.split().count(tokens[0]) for line in texts) if tokens else 0
    shown_words = " ".join("".join(node.itertext()) for node in lit).split()
    assert shown_words == [token_text(tokens[0])] * count if tokens else not lit


def test_closest_reference_is_shown_beside_the_outputs():
    sources = [
        TextSource(name, [text])
        for name, text in zip("abrs", ("a b c", "a b", "x y", "a c"), strict=True)
    ]
    texts = parallel_texts(sources[:2], sources[2:])
    markup = texts_html(run_to_end(score(texts, SETTINGS)), 1, 0)
    assert "<dt>Reference 2 " in markup
    assert "x y" not in markup


def test_parts_of_an_ngram_with_the_same_gain_are_left_out():
    columns = [
        source.lines for slot in ("system", "references") for source in EXAMPLE_SOURCES[slot]
    ]
    outcome = outcome_of(
        list(zip(*columns, strict=True)), settings=convention_settings("sacrebleu")
    )
    gains = run_to_end(credit_differences(outcome, 1))
    assert gains["town",] == gains["town", "hall"] == -3
    labels = re.findall(r'class="choice"[^>]*>([^<]*)<', ngram_gains(outcome, 1, gains))
    assert "town hall" in labels
    assert not {"town", "the town"} & set(labels)


@given(rows, st.sampled_from([1, 2]))
def test_exports_contain_texts_and_scores(rows, systems):
    outcome = outcome_of(rows, systems)
    table = list(csv.DictReader(io.StringIO(CORPUS_FORMATS["csv"].render(outcome))))
    assert [float(row[f"score {outcome.texts.names[-1]}"]) for row in table] == list(
        outcome.corpora[-1].scores
    )
    lines = CORPUS_FORMATS["jsonl"].render(outcome).splitlines()
    assert [json.loads(line)["systems"][-1]["hypothesis"] for line in lines] == list(
        outcome.texts.systems[-1]
    )
    report = json.loads(CORPUS_FORMATS["json"].render(outcome))
    assert (report["version"], report["convention"], report["scale"]) == (3, "default", 1)
    assert [system["score"] for system in report["systems"]] == [
        c.score.value for c in outcome.corpora
    ]
    assert [system["precisions"] for system in report["systems"]] == [
        list(map(float, corpus.score.precisions)) for corpus in outcome.corpora
    ]
    for name in ("markdown", "table-markdown", "latex-rows"):
        assert f"{outcome.texts.names[-1].replace('.', '')[0]}" in CORPUS_FORMATS[name].render(
            outcome
        )


def test_empty_corpus_has_a_remark():
    corpus = derive_corpus([], [], Settings())
    (remark,) = explain_corpus(corpus).summary.remarks
    assert "no segment" in remark.spans[0]
    assert (corpus.score.value, corpus.mean) == (0.0, 0.0)


def test_transposed_references_have_a_caution():
    system = TextSource("out", ["a b c d", "e f g h"])
    aligned = [TextSource("1", ["a b c d", "e f g h"]), TextSource("2", ["a b c x", "e f g x"])]
    crossed = [TextSource("1", ["a b c d", "a b c x"]), TextSource("2", ["e f g h", "e f g x"])]
    for references, is_transposed in ((aligned, False), (crossed, True)):
        outcome = run_to_end(score(check_texts([system], references), Settings()))
        assert ("Each reference file seems" in (outcome.report.caution or "")) is is_transposed


def outcome_of_systems(lines, names=("A", "B", "C")):
    """Return the result of several systems, the first of which is the baseline."""
    texts = ParallelTexts(lines, [[line] for line in lines[0]], names)
    return run_to_end(score(texts, SETTINGS, "bootstrap"))


def test_names_are_used_and_the_baseline_is_first():
    lines = ["a b c d", "e f"], ["a b c x", "e f"], ["x y", "e f"]
    sources = [
        TextSource(f"{name}.txt", system_lines)
        for name, system_lines in zip("abc", lines, strict=True)
    ]
    files = sources, [TextSource("r", lines[0])]
    outcome = run_to_end(
        check_and_score(*files, ["Ä", "B", "Zoë"], 1, SETTINGS, "bootstrap", "default")
    )
    assert outcome.texts.names == ["B", "Ä", "Zoë"]
    assert outcome.texts.hypotheses == lines[1]
    for form in CORPUS_FORMATS.keys() - {"signature"}:
        export = CORPUS_FORMATS[form].render(outcome)
        for name in ("B", "Ä", "Zoë"):
            assert name in export or json.dumps(name) in export
    markup = result_html(outcome, 2)
    assert "Corpus BLEU-2 of Zoë" in plain(markup)
    assert '<option value="2" translate="no" selected>Zoë</option>' in markup
    assert 'class="difference"' not in markup, "of more than two, none is the headline"
    with pytest.raises(FileError, match="Two systems are called “A”"):
        run_to_end(check_and_score(*files, ["A", "B", "A"], 0, SETTINGS, "bootstrap", "default"))


def test_headline_has_difference_interval_and_p_value():
    rows = [("a b c e", "a b c d", "a b c d")] * 3 + [("x", "x y", "x y z")] * 9
    outcome = outcome_of(rows, test="bootstrap")
    comparison = outcome.report.systems[1].comparison
    low, high = comparison.interval.low * 100, comparison.interval.high * 100
    headline = plain(result_html(outcome, 1)).partition("</p>")[0]
    assert headline == (
        f'<p class="difference"><strong>b.txt − a.txt: {comparison.difference * 100:+.2f}</strong> '
        f"(95 % interval {low:+.2f} to {high:+.2f}), "
        f"p = {comparison.p_value:.2g}"
    ).replace("-", "−")
    untested_headline = plain(result_html(outcome_of(rows), 1)).partition("</p>")[0]
    assert untested_headline.endswith(f"b.txt − a.txt: {comparison.difference * 100:+.2f}</strong>")


def test_cells_have_their_column_label_for_narrow_screens():
    rows = [("a b c d", "a b c d e", "a b c d e")] * 3
    outcome = outcome_of(rows)
    labels = re.findall(r'<td data-label="([^"]*)">', result_html(outcome, 1))
    assert labels[:4] == ["BLEU", "Difference"] * 2
    assert "p₁" in labels
    listed = segment_table(outcome, SegmentListing(system_index=1), [0])
    heads = re.findall(r'data-command="sort:[a-z]+">([^<]*)', plain(listed))
    assert re.findall(r'data-label="([^"]*)"', listed) == heads


def test_row_of_a_segment_has_its_length_and_its_uncredited_ngrams():
    outcome = outcome_of([("a b", "a b c x", "a b c d")])
    markup = segment_table(outcome, SegmentListing(system_index=1), [0])
    cells = re.findall(r'<td data-label="[^"]*">([^<]*)</td>', plain(markup))
    assert (cells[-3], cells[-1]) == ("4", "2 of 7")


def test_files_of_different_lengths_are_refused():
    sources = [TextSource("s", ["a"] * 39)], [TextSource("r", ["a"] * 40)]
    with raises_plain(BoxError, match="s has 39 lines and r has 40 lines") as raised:
        run_to_end(check_and_score(*sources, ["S"], 0, SETTINGS, "none", ""))
    assert raised.value.box_ids == ("corpus-system", "corpus-references")


def test_opened_segment_marks_ngrams_with_keys_of_their_system():
    outcome = outcome_of_systems([["a b c", "d"], ["a b", "d"], ["x", "d"]])
    derivations = segment_derivations(outcome, 0)
    markup = segment_view(outcome, derivations, 0, [1, 0], 1, 2)
    assert "Segment 1 of 2" in markup
    assert "2 of 2 in the table" in markup
    assert re.findall(r"<h3>(\w): ([\d.]+)</h3>", plain(markup)) == [
        (name, f"{derivation.score.value * 100:.2f}")
        for name, derivation in zip("ABC", derivations, strict=True)
    ]
    assert "Reference, matches of C" in plain(markup)
    assert {parse_segment_key(key)[0] for key in re.findall(r'data-ngram="([^"]+)"', markup)} == {
        0,
        1,
        2,
    }
    assert re.findall(r'data-command="segment-step:(-?1)"[^>]* disabled', markup) == ["1"]


def test_segment_without_score_is_shown_with_the_reason():
    settings = convention_settings("nltk-method6")
    matching, short = "the cat is on the mat now", "the cat"
    rows = [
        (matching, matching, matching),
        (short, matching, matching),
        (matching, short, matching),
    ]
    outcome = outcome_of(rows, settings=settings)
    expected = corpus_bleu([row[1] for row in rows], [[matching]] * 3, convention="nltk-method6")
    assert outcome.corpora[1].score == expected
    assert [score is None for score in outcome.corpora[1].scores] == [False, False, True]
    reason = "interpolation needs a matching 3-gram, and none matches"
    table = segment_table(outcome, SegmentListing(system_index=1), [0, 1, 2])
    assert table.count(">no score</td>") == 2
    assert table.count(f'<p class="hint">No score: {html.prose(reason)}.</p>') == 1
    assert "No score" not in segment_table(outcome, SegmentListing(system_index=1), [0])
    for sort, numbers in (("score", [2, 0, 1]), ("baseline", [1, 0, 2]), ("difference", [1, 2, 0])):
        assert sort_segments(outcome, SegmentListing(sort, system_index=1)) == numbers
    assert "Caution" not in result_html(outcome, 1)
    job = score(texts_of(rows), settings, convention="nltk-method6")
    markup = result_html(run_to_end(job), 1)
    assert "<strong>NLTK method 6</strong>, tokenizer whitespace" in plain(markup)
    assert "takes numbers from the last segment alone" in markup
    assert "It fails where no 3-gram matches" not in markup
    assert f"1 segment has no score alone, such as 3: {reason}" in re.sub(
        "<[^>]+>", "", result_html(outcome, 1)
    )
    view = segment_view(outcome, segment_derivations(outcome, 2), 2, [0, 1, 2], 1, 1)
    assert "<h3>b.txt: no score</h3>" in plain(view)
    assert f"No score by itself: {html.prose(reason)}." in view
    assert 'data-command="segment-steps:0"' in view
    assert 'data-command="segment-steps:1"' not in view
    row = list(csv.DictReader(io.StringIO(CORPUS_FORMATS["csv"].render(outcome))))[2]
    assert (row["score a.txt"], row["score b.txt"]) == ("1.0", "")
    last = json.loads(CORPUS_FORMATS["jsonl"].render(outcome).splitlines()[2])
    assert [system["score"] for system in last["systems"]] == [1, None]


def test_empty_segment_without_score_is_shown_under_single_precision_weights():
    text = "the cat is on the mat"
    settings = convention_settings("sacrebleu-r")
    outcome = outcome_of([("", "", ""), (text, text, text)], settings=settings)
    assert outcome.corpora[1].scores == [None, pytest.approx(1)]
    view = segment_view(outcome, segment_derivations(outcome, 0), 0, [0, 1], 1, 1)
    assert "<h3>a.txt: no score</h3>" in plain(view)
    assert "<h3>b.txt: no score</h3>" in plain(view)


def test_convention_scores_equal_library_scores():
    outcome = outcome_of_systems([["A b c d.", "d"], ["a b c", "d"], ["x a", "d"]])
    conventions = run_to_end(score_under_conventions(outcome, 2))
    references = outcome.texts.references
    for result in conventions:
        if result.scores:
            expected = [
                corpus_bleu(outcome.texts.systems[k], references, convention=result.name, **n)
                for k in (0, 2)
                for n in [{"max_order": 2} if "max_order" not in result.convention.settings else {}]
            ]
            assert list(result.scores) == expected
    table = conventions_table(outcome, 2, conventions)
    assert table.count('data-command="file-convention:') == len(conventions)


def convention_texts(outcome, results):
    """Return the text on each convention in the tables of all systems."""
    names = outcome.texts.names
    return {
        choice.label: row.cells[-1]
        for table in comparison_tables(results, *outcome.corpora, systems=names)
        for row in table.rows
        for choice in row.cells[0].choices
    }


def compare_conventions(systems, references, settings=SETTINGS):
    """Return the result of systems, and their scores under every convention."""
    sources = [
        [TextSource(f"{n}", lines) for n, lines in enumerate(texts)]
        for texts in (systems, references)
    ]
    outcome = run_to_end(score(parallel_texts(*sources), settings, "none"))
    return outcome, run_to_end(score_under_conventions(outcome, len(systems) - 1))


def test_tools_are_sorted_by_use_and_those_over_100_come_last():
    lines, references = (EXAMPLE_SOURCES[slot][0].lines for slot in ("system", "references"))
    outcome, results = compare_conventions([lines], [references], Settings())
    visible, folded = conventions_table(outcome, 0, results).split('<details class="agreeing">')
    score = outcome.corpora[0].score.value
    agreeing = [
        result.name for result in results if result.values == pytest.approx([score], rel=1e-12)
    ]
    assert 1 < len(agreeing) < len(results)
    assert f"<summary>{len(agreeing)} ways give the same score as this page</summary>" in folded
    command = r'data-command="file-convention:([\w-]+)"'
    assert set(re.findall(command, folded)) == set(agreeing)
    names = re.findall(command, visible)
    assert set(names) == {result.name for result in results} - set(agreeing)
    values = {result.name: result.values for result in results}
    firsts = [name for n, name in enumerate(names) if values[name] != values[names[n - 1]]]
    ranks = {name: (max(values[name]) > 1, CONVENTIONS[name].rank) for name in firsts}
    assert firsts == sorted(firsts, key=ranks.__getitem__)
    assert names[-1] == "nltk-method6"
    assert values["nltk-method6"][0] > 1
    assert folded.count("<tr") == 2
    assert "No difference for these files." in folded


def test_convention_row_describes_differences_for_these_files():
    lines = [["a b c d", "x"], ["a b c d", "a y z"]]
    outcome, results = compare_conventions(
        lines, [["a b c d", "x."]], Settings(effective_order=True)
    )
    texts = convention_texts(outcome, results)
    assert texts["Papineni et al. 2002"] == "No difference for these files."
    assert texts["sacreBLEU sentence_bleu"].startswith("Split differently (13a); r = 6 (closest).")
    outcome, results = compare_conventions(
        [["a b c", "a b"], ["a b c d", "a b"]], [["a b c d", "a b"]], Settings()
    )
    assert convention_texts(outcome, results)["NLTK method 1"] == (
        "0: order 4: smoothed (floor). A segment too short for an order counts as 0 of 1."
    )


NOTES = {
    "short": "A segment too short for an order counts as 0 of 1.",
    "last": "In a corpus it takes numbers from the last segment alone",
    "empty": "It fails on an empty",
    "tie": "The score depends on the order of the references.",
    "over": "exceed the full score",
    "above": "A text without any match scores above 0.",
}


@pytest.mark.parametrize(
    ("system", "references", "expected"),
    [
        (["a b c d", "a b c d"], [["a b c d", "a b c d"]], {"last", "over"}),
        (["a b x d", "a x c d"], [["a b y d", "a y c d"]], {"last"}),
        (["a b c x"], [["a b c d"]], set()),
        (["a b", "c"], [["a b", "d"]], {"last", "short"}),
        (["a b c x"], [["a b c d e", "a b c"][:1], ["a b c"]], {"tie"}),
        (["a b c x"], [["a b c d e"], ["a b c d f"]], set()),
        (["v w x y"], [["a b c d"]], {"above"}),
    ],
)
def test_caveats_are_shown_only_if_they_apply(system, references, expected):
    outcome, results = compare_conventions([system], references, Settings())
    all_text = " ".join(convention_texts(outcome, results).values())
    assert {name for name, note in NOTES.items() if note in all_text} == expected
    assert "such as" not in all_text


def test_tiny_score_is_printed_for_each_system():
    lines = ["a b c d", "d c b a"]
    outcome, results = compare_conventions(
        [lines, lines[::-1]], [["c a d b", "c a d b"]], Settings()
    )
    text = convention_texts(outcome, results)["NLTK method 0"]
    [result] = [each for each in results if each.name == "nltk-method0"]
    printed = [f"{value:.4g}".replace("-", "−") for value in result.values]
    assert re.findall(r"[\d.]+e\S+", text) == printed
    assert f"On the 0–1 scale it gives {' and '.join(printed)} instead of 0." in text


@pytest.mark.parametrize(
    ("systems", "captions", "score"),
    [
        (1, ["disagree", "agree"], "score"),
        (2, ["disagree, scores 0–100", "agree, scores 0–100"], "scores"),
    ],
)
def test_captions_agree_with_number_of_systems(systems, captions, score):
    lines = ["A b c d", "x"]
    outcome, results = compare_conventions([lines] * systems, [lines], Settings())
    tables = comparison_tables(results, *outcome.corpora, systems=["a", "b"][:systems])
    assert [table.caption for table in tables] == [f"Tools that {caption}" for caption in captions]
    markup = conventions_table(outcome, systems - 1, results)
    assert f"ways give the same {score} as this page</summary>" in markup
    text_of_convention = convention_texts(outcome, results)["Papineni et al. 2002"]
    assert (
        text_of_convention
        == f"Split differently (white space, case folded). This does not change the {score}."
    )


@pytest.mark.parametrize(
    "name", ["default", "sacrebleu", "nltk-method1", "sacrebleu-r", "nltk-method3"]
)
def test_differing_score_names_a_difference(name):
    systems, references = [["a b c d e", "a b"]], [["a b c d f", "a b"]]
    outcome, results = compare_conventions(systems, references, convention_settings(name))
    differ, same = comparison_tables(results, *outcome.corpora, systems=["a"])
    for row in differ.rows:
        assert "No difference" not in row.cells[-1], row
    note = "A segment too short for an order"
    file_rule = outcome.corpora[0].settings.too_short == "zero-of-one"
    for row in (*differ.rows, *same.rows):
        for choice in row.cells[0].choices:
            convention = choice.name.partition(":")[2]
            convention_rule = convention_settings(convention).too_short == "zero-of-one"
            assert (note in row.cells[-1]) == (file_rule != convention_rule), (choice, row)


def test_conventions_are_rendered_in_every_format():
    outcome, results = compare_conventions(
        [["a b c d", "x"], ["a b", "y"]], [["a b c d", "x"]], Settings()
    )
    tables = [
        table
        for table in comparison_tables(results, *outcome.corpora, systems=["a_1", "b|2"])
        if table.rows
    ]
    for renderer in (markdown, tabular, text):
        rendered = renderer.blocks(tables)
        for result in results:
            title = result.convention.title
            escape = {markdown: markdown.escape, tabular: tabular.escape}.get(renderer, str)
            assert escape(title) in rendered


def test_nltk_note_on_short_segments_needs_a_short_segment():
    for first, has_note in (("a", True), ("a b c d e", False)):
        texts = texts_of([(first, first, first), ("a b c d", "a b c d", "a b c d e")])
        outcome = run_to_end(score(texts, SETTINGS, "none"))
        convention_text = convention_texts(outcome, run_to_end(score_under_conventions(outcome, 1)))
        assert ("counts as 0 of 1" in convention_text["NLTK method 1"]) == has_note
        assert "counts as 0 of 1" not in convention_text["sacreBLEU corpus_bleu"]


@given(rows)
def test_difference_of_unrounded_scores_is_explained(rows):
    report = outcome_of(rows).report
    headline, rest = difference_text(report)
    score, baseline_score = (round(100 * system.score.value, 2) for system in report.systems[::-1])
    difference_digits = headline.rpartition(": ")[2].replace("−", "-")
    difference = {"=": 0.0, "≈ 0": 0.0}.get(difference_digits)
    difference = float(difference_digits) if difference is None else difference
    assert ("unrounded" in rest) == (abs(score - baseline_score - difference) > 0.001)


@pytest.mark.parametrize(
    ("choices", "lines", "expected"),
    [
        ({"max_order": 4}, ["a", "a b c d"], "It has fewer than 4 tokens"),
        ({"max_order": 4}, ["a", "x y z w u", "a b c d"], "Of these, 1 has fewer than 4 tokens"),
        ({"max_order": 4}, ["a b c d", "a x c d"], ""),
        ({"max_order": 1}, ["", "a"], ""),
        ({"max_order": 4, "effective_order": True}, ["x", "a b c d"], ""),
    ],
)
def test_segments_too_short_for_the_highest_order_are_counted(choices, lines, expected):
    settings = Settings(**choices)
    corpus = derive_corpus(lines, [["a b c d"]] * len(lines), settings)
    paragraph_text = "".join(map(str, mean_paragraph(corpus, "A").spans))
    assert "of the segment scores of A" in paragraph_text
    assert expected in paragraph_text
    assert ("fewer than" in paragraph_text) == bool(expected)


@pytest.mark.parametrize(
    ("text", "excerpt"),
    [
        ("word " * 31 + "halfway on", "word " * 30 + "word\u00a0…"),
        ("word " * 32 + "on", "word " * 31 + "word\u00a0…"),
        ("新" * 170, "新" * 160 + "\u00a0…"),
        ("a " + "b" * 170, "a " + "b" * 158 + "\u00a0…"),
        ("b" * 160, "b" * 160),
    ],
)
def test_long_text_is_cut_between_words(text, excerpt):
    outcome = outcome_of([("", text, "")], systems=1)
    assert f">{excerpt}</span>" in segment_table(outcome, SegmentListing(), [0])


def test_query_is_marked_in_a_text_that_is_cut_around_it():
    long_text = "word " * 60
    rows = [
        ("x", f"{long_text}The Russian-Russians < {long_text}", "y"),
        ("x", "a russian", "y"),
        ("x", "a b", f"{long_text}Russian c"),
        ("Russian x", "新" * 300, "y"),
    ]
    outcome = outcome_of(rows)
    listing = SegmentListing(query=" Russian ", system_index=1)
    markup = segment_table(outcome, listing, sort_segments(outcome, listing))
    first, second, third, fourth = re.findall(r'<td class="words"[^>]*>(.*?)</td>', plain(markup))
    mark = '<mark class="lit">Russian</mark>'
    assert re.fullmatch(rf"<span>…\xa0(word )+The {mark}-{mark}s &lt; (word ?)+\xa0…</span>", first)
    assert second == '<span>a <mark class="lit">russian</mark></span>'
    assert third.startswith('<span>a b</span> <small dir="ltr">in the reference: …\xa0word ')
    assert third.endswith(f"word {mark} c</small>")
    assert fourth.endswith(f"in a.txt: {mark} x</small>")


def test_cell_of_a_candidate_has_the_direction_of_its_text():
    outcome = outcome_of([("", "3 חתולים", "")], systems=1)
    markup = segment_table(outcome, SegmentListing(), [0])
    assert '<td class="words" dir="rtl" lang="he" translate="no"><span>3 חתולים</span>' in markup

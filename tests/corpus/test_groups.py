"""Scores of groups of segments, and their tables."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu import Settings, corpus_bleu, segment_statistics
from bleu.core.progress import run_to_end
from bleu.core.score import compute
from bleu.core.statistics import Statistics
from bleu.corpus.report import Group, Grouping, Report, System, as_json, iter_grouping
from bleu.explanation.report import grouping_blocks, grouping_table, report_blocks
from bleu.render import html, markdown, tabular, text
from tests.render.test_render import parse_xml
from tests.support.plain_markup import plain
from tests.support.strategies import WORDS

line = st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join)
rows = st.lists(st.tuples(st.sampled_from("xyz"), line, line, line), min_size=1, max_size=9)
SETTINGS = Settings(max_order=2, smoothing="exp")
HOSTILE = "\u202e<b>&|\\_$\n𝒳"


def grouping_of(rows, settings=SETTINGS):
    """Return the grouping of rows of (group, hypothesis, other hypothesis, reference)."""
    systems = [
        [segment_statistics(row[index], [row[3]], settings) for row in rows] for index in (1, 2)
    ]
    names = [row[0] for row in rows]
    return run_to_end(iter_grouping("domain", names, systems, settings))


def report_of(grouping, *scores):
    """Return a report with a system for each score, given as matches of ten unigrams."""
    systems = [
        System(name, compute(Statistics((matched,), (10,), 10, 10), Settings(max_order=1)))
        for name, matched in scores
    ]
    return Report("sig", 3, systems, groupings=(grouping,))


@given(rows)
def test_each_group_scores_as_a_corpus_of_its_own(rows):
    grouping = grouping_of(rows)
    names = list(dict.fromkeys(row[0] for row in rows))
    assert [group.name for group in grouping.groups] == names
    for index in (1, 2):
        for group in grouping.groups:
            members = [row for row in rows if row[0] == group.name]
            expected = corpus_bleu(
                [row[index] for row in members], [[row[3]] for row in members], SETTINGS
            )
            assert (group.segments, group.scores[index - 1]) == (len(members), expected.value)
        mean = sum(group.scores[index - 1] for group in grouping.groups) / len(names)
        assert math.isclose(grouping.macro_averages[index - 1], mean, abs_tol=1e-12)


@given(rows)
def test_single_group_scores_as_the_whole(rows):
    rows = [("x", *row[1:]) for row in rows]
    [group] = grouping_of(rows).groups
    whole = corpus_bleu([row[1] for row in rows], [[row[3]] for row in rows], SETTINGS)
    assert (group.segments, group.scores[0]) == (len(rows), whole.value)


def test_group_without_a_score_has_no_macro_average():
    settings = Settings(max_order=3, smoothing="interpolation-last")
    rows = [("x", "a b c d", "a b c d", "a b c d"), ("y", "a b", "a b", "a c")]
    grouping = grouping_of(rows, settings)
    assert [group.scores for group in grouping.groups] == [(1.0, 1.0), (None, None)]
    assert grouping.macro_averages == (None, None)
    table = grouping_table(report_of(grouping, ("A", 5)), grouping, [0])
    assert [row.cells[2:] for row in table.rows][1:] == [("—", "—"), ("—", "—")]


GROUPING = Grouping("domain", (Group("news", 2, (0.5, 0.75)), Group("chat", 1, (0.25, 0.2))))


def test_table_of_a_single_system_has_the_difference_from_all_segments():
    grouping = Grouping("domain", (Group("news", 2, (0.5,)), Group("", 1, (0.25,))))
    blocks = grouping_blocks(report_of(grouping, ("A", 4)), grouping)
    assert [line.split() for line in text.blocks(blocks).splitlines()[:5]] == [
        ["domain", "Segments", "BLEU", "Difference", "from", "all"],
        ["news", "2", "50.00", "+10.00"],
        ["⟨empty⟩", "1", "25.00", "−15.00"],
        ["Macro", "average", "37.50", "−2.50"],
        ["All", "segments", "3", "40.00"],
    ]


def test_table_of_several_systems_has_differences_from_the_baseline():
    table = grouping_table(report_of(GROUPING, ("A", 4), ("B", 7)), GROUPING, [0, 1])
    assert tuple(map(plain, table.headers)) == ("domain", "Segments", "A", "B", "Difference")
    assert text.blocks([table]).splitlines()[2].split() == ["chat", "1", "25.00", "20.00", "−5.00"]
    three = Grouping("d", (Group("x", 3, (0.1, 0.2, 0.3)),))
    report = report_of(three, ("A", 1), ("B", 2), ("C", 3))
    headers = grouping_table(report, three, range(3)).headers
    assert tuple(map(plain, headers)) == ("d", "Segments", "A", "B", "B − A", "C", "C − A")


def test_long_tables_end_with_the_number_of_the_other_groups():
    table = grouping_table(report_of(GROUPING, ("A", 4), ("B", 7)), GROUPING, [0, 1], 1)
    assert [plain(row.cells[0]) for row in table.rows] == ["news", "Macro average"]
    assert table.hidden_rows_text == "1 more groups, counted in the sum"


@pytest.mark.parametrize("name", [HOSTILE, "", "=1+1"])
def test_every_format_has_the_groups(name):
    grouping = Grouping(name, (Group(name, 3, (0.5,)),))
    report = report_of(grouping, (name, 4))
    blocks = report_blocks(report)
    for render in (text.blocks, markdown.blocks, tabular.blocks):
        assert "All segments" in render(blocks)
        assert "\u202e" not in render(blocks)
    parse_xml("".join(map(html.block, blocks)))
    assert tabular.blocks(blocks).count("rule\n") == 3 + 4
    assert as_json(report, "default")["groupings"] == [
        {
            "column": name,
            "groups": [{"name": name, "segments": 3, "scores": (0.5,)}],
            "macro_averages": [0.5],
        }
    ]

"""How often people agree with a difference, against the figures of the paper."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleu
from bleu.analysis.agreement import agreement_metric
from bleu.core.conventions import convention_settings
from bleu.corpus.report import Report, System
from bleu.explanation.report import agreement_figure, agreement_text, verdict_blocks
from bleu.render import markdown, svg

SACREBLEU = convention_settings("sacrebleu")


@pytest.mark.parametrize(
    ("points", "percent"),
    [(0.27, 50), (0.78, 60), (1.39, 70), (2.34, 80), (3.35, 85)],
)
def test_bleu_differences_agree_as_published(points, percent):
    assert round(100 * bleu.human_agreement(points / 100)) == percent


@pytest.mark.parametrize(("metric", "points"), [("bleu", 0.27), ("spbleu", 0.24)])
def test_small_differences_agree_as_often_as_a_guess(metric, points):
    assert bleu.human_agreement(points / 100, metric) == 0.5
    assert bleu.human_agreement((points + 0.02) / 100, metric) > 0.5


@given(st.floats(-1, 1), st.floats(-1, 1), st.sampled_from(["bleu", "spbleu"]))
def test_agreement_grows_with_the_size_of_the_difference(first, second, metric):
    smaller, larger = sorted((first, second), key=abs)
    agreement = bleu.human_agreement(smaller, metric)
    assert 0.5 <= agreement <= bleu.human_agreement(larger, metric) <= 0.91
    assert agreement == bleu.human_agreement(-smaller, metric)


@pytest.mark.parametrize("difference", [1.7, -2, float("nan"), float("inf")])
def test_difference_in_points_is_refused(difference):
    with pytest.raises(ValueError, match=r"give the difference of two scores in \[0, 1\]"):
        bleu.human_agreement(difference)


def test_unknown_metric_is_refused():
    with pytest.raises(ValueError, match="metric is 'chrf'; choose 'bleu' or 'spbleu'"):
        bleu.human_agreement(0.1, "chrf")


@pytest.mark.parametrize(
    ("settings", "metric"),
    [
        (SACREBLEU, "bleu"),
        (convention_settings("sacrebleu", tokenizer="zh"), "bleu"),
        (convention_settings("sacrebleu", tokenizer="char"), ""),
        (convention_settings("sacrebleu", lowercase=True), ""),
        (convention_settings("sacrebleu", smoothing="floor"), ""),
        (convention_settings("sacrebleu", max_order=2), ""),
        (bleu.Settings(), ""),
        (convention_settings("nltk-method3"), ""),
    ],
)
def test_only_the_study_s_settings_have_a_metric(settings, metric):
    assert agreement_metric(settings) == metric


def report(baseline: str, system: str, *, metric: str = "bleu") -> Report:
    """Return the report on two systems with a single segment."""
    scores = [bleu.corpus_bleu([text], [["a b c d e f"]], SACREBLEU) for text in (baseline, system)]
    systems = [System(name, score) for name, score in zip("AB", scores, strict=True)]
    return Report("signature", 1, systems, agreement_metric=metric)


def test_two_systems_of_the_study_s_settings_have_one_sentence():
    text = markdown.blocks(verdict_blocks(report("a b c d e f", "a b c d e x")))
    assert "people preferred the higher score in 88 %" in text
    assert text.count("\n") <= 1
    assert verdict_blocks(report("a b c d e f", "a b c d e x", metric="")) == []


def test_difference_of_equal_systems_is_no_better_than_chance():
    assert "no better than chance" in agreement_text(0, "bleu")
    assert "0 BLEU apart" in agreement_text(0, "bleu")


@pytest.mark.parametrize("difference", [0.0, 0.0001, -0.017, 0.3, 1.0])
def test_figure_has_the_point_on_its_curve(difference):
    figure = agreement_figure(difference, "spbleu")
    size, agreement = figure.drawing.point
    assert size == pytest.approx(abs(100 * difference))
    assert agreement == bleu.human_agreement(difference, "spbleu")
    assert size <= figure.drawing.end
    marks = re.findall(r'cx="([\d.]+)"', svg.figure(figure))
    assert len(marks) == 1
    assert f"share = {100 * agreement:.0f} %" in svg.figure(figure)

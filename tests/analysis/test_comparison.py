"""The comparison: one outcome for each convention, each as if computed alone."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings

from bleu import CONVENTIONS, corpus_bleu, derive, sentence_bleu
from bleu.analysis.comparison import (
    agree,
    caveats,
    convention_corpus_results,
    convention_results,
    group_by_score,
)
from bleu.core.progress import run_to_end
from bleu.explanation.comparison import comparison_tables, differences, spread_paragraph
from bleu.render import html, text
from tests.support.strategies import segments

SHORT = "left out, as the text is too short"


@settings(max_examples=40)
@given(segments)
def test_each_outcome_is_what_the_convention_gives_alone(segment):
    outcomes = list(convention_results(*segment))
    assert [outcome.name for outcome in outcomes] == list(CONVENTIONS)
    for outcome in outcomes:
        if outcome.derivation is None:
            assert outcome.refusal.endswith(".")
            continue
        alone = derive(*segment, convention=outcome.name)
        assert outcome.derivation.score == alone.score
        assert outcome.derivation.statistics == alone.statistics


def outcome(name, hypothesis, references):
    """One outcome."""
    (found,) = convention_results(hypothesis, references, names=[name])
    return found


CORPUS = ["The cat sat on the mat, here.", "", "a b c d e f", "it rains"]
OTHER = ["the cat sat on a mat here.", "x", "a b c d e g", "it rained"]
REFERENCE = ["The cat sat on the mat here.", "y", "a b c d e f", "it rained today"]


@pytest.mark.parametrize("references", [[REFERENCE], [REFERENCE, OTHER]])
def test_each_outcome_of_a_corpus_is_what_the_convention_gives_alone(references):
    nested = list(zip(*references, strict=True))
    found = run_to_end(convention_corpus_results([CORPUS, OTHER], references))
    assert [one.name for one in found] == list(CONVENTIONS)
    for one in found:
        if one.scores:
            alone = [corpus_bleu(lines, nested, convention=one.name) for lines in (CORPUS, OTHER)]
            assert list(one.scores) == alone
        else:
            assert one.refusal.startswith("It ")
    refused = {one.name for one in found if not one.scores}
    assert ("fairseq" in refused) == (len(references) > 1)
    (empty,) = run_to_end(convention_corpus_results([["", ""]], [["a", "b"]], names=["multi-bleu"]))
    assert empty.refusal == "It fails on an empty hypothesis."


def test_what_a_peer_cannot_do_is_said():
    assert outcome("fairseq", "a", ["a", "b"]).refusal == "It takes one reference only."
    assert "fails on an empty hypothesis" in outcome("multi-bleu", "", ["a"]).refusal
    assert "fails on an empty reference" in outcome("huggingface-evaluate", "a", ["a", ""]).refusal
    # these fail only where the length that counts is 0, and Moses' script looks at the reference
    assert outcome("mteval-v13a", "a b c d", ["a b c d", ""]).value == 1
    assert "fails on an empty reference" in outcome("mteval-v13a", "a", [""]).refusal
    assert outcome("multi-bleu", "", [""]).value == 0
    assert "3-gram" in outcome("nltk-method6", "a b", ["a b"]).refusal
    assert outcome("sacrebleu", "", [""]).value == 0


@pytest.mark.parametrize(
    ("name", "texts", "words"),
    [
        ("nltk-method1", ("a b c", ["a b c"]), ["order 4: smoothed (floor)"]),
        ("sacrebleu-sentence", ("a b c", ["a b c"]), [f"order 4: {SHORT}"]),
        ("mteval-v13a", ("a b c", ["a b c"]), ["order 4: the text is too short, counts as 1"]),
        ("sacrebleu", ("a b c d.", ["a b c d."]), ["other tokens (13a)", "r = 5 (closest)"]),
        ("papineni", ("A b c d", ["a b c d"]), ["other tokens (white space, case folded)"]),
        ("huggingface-evaluate", ("a b c d", ["a b c d", "a"]), ["r = 1 (shortest)"]),
        ("torchmetrics", ("a b c d", ["a b c d"]), []),
    ],
)  # fmt: skip
def test_differences_are_those_of_these_texts(name, texts, words):
    found = differences(derive(*texts, convention=name), derive(*texts))
    assert found[: len(words)] == words
    assert bool(found) == bool(words)


def test_a_convention_of_four_orders_is_told_apart_from_a_result_of_fewer():
    texts = ("a b c x", ["a b c d"])
    found = differences(derive(*texts, convention="moses-sentence"), derive(*texts, max_order=2))
    assert found[0] == "N is 4"
    assert found[1].startswith("orders 1, 2, 3 and 4: smoothed")
    assert differences(derive(*texts), derive(*texts, max_order=2)) == ["N is 4"]


def test_smoothing_is_told_where_other_tokens_give_the_same_precision():
    texts = ("a f f b d.", ["d. e, f a a"])
    theirs, here = (derive(*texts, convention=name) for name in ("moses-sentence", "sacrebleu"))
    assert theirs.score.precisions[0] == here.score.precisions[0]
    assert differences(theirs, here)[-1] == (
        "orders 1, 2, 3 and 4: smoothed (add-k, 1-grams included)"
    )


def test_who_agrees_stands_apart_and_the_others_by_score():
    texts = ("the cat is on mat", ["the cat is on the mat"])
    here = derive(*texts)
    outcomes = list(convention_results(*texts))
    differing, agreeing = comparison_tables(outcomes, here)
    named = [one.name for row in (*differing.rows, *agreeing.rows) for one in row.cells[0].choices]
    assert sorted(named) == sorted(f"convention:{name}" for name in CONVENTIONS)
    same = sum(agree(one.value, here.score.value) for one in outcomes)
    assert sum(len(row.cells[0].choices) for row in agreeing.rows) == same
    assert len(differing.rows) < len(outcomes) - same
    assert {row.kind for row in agreeing.rows} <= {"same", "same again"}
    kinds = {text.span(row.cells[1]): [] for row in differing.rows}
    for row in differing.rows:
        kinds[text.span(row.cells[1])].append(row.kind)
    assert kinds["65.11"] == kinds["60.63"] == ["", "again"]
    assert kinds["56.07"] == [""]
    scores = [group.values for group in group_by_score(outcomes, [here.score.value])]
    assert scores[:-1] == sorted(scores[:-1], reverse=True)
    shown = re.sub("<[^>]+>", "", html.paragraph(spread_paragraph(outcomes, here)))
    assert "give scores from 56.07 to 65.11 on the 0–100 scale" in shown
    assert "NLTK method 3" in text._table(agreeing)
    assert "65.11" in text._table(differing)
    assert sentence_bleu(*texts, convention="nltk-method2").value == pytest.approx(0.6511126026643)


def said(name, texts, **settings):
    """The score and the words of one convention beside these settings."""
    tables = comparison_tables([outcome(name, *texts)], derive(*texts, **settings))
    [row] = [row for table in tables for row in table.rows]
    return text.span(row.cells[1]), row.cells[2]


def test_a_score_that_differs_in_late_digits_shows_them():
    score, words = said("coco-caption", ("the cat is on mat", ["the cat is on the mat"]))
    assert score == "57.89300672"
    assert words.endswith("Almost the same: this page’s score is 57.89300675.")


@pytest.mark.parametrize("hypothesis", ["the the the the", "a b c d", "a b"])
@pytest.mark.parametrize("name", ["coco-caption", "nltk-method0"])
def test_what_stands_for_0_is_said_once_and_is_the_number_of_these_texts(name, hypothesis):
    texts = (hypothesis, ["the cat is on the mat d c b a"])
    score, words = said(name, texts)
    printed = f"{sentence_bleu(*texts, convention=name).value:.4g}".replace("-", "−")
    assert score == "≈ 0"
    assert re.findall(r"[\d.]+e\S+", words) == [printed]


def test_no_difference_is_said_to_be_none():
    texts = ("a b c", ["a b c"])
    assert said("papineni", texts)[1] == "No difference for these texts."
    words = said("sacrebleu-sentence", ("a", ["b"]))[1]
    assert words == f"Orders 2, 3 and 4: {SHORT}. This does not change the score."


@pytest.mark.parametrize(
    ("name", "settings", "words"),
    [
        ("papineni", {"weights": ("0.4", "0.3", "0.2", "0.1")}, "Equal weights."),
        ("papineni", {"max_order": 2}, "N is 4."),
        ("sacrebleu-r", {"max_order": 3}, "Weights in single precision. Almost the same: this"),
    ],
)
def test_weights_and_orders_are_told_apart(name, settings, words):
    texts = ("a b c d e x", ["a b c d e y"])
    order = settings.get("max_order", 4) if name == "sacrebleu-r" else 4
    [found] = convention_results(*texts, order, [name])
    differing, same = comparison_tables([found], derive(*texts, **settings))
    assert not same.rows
    assert differing.rows[0].cells[2].startswith(words)


@pytest.mark.parametrize(
    ("names", "settings", "words"),
    [
        (["default", "fairseq"], {}, "all 2 ways to compute BLEU give 100.00 on the 0–100 scale, "
         "this page’s settings included."),
        (["default", "papineni"], {"max_order": 3, "reference_length": "average"},
         "2 ways to compute BLEU give 100.00 on the 0–100 scale; none gives the same score as "
         "this page."),
        (["default", "nltk-method5"], {}, "2 ways to compute BLEU give scores from 100.00 to "
         "101.06 on the 0–100 scale; 1 gives the same score as this page."),
        (["default", "coco-caption"], {}, "2 ways to compute BLEU give about 100.00 on the 0–100 "
         "scale; 1 gives the same score as this page."),
    ],
)  # fmt: skip
def test_the_spread_is_told_plainly(names, settings, words):
    texts = ("a b c d", ["a b c d"] if not settings else ["a b c d", "a b c d e"])
    outcomes = list(convention_results(*texts, names=names))
    shown = re.sub(
        "<[^>]+>", "", html.paragraph(spread_paragraph(outcomes, derive(*texts, **settings)))
    )
    assert shown == f"For these texts, {words}"


def test_what_cannot_be_compared_is_named():
    with pytest.raises(ValueError, match=r"convention is 'nltk'; choose one of: default"):
        list(convention_results("a", ["a"], names=["nltk"]))
    with pytest.raises(ValueError, match="references is empty; give at least one reference"):
        list(convention_results("a", []))
    with pytest.raises(TypeError, match="references is a single text, 'a'"):
        list(convention_results("a", "a"))


@pytest.mark.parametrize(
    ("name", "texts", "words"),
    [
        ("nltk-method0", ("a b", ["a b"]), ""),
        ("coco-caption", ("a b", ["b a"]), ""),
        ("nltk-method2", ("a b", ["a b"]), "counts as 0 of 1"),
        ("nltk-method2", ("a", ["b"]), ""),
        ("nltk-method4", ("a", ["a"]), "text of one token"),
        ("nltk-method4", ("a", ["b"]), ""),
        ("nltk-method5", ("a b c d", ["a b c d"]), "can exceed the full score"),
        ("torchmetrics", ("a b c", ["a b", "a b c d e"]), ""),
        ("torchmetrics", ("a b c d", ["a b c d e", "a b c"]), "order of the references"),
        ("torchmetrics-smooth", ("a b", ["a b"]), "never rescues"),
        ("torchmetrics", ("a b c d", ["a b c d", "a b c d e", "a b c"]), ""),
        ("moses-sentence", ("a", ["b"]), "without any match"),
        ("moses-sentence", ("", ["b"]), ""),
        ("nltk-method5", ("a b x d", ["a y c d"]), ""),
        ("huggingface-evaluate", ("a b", ["a b"]), ""),
    ],
)
def test_a_caveat_is_told_where_it_concerns_the_texts(name, texts, words):
    found = " ".join(caveats(outcome(name, *texts)))
    assert words in found
    assert bool(words) == bool(found)


def test_no_two_entries_of_the_menu_have_one_name():
    titles = [convention.title for convention in CONVENTIONS.values()]
    assert len(set(titles)) == len(titles)


def test_a_tiny_number_is_told_as_the_tool_prints_it():
    texts = ("a b c d", ["d c b a"])
    outcomes = list(convention_results(*texts, names=["default", "nltk-method0"]))
    lines = text._table(comparison_tables(outcomes, derive(*texts))[0])
    assert "≈ 0" in lines
    printed = f"{sentence_bleu(*texts, convention='nltk-method0').value:.4g}"
    assert f"On the 0–1 scale it gives {printed.replace('-', '−')} instead of 0." in lines


@pytest.mark.parametrize(("value", "tiny"), [(1e-9, True), (4.9e-6, True), (5.1e-6, False)])
def test_a_number_is_told_beside_a_score_that_is_shown_as_nearly_0(value, tiny):
    found = outcome("sacrebleu", "a b c d e", ["a b c d f"])
    score = replace(found.derivation.score, value=value)
    found = replace(found, derivation=replace(found.derivation, score=score))
    differing, _ = comparison_tables([found], derive("a b c d e", ["a b c d e"]))
    lines = text._table(differing)
    assert ("≈ 0" in lines) == tiny
    assert ("On the 0–1 scale it gives" in lines) == tiny
    assert "instead of 0" not in lines

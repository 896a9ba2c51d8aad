"""Comparison with other implementations: results, groups, tables and caveats."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings

from bleu import CONVENTIONS, Settings, corpus_bleu, derive, sentence_bleu
from bleu.analysis.comparison import (
    agree,
    convention_corpus_results,
    convention_results,
    group_by_score,
)
from bleu.core.progress import run_to_end
from bleu.explanation.comparison import comparison_tables, differences, spread_paragraph
from bleu.files.parallel import ParallelTexts
from bleu.render import html, text
from tests.support.strategies import segments

LEFT_OUT = "left out, as the text is too short"

HYPOTHESES = ["The cat sat on the mat, here.", "", "a b c d e f", "it rains"]
OTHER_HYPOTHESES = ["the cat sat on a mat here.", "x", "a b c d e g", "it rained"]
REFERENCES = ["The cat sat on the mat here.", "y", "a b c d e f", "it rained today"]


def only_result(name, hypothesis, references):
    """Return the result of one convention."""
    (result,) = convention_results(hypothesis, references, names=[name])
    return result


def score_and_text(name, texts, **settings):
    """Return the displayed score and the text of a convention's row."""
    tables = comparison_tables([only_result(name, *texts)], derive(*texts, **settings))
    [row] = [row for table in tables for row in table.rows]
    return text.span(row.cells[1]), row.cells[2]


def segment_differences(other, current):
    """Return the differences of two derivations, with those of their tokens."""
    tokens_differ = (other.hypothesis, other.references) != (current.hypothesis, current.references)
    return differences(other, current, tokens_differ=tokens_differ)


def plain_spread(results, derivation):
    """Return the paragraph on the spread of scores as plain text."""
    return re.sub("<[^>]+>", "", html.paragraph(spread_paragraph(results, derivation)))


@settings(max_examples=40)
@given(segments)
def test_segment_results_equal_separate_derivations(segment):
    results = list(convention_results(*segment))
    assert [result.name for result in results] == list(CONVENTIONS)
    for result in results:
        if not result.scores:
            assert result.refusal.endswith(".")
            continue
        alone = derive(*segment, convention=result.name)
        assert result.scores == (alone.score,)


@settings(max_examples=20)
@given(segments)
def test_segment_results_equal_those_of_a_corpus_of_one_segment(segment):
    hypothesis, references = segment
    texts = ParallelTexts([[hypothesis]], [references])
    by_corpus = run_to_end(convention_corpus_results(texts))
    for result, expected in zip(convention_results(*segment), by_corpus, strict=True):
        assert (result.scores, result.refusal) == (expected.scores, expected.refusal)
        assert result.tokens_differ == expected.tokens_differ
        assert result.caveats == expected.caveats


@pytest.mark.parametrize("references", [[REFERENCES], [REFERENCES, OTHER_HYPOTHESES]])
def test_corpus_results_equal_separate_scores(references):
    systems = [HYPOTHESES, OTHER_HYPOTHESES]
    nested = list(zip(*references, strict=True))
    results = run_to_end(convention_corpus_results(ParallelTexts(systems, nested)))
    assert [result.name for result in results] == list(CONVENTIONS)
    for result in results:
        if result.scores:
            alone = [corpus_bleu(lines, nested, convention=result.name) for lines in systems]
            assert list(result.scores) == alone
        else:
            assert result.refusal.startswith("It ")
    refused = {result.name for result in results if not result.scores}
    assert ("fairseq" in refused) == (len(references) > 1)


def test_corpus_of_empty_hypotheses_is_refused_by_multi_bleu():
    [result] = run_to_end(
        convention_corpus_results(ParallelTexts([["", ""]], [["a"], ["b"]]), names=["multi-bleu"])
    )
    assert result.refusal == "It fails on an empty hypothesis."


def test_caveat_on_short_texts_also_concerns_a_corpus_of_them():
    results = convention_corpus_results(
        ParallelTexts([["a b", "c"]], [["a b"], ["d"]]), names=["nltk-method2"]
    )
    [caveat] = run_to_end(results)[0].caveats
    assert "a perfect short text does not reach the full score" in caveat


def test_refusals_give_the_reason():
    assert only_result("fairseq", "a", ["a", "b"]).refusal == "It takes one reference only."
    assert "fails on an empty hypothesis" in only_result("multi-bleu", "", ["a"]).refusal
    refusal = only_result("huggingface-evaluate", "a", ["a", ""]).refusal
    assert "fails on an empty reference" in refusal
    # mteval fails only if the reference whose length counts is empty, and multi-bleu.perl looks at
    # the reference first.
    assert only_result("mteval-v13a", "a b c d", ["a b c d", ""]).value == 1
    assert "fails on an empty reference" in only_result("mteval-v13a", "a", [""]).refusal
    assert only_result("multi-bleu", "", [""]).value == 0
    assert "3-gram" in only_result("nltk-method6", "a b", ["a b"]).refusal
    assert only_result("sacrebleu", "", [""]).value == 0


@pytest.mark.parametrize(
    ("name", "texts", "expected"),
    [
        ("nltk-method1", ("a b c", ["a b c"]), ["order 4: smoothed (floor)"]),
        ("sacrebleu-sentence", ("a b c", ["a b c"]), [f"order 4: {LEFT_OUT}"]),
        ("mteval-v13a", ("a b c", ["a b c"]), ["order 4: the text is too short, counts as 1"]),
        ("sacrebleu", ("a b c d.", ["a b c d."]), ["split differently (13a)", "r = 5 (closest)"]),
        ("papineni", ("A b c d", ["a b c d"]), ["split differently (white space, case folded)"]),
        ("huggingface-evaluate", ("a b c d", ["a b c d", "a"]), ["r = 1 (shortest)"]),
        ("torchmetrics", ("a b c d", ["a b c d"]), []),
    ],
)  # fmt: skip
def test_differences_are_limited_to_those_of_the_texts(name, texts, expected):
    phrases = segment_differences(derive(*texts, convention=name), derive(*texts))
    assert phrases[: len(expected)] == expected
    assert bool(phrases) == bool(expected)


def test_differences_name_another_max_order():
    texts = ("a b c x", ["a b c d"])
    current = derive(*texts, max_order=2)
    first, second, *_ = segment_differences(derive(*texts, convention="moses-sentence"), current)
    assert first == "N is 4"
    assert second.startswith("orders 1, 2, 3 and 4: smoothed")
    assert segment_differences(derive(*texts), current) == ["N is 4"]


def test_differences_name_smoothing_if_other_tokens_give_the_same_precision():
    texts = ("a f f b d.", ["d. e, f a a"])
    moses, sacrebleu = (derive(*texts, convention=name) for name in ("moses-sentence", "sacrebleu"))
    assert moses.score.precisions[0] == sacrebleu.score.precisions[0]
    assert segment_differences(moses, sacrebleu)[-1] == (
        "orders 1, 2, 3 and 4: smoothed (add-k, 1-grams included)"
    )


def test_tables_separate_agreeing_conventions_and_sort_the_others_by_score():
    texts = ("the cat is on mat", ["the cat is on the mat"])
    current = derive(*texts)
    results = list(convention_results(*texts))
    differing, agreeing = comparison_tables(results, current)
    rows = (*differing.rows, *agreeing.rows)
    choices = [choice.name for row in rows for choice in row.cells[0].choices]
    assert sorted(choices) == sorted(f"convention:{name}" for name in CONVENTIONS)
    same = sum(agree(result.value, current.score.value) for result in results)
    assert sum(len(row.cells[0].choices) for row in agreeing.rows) == same
    assert len(differing.rows) < len(results) - same
    assert {row.kind for row in agreeing.rows} <= {"same", "same again"}
    kinds = {text.span(row.cells[1]): [] for row in differing.rows}
    for row in differing.rows:
        kinds[text.span(row.cells[1])].append(row.kind)
    assert kinds["65.11"] == kinds["60.63"] == ["", "again"]
    assert kinds["56.07"] == [""]
    scores = [group[0].values for group in group_by_score(results, [current.score.value])]
    assert scores[:-1] == sorted(scores[:-1], reverse=True)
    spread = plain_spread(results, current)
    assert "give scores from 56.07 to 67.32 on the 0–100 scale" in spread
    assert "NLTK method 3" in text._table(agreeing)
    assert "65.11" in text._table(differing)
    assert sentence_bleu(*texts, convention="nltk-method2").value == pytest.approx(0.6511126026643)


def test_scores_that_differ_in_late_digits_show_these_digits():
    score, row_text = score_and_text(
        "coco-caption", ("the cat is on mat", ["the cat is on the mat"])
    )
    assert score == "57.89300672"
    assert row_text.endswith("Almost the same: the score is 57.89300675 here.")


@pytest.mark.parametrize("hypothesis", ["the the the the", "a b c d", "a b"])
@pytest.mark.parametrize("name", ["coco-caption", "nltk-method0"])
def test_number_printed_instead_of_0_is_given_once(name, hypothesis):
    texts = (hypothesis, ["the cat is on the mat d c b a"])
    score, row_text = score_and_text(name, texts)
    printed = f"{sentence_bleu(*texts, convention=name).value:.4g}".replace("-", "−")
    assert score == "≈ 0"
    assert re.findall(r"[\d.]+e\S+", row_text) == [printed]


def test_rows_without_a_difference_or_effect_say_so():
    texts = ("a b c", ["a b c"])
    assert score_and_text("papineni", texts)[1] == "No difference for these texts."
    row_text = score_and_text("sacrebleu-sentence", ("a", ["b"]))[1]
    assert row_text == f"Orders 2, 3 and 4: {LEFT_OUT}. This does not change the score."


@pytest.mark.parametrize(
    ("name", "settings", "expected"),
    [
        ("papineni", {"weights": ("0.4", "0.3", "0.2", "0.1")}, "Equal weights."),
        ("papineni", {"max_order": 2}, "N is 4."),
        ("sacrebleu-r", {"max_order": 3}, "Weights in single precision. Almost the same: the"),
    ],
)
def test_rows_name_differences_in_weights_and_orders(name, settings, expected):
    texts = ("a b c d e x", ["a b c d e y"])
    max_order = settings.get("max_order", 4) if name == "sacrebleu-r" else 4
    results = list(convention_results(*texts, Settings(max_order=max_order), [name]))
    differing, same = comparison_tables(results, derive(*texts, **settings))
    assert not same.rows
    assert differing.rows[0].cells[2].startswith(expected)


@pytest.mark.parametrize(
    ("names", "settings", "expected"),
    [
        (["default", "fairseq"], {}, "all 2 ways to compute BLEU give 100.00 on the 0–100 scale, "
         "these settings included."),
        (["default", "papineni"], {"max_order": 3, "reference_length": "average"},
         "2 ways to compute BLEU give 100.00 on the 0–100 scale; none gives the same score as "
         "these settings."),
        (["default", "nltk-method5"], {}, "2 ways to compute BLEU give scores from 100.00 to "
         "101.06 on the 0–100 scale; 1 gives the same score as these settings."),
        (["default", "coco-caption"], {}, "2 ways to compute BLEU give about 100.00 on the 0–100 "
         "scale; 1 gives the same score as these settings."),
    ],
)  # fmt: skip
def test_spread_paragraph_wording(names, settings, expected):
    texts = ("a b c d", ["a b c d"] if not settings else ["a b c d", "a b c d e"])
    results = list(convention_results(*texts, names=names))
    assert plain_spread(results, derive(*texts, **settings)) == f"For these texts, {expected}"


def test_invalid_arguments_are_named():
    with pytest.raises(ValueError, match=r"convention is 'nltk'; choose one of: nltk-method0"):
        list(convention_results("a", ["a"], names=["nltk"]))
    with pytest.raises(ValueError, match="references is empty; give at least one reference"):
        list(convention_results("a", []))
    with pytest.raises(TypeError, match="references is a single text, 'a'"):
        list(convention_results("a", "a"))


@pytest.mark.parametrize(
    ("name", "texts", "expected"),
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
def test_caveats_are_limited_to_those_that_concern_the_texts(name, texts, expected):
    caveats = " ".join(only_result(name, *texts).caveats)
    assert expected in caveats
    assert bool(expected) == bool(caveats)


def test_convention_titles_are_unique():
    titles = [convention.title for convention in CONVENTIONS.values()]
    assert len(set(titles)) == len(titles)


def test_tiny_number_is_written_as_the_tool_prints_it():
    texts = ("a b c d", ["d c b a"])
    results = list(convention_results(*texts, names=["default", "nltk-method0"]))
    table = text._table(comparison_tables(results, derive(*texts))[0])
    assert "≈ 0" in table
    printed = f"{sentence_bleu(*texts, convention='nltk-method0').value:.4g}"
    assert f"On the 0–1 scale it gives {printed.replace('-', '−')} instead of 0." in table


@pytest.mark.parametrize(("value", "is_tiny"), [(1e-9, True), (4.9e-6, True), (5.1e-6, False)])
def test_number_is_given_only_beside_a_score_displayed_as_almost_0(value, is_tiny):
    result = only_result("sacrebleu", "a b c d e", ["a b c d f"])
    score = replace(result.scores[0], value=value)
    result = replace(result, scores=(score,))
    differing, _ = comparison_tables([result], derive("a b c d e", ["a b c d e"]))
    table = text._table(differing)
    assert ("≈ 0" in table) == is_tiny
    assert ("On the 0–1 scale it gives" in table) == is_tiny
    assert "instead of 0" not in table

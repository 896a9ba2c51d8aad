"""What other implementations do in rare cases, by their sources' own formulas and values."""

import math

import pytest

from bleu import corpus_bleu, derive, explain, sentence_bleu
from bleu.analysis.comparison import compare
from bleu.core.conventions import convention_settings
from bleu.document.expressions import Equation

ONE_REFERENCE = ("fairseq", "fairseq-sentence", "tensor2tensor")


def holds(derivation):
    """Whether every equation that is shown of a derivation holds."""
    steps = explain(derivation).steps
    blocks = [block for step in steps for block in step.blocks if isinstance(block, Equation)]
    return blocks and all(block.holds for block in blocks)


@pytest.mark.parametrize("convention", ONE_REFERENCE)
def test_what_takes_one_reference_refuses_several(convention):
    with pytest.raises(ValueError, match=r"takes one reference, and there are 2: give one of them"):
        sentence_bleu("a b", ["a b", "a c"], convention=convention)
    with pytest.raises(ValueError, match="or choose another convention"):
        corpus_bleu(["a b"], [["a b", "a c"]], convention=convention)
    [outcome] = compare("a b", ["a b", "a c"], names=[convention])
    assert (outcome.value, outcome.refusal) == (None, "It takes one reference only.")
    assert sentence_bleu("a b c d", ["a b c d"], convention=convention).value == 1


@pytest.mark.parametrize(
    ("convention", "settings"),
    [
        ("sacrebleu-floor", {"smoothing_value": 0}),
        ("sacrebleu-add-k", {"smoothing_value": 0}),
        ("nltk-method1", {"smoothing_value": 0}),
        ("sacrebleu-r-floor", {"smoothing_value": 0}),
        ("sacrebleu-r-add-k", {"smoothing_value": 0}),
        ("sacrebleu-r", {"weights": (".3333", ".3333", ".3333"), "max_order": 3}),
        ("torchtext", {"weights": (0.33, 0.33, 0.33, 0)}),
        ("torchmetrics", {"weights": (0.5, 0.5, 0.5, 0.5)}),
        ("nltk-method0", {"weights": (0.33, 0.33, 0.33, 0)}),
    ],
)
@pytest.mark.parametrize("text", ["a b c d e", "a b c x e"])
def test_unusual_values_are_computed_under_the_names_of_those_that_take_them(
    convention, settings, text
):
    assert holds(derive(text, ["a b c d e"], convention=convention, **settings))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"smoothing": "floor", "smoothing_value": 0}, "0 is smoothing none"),
        ({"smoothing": "add-k", "smoothing_value": 0}, "0 is smoothing none"),
        ({"weights": (0.33, 0.33, 0.33, 0)}, "divide each by their sum"),
        ({"convention": "sacrebleu-floor", "smoothing_value": -1}, "above 0"),
        ({"convention": "torchtext", "weights": (0, 0, 0, 0)}, "sum to 1"),
    ],
)
def test_elsewhere_they_are_refused_with_the_way_out(settings, message):
    with pytest.raises(ValueError, match=message):
        sentence_bleu("a", ["a"], **settings)


def test_weights_that_do_not_sum_to_1_are_used_as_they_are():
    """torchtext's formula: exp(Σ w ln p), and no order without a match."""
    text, other = "a b c d e x", "a b c d e f"
    p = [5 / 6, 4 / 5, 3 / 4, 2 / 3]
    for convention in ("torchtext", "sacrebleu-r", "torchmetrics"):
        weights = (0.33, 0.33, 0.33, 0)
        value = sentence_bleu(text, [other], convention=convention, weights=weights).value
        assert value == pytest.approx(math.prod(p[:3]) ** 0.33, rel=1e-6)


@pytest.mark.parametrize("convention", ["torchtext", "torchmetrics", "torchmetrics-smooth"])
def test_torch_gives_0_if_any_order_is_unmatched_whatever_its_weight(convention):
    weights = {"weights": (0.5, 0.5, 0, 0)}
    derivation = derive("a b c x", ["a b c d"], convention=convention, **weights)
    assert derivation.score.value == 0
    assert holds(derivation)
    assert derive("a b c x", ["a b c d"], **weights).score.value > 0
    assert sentence_bleu("a b c d", ["a b c d"], convention=convention, **weights).value == 1


def test_tensor2tensor_does_not_fail_on_an_empty_reference():
    """Its brevity penalty is 1 there, and every order smoothed."""
    expected = math.prod([1 / 2 / 4, 1 / 4 / 3, 1 / 8 / 2, 1 / 16 / 1]) ** 0.25
    derivation = derive("a b c d", [""], convention="tensor2tensor")
    assert derivation.score.value == pytest.approx(expected)
    [outcome] = compare("a b c d", [""], names=["tensor2tensor"])
    assert outcome.value == pytest.approx(expected)


@pytest.mark.parametrize("convention", ["mteval-v14", "tensor2tensor"])
@pytest.mark.parametrize("reference", ["", "a b"])
def test_an_empty_hypothesis_scores_0_even_against_an_empty_reference(convention, reference):
    derivation = derive("", [reference], convention=convention)
    assert derivation.score.value == 0
    assert holds(derivation)
    [outcome] = compare("", [reference], names=[convention])
    assert outcome.value == 0


def test_v13a_dies_where_a_side_is_all_empty():
    for texts in (("", ["a"]), ("a", [""]), ("", [""])):
        [outcome] = compare(*texts, names=["mteval-v13a"])
        assert outcome.value is None
        assert "fails on an empty" in outcome.refusal
    corpus = ["a b c d e", ""], [["a b c d e"], ["f"]]
    assert corpus_bleu(*corpus, convention="mteval-v13a").value == pytest.approx(
        math.exp(1 - 6 / 5)
    )


def test_where_r_gives_nan_there_is_no_score():
    for convention in ("sacrebleu-r", "sacrebleu-r-floor", "sacrebleu-r-add-k"):
        with pytest.raises(ValueError, match="NaN here, and no score: hypothesis and references"):
            sentence_bleu("", [""], convention=convention)
        [outcome] = compare("", [""], names=[convention])
        assert "NaN" in outcome.refusal
    weights = {"weights": (0.5, 0.5, 0, 0), "convention": "sacrebleu-r"}
    with pytest.raises(ValueError, match="order 4 has no match and weight 0"):
        sentence_bleu("a b c x", ["a b c d"], **weights)
    assert sentence_bleu("a b c d", ["a b c d"], **weights).value == 1
    smoothed = weights | {"convention": "sacrebleu-r-floor"}
    assert sentence_bleu("a b c x", ["a b c d"], **smoothed).value > 0
    assert corpus_bleu([], [], convention="sacrebleu-r").value == 0


def test_fairseq_counts_an_empty_line_as_its_end():
    hypotheses, references = ["a b c d e", ""], [["a b c d e"], ["f g h i j"]]
    score = corpus_bleu(hypotheses, references, convention="fairseq")
    assert f"{score.value * 100:.2f}" == "49.05"
    assert (score.hypothesis_length, score.reference_length) == (6, 10)
    assert corpus_bleu(["", "a b c d"], [[""], ["a b c d"]], convention="fairseq").value == 1
    tokens = corpus_bleu([["a"], []], [[["a"]], [["b"]]], convention="fairseq", max_order=1)
    assert tokens.total == (2,)
    derivation = derive("", ["a b"], convention="fairseq")
    assert derivation.hypothesis == ("</s>",)
    assert holds(derivation)


@pytest.mark.parametrize("convention", ["coco-caption", "fairseq", "fairseq-sentence"])
def test_some_take_n_up_to_4_only(convention):
    with pytest.raises(ValueError, match=f"max_order is 5, and {convention} takes up to 4"):
        sentence_bleu("a", ["a"], convention=convention, max_order=5)
    [outcome] = compare("a b c d e", ["a b c d e"], 5, names=[convention])
    assert outcome.refusal == "It takes N up to 4 only."
    assert convention_settings(convention, max_order=2).max_order == 2


@pytest.mark.parametrize("convention", ["mteval-v13a", "mteval-v14"])
def test_mteval_without_smoothing_counts_an_order_that_is_too_short_as_0(convention):
    """`--no-smoothing`: cum[4] is 0 where no 4-gram matches."""
    assert sentence_bleu("a b c", ["a b c"], convention=convention).value == 1
    plain = {"convention": convention, "smoothing": "none"}
    assert sentence_bleu("a b c", ["a b c"], **plain).value == 0
    assert sentence_bleu("a b c x", ["a b c d"], **plain).value == 0
    perfect = sentence_bleu("a b c d e", ["a b c d e f"], **plain).value
    assert perfect == pytest.approx(math.exp(1 - 6 / 5))
    assert holds(derive("a b c", ["a b c"], **plain))


@pytest.mark.parametrize(
    "convention", ["mteval-v13a", "mteval-v14", "tensor2tensor", "sacrebleu-r", "sacrebleu-r-floor"]
)
def test_effective_order_is_refused_where_the_implementation_has_none(convention):
    with pytest.raises(ValueError, match="effective_order is True, and the implementation"):
        sentence_bleu("a", ["a"], convention=convention, effective_order=True)


def test_case_can_be_kept_under_a_convention_that_folds_it():
    """`mteval -c`."""
    kept = {"convention": "mteval-v13a", "lowercase": False}
    assert sentence_bleu("A B C D", ["a b c d"], **kept).value < 1

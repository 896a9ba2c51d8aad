"""Rare cases of other implementations, by the formulas and values of their sources."""

import math
import pickle
import random
import warnings

import numpy
import pytest
from sacrebleu.metrics import BLEU

from bleu import (
    Settings,
    Statistics,
    approximate_randomization,
    confidence_interval,
    corpus_bleu,
    derive,
    explain,
    paired_bootstrap,
    score_statistics,
    segment_statistics,
    sentence_bleu,
)
from bleu.analysis.comparison import convention_results
from bleu.analysis.which import parse_reported_score
from bleu.core.conventions import convention_settings
from bleu.core.progress import run_to_end
from bleu.corpus.corpus import iter_corpus
from bleu.metric.expressions import Equation

pytestmark = pytest.mark.host
ONE_REFERENCE = ("fairseq", "fairseq-sentence", "tensor2tensor")


def equations_hold(derivation):
    """Return whether all equations in the explanation hold."""
    steps = explain(derivation).steps
    equations = [block for step in steps for block in step.blocks if isinstance(block, Equation)]
    return equations and all(equation.holds for equation in equations)


@pytest.mark.parametrize("convention", ONE_REFERENCE)
def test_several_references_are_refused_by_single_reference_conventions(convention):
    with pytest.raises(ValueError, match="takes one reference, and there are 2; give one of them"):
        sentence_bleu("a b", ["a b", "a c"], convention=convention)
    with pytest.raises(ValueError, match="or choose another convention"):
        corpus_bleu(["a b"], [["a b", "a c"]], convention=convention)
    [outcome] = convention_results("a b", ["a b", "a c"], names=[convention])
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
def test_unusual_values_are_computed_by_conventions_that_accept_them(convention, settings, text):
    assert equations_hold(derive(text, ["a b c d e"], convention=convention, **settings))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"smoothing": "floor", "smoothing_value": 0}, "or smoothing none"),
        ({"smoothing": "add-k", "smoothing_value": 0}, "or smoothing none"),
        ({"weights": (0.33, 0.33, 0.33, 0)}, "divide each by their sum"),
        ({"convention": "sacrebleu-floor", "smoothing_value": -1}, "above 0"),
        ({"convention": "torchtext", "weights": (0, 0, 0, 0)}, "sum to 1"),
    ],
)
def test_unusual_values_are_refused_by_other_conventions(settings, message):
    with pytest.raises(ValueError, match=message):
        sentence_bleu("a", ["a"], **settings)


def test_weights_that_do_not_sum_to_1_are_not_scaled():
    """torchtext's formula is exp(Σ w ln p)."""
    hypothesis, reference = "a b c d e x", "a b c d e f"
    p = [5 / 6, 4 / 5, 3 / 4, 2 / 3]
    for convention in ("torchtext", "sacrebleu-r", "torchmetrics"):
        weights = (0.33, 0.33, 0.33, 0)
        value = sentence_bleu(hypothesis, [reference], convention=convention, weights=weights).value
        assert value == pytest.approx(math.prod(p[:3]) ** 0.33, rel=1e-6)


@pytest.mark.parametrize("convention", ["torchtext", "torchmetrics", "torchmetrics-smooth"])
def test_torch_scores_0_if_any_order_is_unmatched_whatever_its_weight(convention):
    weights = {"weights": (0.5, 0.5, 0, 0)}
    derivation = derive("a b c x", ["a b c d"], convention=convention, **weights)
    assert derivation.score.value == 0
    assert equations_hold(derivation)
    assert derive("a b c x", ["a b c d"], **weights).score.value > 0
    assert sentence_bleu("a b c d", ["a b c d"], convention=convention, **weights).value == 1


def test_tensor2tensor_scores_an_empty_reference():
    """Its brevity penalty is 1 then, and every order is smoothed."""
    expected = math.prod([1 / 2 / 4, 1 / 4 / 3, 1 / 8 / 2, 1 / 16 / 1]) ** 0.25
    derivation = derive("a b c d", [""], convention="tensor2tensor")
    assert derivation.score.value == pytest.approx(expected)
    [outcome] = convention_results("a b c d", [""], names=["tensor2tensor"])
    assert outcome.value == pytest.approx(expected)


@pytest.mark.parametrize("convention", ["mteval-v14", "tensor2tensor"])
@pytest.mark.parametrize("reference", ["", "a b"])
def test_empty_hypothesis_scores_0_even_against_an_empty_reference(convention, reference):
    derivation = derive("", [reference], convention=convention)
    assert derivation.score.value == 0
    assert equations_hold(derivation)
    [outcome] = convention_results("", [reference], names=[convention])
    assert outcome.value == 0


def test_no_score_if_r_gives_nan():
    for convention in ("sacrebleu-r", "sacrebleu-r-floor", "sacrebleu-r-add-k"):
        with pytest.raises(ValueError, match="gives NaN, because hypothesis and references"):
            sentence_bleu("", [""], convention=convention)
        [outcome] = convention_results("", [""], names=[convention])
        assert "NaN" in outcome.refusal
    weights = {"weights": (0.5, 0.5, 0, 0), "convention": "sacrebleu-r"}
    with pytest.raises(ValueError, match="order 4 has no match and weight 0"):
        sentence_bleu("a b c x", ["a b c d"], **weights)
    assert sentence_bleu("a b c d", ["a b c d"], **weights).value == 1
    smoothed = weights | {"convention": "sacrebleu-r-floor"}
    assert sentence_bleu("a b c x", ["a b c d"], **smoothed).value > 0
    assert corpus_bleu([], [], convention="sacrebleu-r").value == 0


def test_fairseq_counts_an_empty_line_as_one_token():
    hypotheses, references = ["a b c d e", ""], [["a b c d e"], ["f g h i j"]]
    score = corpus_bleu(hypotheses, references, convention="fairseq")
    assert f"{score.value * 100:.2f}" == "49.05"
    assert (score.hypothesis_length, score.reference_length) == (6, 10)
    assert corpus_bleu(["", "a b c d"], [[""], ["a b c d"]], convention="fairseq").value == 1
    tokens = corpus_bleu([["a"], []], [[["a"]], [["b"]]], convention="fairseq", max_order=1)
    assert tokens.total == (2,)
    derivation = derive("", ["a b"], convention="fairseq")
    assert derivation.hypothesis == ("</s>",)
    assert equations_hold(derivation)


@pytest.mark.parametrize("convention", ["coco-caption", "fairseq", "fairseq-sentence"])
def test_max_order_above_4_is_refused_by_some_conventions(convention):
    with pytest.raises(ValueError, match=f"max_order is 5, and {convention} takes up to 4"):
        sentence_bleu("a", ["a"], convention=convention, max_order=5)
    [outcome] = convention_results(
        "a b c d e", ["a b c d e"], Settings(max_order=5), names=[convention]
    )
    assert outcome.refusal == "It takes N up to 4 only."
    assert convention_settings(convention, max_order=2).max_order == 2


@pytest.mark.parametrize("convention", ["mteval-v13a", "mteval-v14"])
def test_mteval_without_smoothing_scores_0_for_short_texts(convention):
    """With `--no-smoothing`, cum[4] is 0 if no 4-gram matches."""
    assert sentence_bleu("a b c", ["a b c"], convention=convention).value == 1
    plain = {"convention": convention, "smoothing": "none"}
    assert sentence_bleu("a b c", ["a b c"], **plain).value == 0
    assert sentence_bleu("a b c x", ["a b c d"], **plain).value == 0
    perfect = sentence_bleu("a b c d e", ["a b c d e f"], **plain).value
    assert perfect == pytest.approx(math.exp(1 - 6 / 5))
    assert equations_hold(derive("a b c", ["a b c"], **plain))


@pytest.mark.parametrize(
    "convention", ["mteval-v13a", "mteval-v14", "tensor2tensor", "sacrebleu-r", "sacrebleu-r-floor"]
)
def test_effective_order_is_refused_by_conventions_without_it(convention):
    with pytest.raises(ValueError, match="effective_order is True, which the implementation that"):
        sentence_bleu("a", ["a"], convention=convention, effective_order=True)


def test_lowercase_of_a_convention_can_be_switched_off():
    """This is `mteval -c`."""
    cased = {"convention": "mteval-v13a", "lowercase": False}
    assert sentence_bleu("A B C D", ["a b c d"], **cased).value < 1


def printed_by_moses(statistics):
    """Return the output of sentence-bleu: six digits, computed in single precision."""
    single, log = numpy.float32, numpy.float32(0)
    for matched, total in zip(statistics.matched, statistics.total, strict=True):
        log += numpy.log(single(matched + 1)) - numpy.log(single(total + 1))
    log /= single(4)
    length = single(statistics.reference_length) / single(statistics.hypothesis_length)
    return f"{numpy.exp(log + min(single(0), single(1 - length))):.6g}"


def test_moses_prints_the_score_within_1_in_the_sixth_digit():
    rng, different = random.Random(1), 0
    for _ in range(1000):
        reference = rng.choices("abcdefgh", k=rng.randint(1, 40))
        text = [rng.choice((word, "x")) for word in reference * 2][: rng.randint(1, 40)]
        score = sentence_bleu(text, [reference], convention="moses-sentence")
        printed, expected = printed_by_moses(score.statistics), f"{score.value:.6g}"
        different += printed != expected
        assert float(printed) == pytest.approx(float(expected), rel=1.01e-5)
        assert parse_reported_score(printed).agreement(score.value, 1, single=True) == "rounded"
    assert 0 < different < 50


# Likely and certain mistakes in calls


class Scalar:
    """A stand-in for a PyTorch tensor with one number, which equals no other tensor."""

    def __init__(self, value):
        self.value = value

    def __hash__(self):
        return id(self)

    def __eq__(self, other):
        return self is other

    def tolist(self):
        return self.value

    def __repr__(self):
        return f"tensor({self.value})"


TEXT = "the cat is on the mat"


@pytest.mark.parametrize(
    ("hypothesis", "references", "message"),
    [
        (
            [TEXT],
            [[TEXT]],
            "a list with one token, the text 'the cat is on the mat'; give the text",
        ),
        ([TEXT], [["a dog barks"], ["a b"]], "give the text itself or the list of its tokens"),
        (
            [1, 2, 3],
            [["1", "2", "3"]],
            "the token 1 is of type int in one text and is the text '1'",
        ),
        (
            ["1", "2"],
            [[7], [2]],
            "the token 2 is of type int in one text and is the text '2' in another",
        ),
        (
            [b"a", b"b"],
            [["b"]],
            "the token b'b' is of type bytes in one text and is the text 'b' in another",
        ),
        (
            [Scalar(1)],
            [[Scalar(1)]],
            r"tensor\(1\) has type Scalar, and tokens of this type never match; convert",
        ),
    ],
)
def test_certainly_wrong_tokens_are_refused(hypothesis, references, message):
    for call in (sentence_bleu, derive, segment_statistics):
        with pytest.raises(TypeError, match=message):
            call(hypothesis, references)
    with pytest.raises(TypeError, match=message):
        corpus_bleu([hypothesis], [references])


@pytest.mark.parametrize(
    ("hypothesis", "references", "message"),
    [
        ([TEXT], [["the", "cat"]], "the text .*; is a list of its tokens meant"),
        ([1, 2, 3], [["a", "b"]], "not text, such as 1, and those of the other are, such as 'a'"),
        ([object()], [[object()]], "equal only themselves"),
    ],
)
def test_likely_wrong_tokens_cause_a_warning(hypothesis, references, message):
    for call in (sentence_bleu, derive, segment_statistics):
        with pytest.warns(UserWarning, match=message):
            call(hypothesis, references)


def test_unusual_but_possible_tokens_are_accepted():
    token = object()
    assert sentence_bleu([token, 1], [[token, 1.0]], max_order=2).value == 1
    assert sentence_bleu([1, "a"], [["b", 2]]).value == 0
    assert sentence_bleu([], [["a b"]]).value == 0
    assert sentence_bleu(["a"], [["a b c"]]).value == 0
    assert sentence_bleu(TEXT, [TEXT]).value == 1


STREAMS = [[TEXT, "there is a dog in the garden"], [f"{TEXT} now", "a dog is in the garden"]]
OUTPUT = ["the cat is on the mat now", "a dog is in the garden"]


def test_transposed_references_of_two_segments_cause_a_warning():
    peer_score = BLEU(tokenize="none").corpus_score(OUTPUT, STREAMS).score / 100
    with pytest.warns(
        UserWarning, match=r"look transposed, because the score is far higher with references\[k\]"
    ):
        score = corpus_bleu(OUTPUT, STREAMS, smoothing="exp")
    assert peer_score == pytest.approx(1)
    assert score.value < 0.9
    references = list(map(list, zip(*STREAMS, strict=True)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert corpus_bleu(OUTPUT, references, smoothing="exp").value == 1
        corpus_bleu(["a b", "c d"], [["a b", "x y"], ["c d", "x z"]])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: corpus_bleu(["a", None], [["a"], ["b"]]), r"hypotheses\[1\] is None .*; give ''"),
        (lambda: corpus_bleu(["a", math.nan], [["a"], ["b"]]), r"hypotheses\[1\] is nan .*; give"),
        (lambda: corpus_bleu(["a", b"b"], [["a"], ["b"]]), r"hypotheses\[1\] is b'b' .*; decode"),
        (lambda: corpus_bleu(["a"], [[math.nan]]), r"1 in references\[0\] is nan; give ''"),
        (lambda: sentence_bleu("a", ["a", b"a"]), r"reference 2 in references is b'a'; decode it"),
        (lambda: sentence_bleu(["a", None], [["a"]]), "token 2 of the hypothesis is None; leave"),
        (lambda: sentence_bleu([math.nan], [["a"]]), "token 1 of the hypothesis is nan"),
        (lambda: segment_statistics(["a"], [["a"], ["a", None]]), "token 2 of reference 2 in"),
        (lambda: corpus_bleu([[1], [2.0, None]], [[[1]], [[2]]]), r"2 of hypotheses\[1\] is None"),
        (lambda: corpus_bleu([[1], [2]], [[[1]], [[2], [1, numpy.float64("nan")]]]),
         r"token 2 of reference 2 in references\[1\] is .*nan.*; leave out missing tokens"),
        (lambda: sentence_bleu([["a", "b"]], ["a", "b"]), "like the references that NLTK takes"),
        (lambda: sentence_bleu([["a"], ["b"]], ["a"]), "give the hypothesis first"),
        (lambda: sentence_bleu(["a b"], "a b"), "give the hypothesis first"),
        (lambda: corpus_bleu([[["a"]]], [["a"]]), "like the references that NLTK takes first"),
        (lambda: sentence_bleu("a", ["a"], tokenize="13a"), "not an argument of .*; use tokenizer"),
        (lambda: sentence_bleu("a", ["a"], smooth_method="exp"), "use smoothing"),
        (lambda: sentence_bleu("a", ["a"], force=True), "no warning to silence"),
        (lambda: corpus_bleu(numpy.array(["a"]), [["a"]]), r"has type ndarray; give its \.tolist"),
        (lambda: sentence_bleu(numpy.array([1]), [[1]]), r"\(type ndarray\); give its \.tol"),
        (lambda: sentence_bleu([1], numpy.array([[1]])), r"has type ndarray; give its \.tol"),
        (lambda: sentence_bleu([1], [numpy.array([1])]), r"reference 1 in .*; give its \.tol"),
    ],
)  # fmt: skip
def test_mistaken_arguments_are_refused_with_a_remedy(call, message):
    with pytest.raises(TypeError, match=message):
        call()


def test_numpy_integers_are_accepted():
    four = numpy.int64(4)
    assert Settings(max_order=four) == Settings(max_order=4)
    parts = [segment_statistics(text, ["a b c d"]) for text in ("a b c d", "a b c x", "a b c d e")]
    times, seed = numpy.int64(50), numpy.uint8(7)
    assert confidence_interval(parts, resamples=times, seed=seed) == confidence_interval(
        parts, resamples=50, seed=7
    )
    test = approximate_randomization(parts, parts, trials=times, seed=seed)
    assert test == approximate_randomization(parts, parts, trials=50, seed=7)
    assert type(test.trials) is int
    paired = paired_bootstrap(parts, parts, resamples=times, seed=seed)
    assert paired == paired_bootstrap(parts, parts, resamples=50, seed=7)


# Statistics and their settings


def test_significance_tests_accept_the_choices_of_corpus_bleu():
    texts = ["A b c d e", "a B c x e", "a b c d"]
    choices = {"convention": "nltk-method1", "lowercase": True, "max_order": 3}
    parts = [segment_statistics(text, ["a b c d e"], **choices) for text in texts]
    expected = corpus_bleu(texts, [["a b c d e"]] * 3, **choices).value
    assert confidence_interval(parts, resamples=9, **choices).score == expected
    assert paired_bootstrap(parts, parts, resamples=9, **choices).system == expected
    assert approximate_randomization(parts, parts, trials=9, **choices).baseline == expected


@pytest.mark.parametrize(
    "choices",
    [{"tokenizer": "13a"}, {"lowercase": True}, {"reference_length": "shortest"},
     {"convention": "fairseq"}, {"lowercase": True, "case": "ascii"}],
)  # fmt: skip
def test_statistics_counted_with_other_settings_are_refused(choices):
    first, second = segment_statistics("a b", ["a b"], **choices), segment_statistics("a", ["a"])
    message = "do not fit .*; count and score all with the same settings"
    for call in (
        lambda: first + second,
        lambda: Statistics.sum([first, second], 4),
        lambda: score_statistics(first),
        lambda: confidence_interval([first]),
        lambda: paired_bootstrap([first], [second]),
        lambda: approximate_randomization([second], [first]),
        lambda: run_to_end(iter_corpus([first], 1, Settings())),
    ):
        with pytest.raises(ValueError, match=message):
            call()
    assert score_statistics(pickle.loads(pickle.dumps(first)) + first, **choices).value == 0
    assert (Statistics.zero(4) + first).counting == first.counting
    assert "a b" not in first.counting


def test_settings_that_change_no_count_may_differ():
    statistics = segment_statistics("a b", ["a b"], tokenizer="none")
    assert score_statistics(statistics, smoothing="floor").value > 0
    assert statistics == Statistics((2, 1, 0, 0), (2, 1, 0, 0), 2, 2)
    manual = Statistics((2, 1), (2, 1), 2, 2)
    assert score_statistics(manual, max_order=2, lowercase=True).value == 1

"""Sentence and corpus BLEU: published values, properties, and refused arguments."""

import inspect
import math
import pickle
import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleu
from bleu import Settings, Statistics, corpus_bleu, score_statistics, sentence_bleu
from bleu.core.score import compute
from bleu.core.settings import SETTING_NAMES
from tests.support.strategies import COMMON, WORDS, corpora, segments, tokens
from tests.support.strategies import settings as any_settings

# Random references may score higher when transposed.
pytestmark = pytest.mark.filterwarnings("ignore:.*look transposed:UserWarning")

CANDIDATE_1 = (
    "It is a guide to action which ensures that the military always obeys the commands of the party"
)
CANDIDATE_2 = "It is to insure the troops forever hearing the activity guidebook that party direct"
REFERENCES = [
    "It is a guide to action that ensures that the military will forever heed Party commands",
    (
        "It is the guiding principle which guarantees the military forces always being under the "
        "command of the Party"
    ),
    "It is the practical guide for the army always to heed the directions of the party",
]


def close(value):
    """Return an expectation up to the rounding that libm is allowed."""
    return pytest.approx(value, rel=1e-12, abs=0)


def score_corpus(segments, **choices):
    """Return `corpus_bleu` of a list of segments."""
    hypotheses = [hypothesis for hypothesis, _ in segments]
    return corpus_bleu(hypotheses, [references for _, references in segments], **choices)


# Published values


@pytest.mark.parametrize("lowercase", [False, True])
def test_precisions_of_papinenis_example_1(lowercase):
    """Papineni et al. 2002, 2.1, example 1: 17/18 and 8/14; 10/17 and 1/13.

    Case makes no difference, because "the party" is in the third reference.
    """
    first = sentence_bleu(CANDIDATE_1, REFERENCES, lowercase=lowercase)
    assert first.precisions[:2] == (Fraction(17, 18), Fraction(10, 17))
    assert (first.matched[:2], first.total[:2]) == ((17, 10), (18, 17))
    second = sentence_bleu(CANDIDATE_2, REFERENCES, lowercase=lowercase)
    assert (second.matched[:2], second.total[:2]) == ((8, 1), (14, 13))
    assert first.value > second.value == 0.0


def test_score_of_papinenis_candidate_1_is_that_of_nltks_documentation():
    assert sentence_bleu(CANDIDATE_1, REFERENCES).value == close(0.5045666840058485)


def test_clipping_of_papinenis_example_2():
    """Papineni et al. 2002, 2.1, example 2: a modified unigram precision of 2/7."""
    score = sentence_bleu(
        "the the the the the the the", ["the cat is on the mat", "there is a cat on the mat"]
    )
    assert score.precisions == (Fraction(2, 7), 0, 0, 0)
    assert (score.value, score.brevity_penalty) == (0.0, 1.0)


def test_brevity_penalty_of_papinenis_example_3():
    """Papineni et al. 2002, 2.2, example 3: "of the" is precise, but penalized as too short."""
    score = sentence_bleu("of the", REFERENCES, max_order=2)
    assert score.precisions == (1, 1)
    assert score.value == close(math.exp(1 - 16 / 2))


def test_components_of_the_default_example():
    score = sentence_bleu("the cat is on mat", ["the cat is on the mat"])
    assert score.precisions == (1, Fraction(3, 4), Fraction(2, 3), Fraction(1, 2))
    assert round(100 * score.value, 2) == 57.89
    assert round(score.brevity_penalty, 4) == 0.8187
    assert round(score.geometric_mean, 4) == 0.7071


@pytest.mark.parametrize("length", [1, 2, 3])
def test_floor_scores_of_short_perfect_texts(length):
    """Chen and Cherry's smoothing 1: each order that is too long counts as ε, as in NLTK."""
    text = " ".join("abc"[:length])
    assert sentence_bleu(text, [text]).value == 0.0
    smoothed = sentence_bleu(text, [text], smoothing="floor").value
    assert smoothed == close(0.1 ** ((4 - length) / 4))
    assert round(smoothed, 4) == {1: 0.1778, 2: 0.3162, 3: 0.5623}[length]


def test_add_k_score_of_a_short_text_is_that_of_sacrebleu():
    score = sentence_bleu("a x", ["a b"], smoothing="add-k")
    assert [float(p) for p in score.precisions] == [0.5, 0.5, 1.0, 1.0]
    assert round(100 * score.value, 2) == 70.71


def test_segment_too_short_for_an_order_adds_no_ngrams_to_the_corpus():
    """The example of R's sacRebleu manual, which counts 0 of 1 and reports .7937."""
    score = corpus_bleu(
        [[1, 2, 3], [1, 2]],
        [[[1, 2, 3], [2, 3, 4]], [[1, 2, 6], [781, 21, 9], [7, 3]]],
        max_order=3,
    )
    assert (score.matched, score.total) == ((5, 3, 1), (5, 3, 1))
    assert score.value == 1.0


# Perfect and empty texts


@given(st.integers(1, 9), st.lists(st.sampled_from("abc"), min_size=9, max_size=30))
def test_perfect_match_of_at_least_n_tokens_scores_exactly_1(max_order, text):
    for smoothing in COMMON:
        score = sentence_bleu(text, [text], max_order=max_order, smoothing=smoothing)
        assert score.value == score.cross_check.value == 1.0


@given(tokens, any_settings())
def test_perfect_match_scores_at_most_1(text, choices):
    assert 0 <= sentence_bleu(text, [text], **choices).value <= 1


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=12), st.sampled_from(["none", "exp"]))
def test_perfect_match_scores_exactly_1_with_effective_order(text, smoothing):
    score = sentence_bleu(text, [text], max_order=9, smoothing=smoothing, effective_order=True)
    assert score.value == 1.0


@pytest.mark.parametrize("smoothing", COMMON)
@pytest.mark.parametrize(("hypothesis", "reference"), [("", "a b"), ("a b", ""), ("", "")])
def test_empty_text_scores_0(smoothing, hypothesis, reference):
    assert sentence_bleu(hypothesis, [reference], smoothing=smoothing).value == 0.0


@pytest.mark.parametrize("smoothing", COMMON)
def test_empty_corpus_scores_0(smoothing):
    score = corpus_bleu([], [], smoothing=smoothing)
    assert score.value == 0.0
    assert score.statistics == Statistics.zero(4)


# Properties


@given(segments, any_settings())
def test_score_is_between_0_and_1(segment, choices):
    assert 0 <= sentence_bleu(*segment, **choices).value <= 1


@given(segments, any_settings())
def test_score_does_not_depend_on_the_order_of_references(segment, choices):
    hypothesis, references = segment
    assert sentence_bleu(hypothesis, references, **choices) == sentence_bleu(
        hypothesis, references[::-1], **choices
    )


@given(segments, any_settings())
def test_corpus_of_one_segment_scores_as_the_sentence(segment, choices):
    hypothesis, references = segment
    assert corpus_bleu([hypothesis], [references], **choices) == sentence_bleu(
        hypothesis, references, **choices
    )


@given(corpora, any_settings(), st.randoms())
def test_score_does_not_depend_on_the_order_of_segments(segments, choices, random):
    shuffled = random.sample(segments, len(segments))
    assert score_corpus(segments, **choices) == score_corpus(shuffled, **choices)


@given(corpora, any_settings(), st.integers(0, 5))
def test_corpus_statistics_are_the_sum_of_two_parts(segments, choices, cut):
    parts = [score_corpus(part, **choices) for part in (segments[:cut], segments[cut:])]
    total = parts[0].statistics + parts[1].statistics
    score = score_corpus(segments, **choices)
    assert score.statistics == total
    assert score == compute(total, Settings(**choices))


@given(corpora, any_settings())
def test_corpus_statistics_are_the_sum_of_its_sentences(segments, choices):
    sentences = [sentence_bleu(*segment, **choices).statistics for segment in segments]
    total = Statistics.sum(sentences, choices["max_order"])
    assert score_corpus(segments, **choices).statistics == total


@given(corpora, any_settings())
def test_score_depends_only_on_which_tokens_are_equal(segments, choices):
    choices |= {"lowercase": False}
    labels = {}

    def relabel(text):
        return [labels.setdefault(token, len(labels)) for token in text]

    relabelled = [
        (relabel(hypothesis), list(map(relabel, references))) for hypothesis, references in segments
    ]
    assert score_corpus(relabelled, **choices) == score_corpus(segments, **choices)


@given(corpora, any_settings())
def test_lowercase_setting_equals_lowercased_texts(segments, choices):
    def lower(text):
        return [token.lower() for token in text]

    lowered = [
        (lower(hypothesis), list(map(lower, references))) for hypothesis, references in segments
    ]
    score = score_corpus(segments, **choices | {"lowercase": True})
    assert score == score_corpus(lowered, **choices | {"lowercase": False})


@given(segments, any_settings(), st.sampled_from(["floor", "add-k", "exp"]))
def test_smoothing_never_lowers_the_score(segment, choices, smoothing):
    choices |= {"smoothing_value": None, "effective_order": False}
    plain = sentence_bleu(*segment, **choices | {"smoothing": "none"})
    smoothed = sentence_bleu(*segment, **choices | {"smoothing": smoothing})
    assert smoothed.value >= plain.value * (1 - 1e-12)


def test_long_text_is_scored():
    words = random.Random(7).choices(WORDS, k=9000)
    score = sentence_bleu(words, [words[:4000] + words[4100:]], max_order=9)
    assert score.total == tuple(9000 - n for n in range(9))
    assert 0.9 < score.value < 1


def test_corpus_may_come_from_generators():
    hypotheses, references = ["a b c d e", "x"], [["a b c d f"], ["x", "y z"]]
    score = corpus_bleu((text for text in hypotheses), iter(references))
    assert score == corpus_bleu(hypotheses, references)


def test_signature_names_every_setting_with_its_default():
    for function in (sentence_bleu, corpus_bleu, bleu.derive, bleu.check_corpus, bleu.Accumulator):
        parameters = inspect.signature(function).parameters
        assert parameters["convention"].default == "default"
        assert parameters["smoothing_value"].kind is inspect.Parameter.KEYWORD_ONLY
        defaults = {name: parameters[name].default for name in SETTING_NAMES}
        assert Settings(**defaults) == Settings()
        assert not any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values())


def test_ipython_completes_the_names_of_settings():
    completer = pytest.importorskip("IPython.core.completer", exc_type=ImportError)
    ipython = completer.IPCompleter(namespace={"bleu": bleu}, use_jedi=False)
    line = "bleu.corpus_bleu(h, r, tok"
    with completer.provisionalcompleter():
        completions = [completion.text for completion in ipython.completions(line, len(line))]
    assert "tokenizer=" in completions


@pytest.mark.parametrize(
    ("keyword", "remedy"),
    [
        ("tokenize", "use tokenizer"),
        ("smooth_method", "use smoothing"),
        ("ngrams", "use max_order"),
    ],
)
def test_keywords_of_other_libraries_are_answered_with_ours(keyword, remedy):
    with pytest.raises(TypeError, match=f"'{keyword}' is not an argument of corpus_bleu; {remedy}"):
        corpus_bleu(["a"], [["a"]], **{keyword: "13a"})


def test_statistics_of_numpy_integers_do_not_overflow():
    np = pytest.importorskip("numpy", exc_type=ImportError)
    counts = np.array([[2**40 - n, 2**40 - n + 1] for n in range(4)])
    statistics = Statistics(tuple(counts[:, 0]), tuple(counts[:, 1]), counts[0, 1], counts[0, 1])
    plain = Statistics(
        tuple(counts[:, 0].tolist()), tuple(counts[:, 1].tolist()), 2**40 + 1, 2**40 + 1
    )
    assert score_statistics(statistics) == score_statistics(plain)


# Refused arguments

REFUSED = [
    ("a b", [["a b"]], TypeError, "hypotheses has type str; give a list with one entry for each"),
    (["a b"], "a b", TypeError, "references has type str; give a list with one entry for each"),
    (None, [["a"]], TypeError, "hypotheses has type NoneType"),
    (["a"], None, TypeError, "references has type NoneType"),
    ((text for text in "ab"), [["a"]], ValueError, "2 hypotheses and 1 lists"),
    ({"a"}, [["a"]], TypeError, "hypotheses has type set"),
    ([b"a"], b"a", TypeError, "references has type bytes"),
    (["a", "b"], ["a", "b"], TypeError, r"references\[0\] is a single text, 'a'"),
    (["a", "b"], [["a"], "b"], TypeError, r"references\[1\] is a single text, 'b'"),
    (["a", "b"], [["a"], []], ValueError, r"references\[1\] is empty"),
    (["a", "b"], [["a"], None], TypeError, r"references\[1\] has type NoneType"),
    (["a", "b"], [["a"], ["b", None]], TypeError, r"reference 2 in references\[1\] is None"),
    (["a"], [[["a"]]], TypeError, r"hypothesis is text and reference 1 in references\[0\] is a l"),
    ([["a"]], [["a"]], TypeError, r"list of tokens and reference 1 in references\[0\] is text"),
    (["a", "b", "c"], [["a"], ["b"]], ValueError, "3 hypotheses and 2 lists .* give one list"),
    (["a"], [["a"], ["b", "c"]], ValueError, "1 hypotheses and 2 lists .* give one list"),
    ([], [["a"]], ValueError, "0 hypotheses and 1 lists"),
    (["a", "b", "c"], [["a", "b", "c"]], ValueError, "3 hypotheses and 1 lists .* transposed"),
    (["a", "b", "c"], [list("abc"), list("def")], ValueError, "look transposed"),
]


@pytest.mark.parametrize(("hypotheses", "references", "exception", "message"), REFUSED)
def test_invalid_corpus_is_refused_with_the_reason(hypotheses, references, exception, message):
    with pytest.raises(exception, match=message):
        corpus_bleu(hypotheses, references)


def test_lists_of_unequal_length_that_fit_neither_way_are_not_called_transposed():
    with pytest.raises(ValueError, match="3 hypotheses and 2 lists") as error:
        corpus_bleu(["a", "b", "c"], [["a"], ["b"]])
    assert "transposed" not in str(error.value)


@pytest.mark.parametrize("score", [sentence_bleu, corpus_bleu])
def test_settings_are_validated_before_texts(score):
    with pytest.raises(TypeError, match=r"of \w+; choose from: hypothes"):
        score("a", "a", color="red")
    with pytest.raises(ValueError, match="max_order is 12"):
        score("a", "a", max_order=12)


def test_all_public_names_exist():
    for name in bleu.__all__:
        assert hasattr(bleu, name)


# Statistics in parts


def test_statistics_in_parts_score_as_the_whole_corpus():
    segments = [("a b c d", ["a b c d"]), ("a b x", ["a b", "a b c y"]), ("", ["a"])]
    expected = corpus_bleu(*zip(*segments, strict=True), convention="nltk-method2").value
    parts = [bleu.segment_statistics(*segment, convention="nltk-method2") for segment in segments]
    for first, second, third in (parts, parts[::-1]):
        total = pickle.loads(pickle.dumps(first)) + (second + third)
        assert bleu.score_statistics(total, convention="nltk-method2").value == expected > 0
    assert bleu.score_statistics(Statistics.zero(4), convention="nltk-method2").value == 0


def test_statistics_that_do_not_fit_the_settings_are_refused():
    statistics = bleu.segment_statistics("a b", ["a b"])
    with pytest.raises(ValueError, match="have 4 orders and max_order is 2"):
        bleu.score_statistics(statistics, max_order=2)
    with pytest.raises(ValueError, match="have no details"):
        bleu.score_statistics(statistics, convention="nltk-method2")


@pytest.mark.parametrize("value", [None, "a b", 4, [1, 2], Statistics])
def test_other_values_are_not_statistics(value):
    with pytest.raises(TypeError) as error:
        bleu.score_statistics(value)
    assert str(error.value).startswith(f"{value!r} is not a bleu.Statistics; get one from")
    with pytest.raises(TypeError, match=r"is not a bleu\.Statistics"):
        Statistics((1,), (2,), 3, 4) + value


@pytest.mark.parametrize(("matched", "total"), [(1, 0), (3, 2), (-1, 2)])
def test_impossible_statistics_are_refused(matched, total):
    statistics = Statistics((2, matched), (3, total), 3, 3)
    with pytest.raises(ValueError, match=f"have {matched} matches among {total} n-grams"):
        bleu.score_statistics(statistics, max_order=2)


def test_python_s_sum_adds_statistics_and_no_other_number():
    parts = [bleu.segment_statistics(text, ["a b c d"]) for text in ("a b", "c d e", "")]
    assert sum(parts) == bleu.Statistics.sum(parts, 4)
    assert sum([sum(parts[:2]), sum([]), sum(parts[2:])]) == sum(parts)
    with pytest.raises(TypeError, match=r"1 is not a bleu.Statistics"):
        sum(parts, start=1)

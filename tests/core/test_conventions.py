"""Conventions: published values, formulas, and stated faults."""

import math
from fractions import Fraction

import pytest
from hypothesis import given

from bleu import CONVENTIONS, Settings, corpus_bleu, derive, derive_corpus, explain, sentence_bleu
from bleu.core.conventions import convention_settings
from bleu.metric.expressions import Equation
from tests.support.strategies import segments


def value(hypothesis, references, convention, **settings):
    """Return the score of a sentence under a convention."""
    return sentence_bleu(hypothesis, references, convention=convention, **settings).value


NLTK_SCORES = {
    0: (1.82e-231, 1.49e-154, 1.22e-77, 1),
    1: (0.1778, 0.3162, 0.5623, 1),
    2: (0.5946, 0.7071, 0.8409, 1),
    3: (0.3536, 0.5946, 0.8409, 1),
    4: (1, 0.2214, 0.5757, 1),
    5: (0.1925, 0.3904, 0.7032, 1.0106),
    7: (0.1925, 0.4359, 0.7467, 1.0106),
}
"""The scores by NLTK's methods of a perfect text of 1, 2, 3 and 4 tokens."""


@pytest.mark.parametrize("method", NLTK_SCORES)
@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_nltk_scores_of_perfect_short_texts(method, length):
    text = ["a", "b", "c", "d"][:length]
    expected = NLTK_SCORES[method][length - 1]
    assert value(text, [text], f"nltk-method{method}") == pytest.approx(expected, rel=4e-3)


@pytest.mark.parametrize(
    ("convention", "hypothesis", "references", "expected"),
    [
        ("sacrebleu", "a", ["a"], 0),
        ("sacrebleu-sentence", "a", ["a"], 1),
        ("sacrebleu-sentence-add-k", "a x", ["a b"], 0.5**0.5),
        ("huggingface-evaluate", "a", ["a"], 0),
        ("huggingface-evaluate-smooth", "a b c d", ["e f g h"], 0.302),
        ("huggingface-evaluate-smooth", "a", ["b"], 0.841),
        ("mteval-v13a", "a", ["a"], 1),
        ("mteval-v13a", "a b c d", ["e f g h"], 0.0799),
        ("mteval-v13a", "A B C D", ["a b c d"], 1),
        ("mteval-v13a", "É B C D F", ["é b c d f"], (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25),
        ("mteval-v14", "É B C D F", ["é b c d f"], 1),
        ("moses-sentence", "a b c d", ["e f g h"], (1 / 5 * 1 / 4 * 1 / 3 * 1 / 2) ** 0.25),
        ("multi-bleu", "a b c d", ["a b c d"], 1),
        ("torchmetrics-smooth", "a b c x", ["a b c d"], 0),
        ("fairseq-sentence", "a b", ["a b"], 1),
        ("tensor2tensor", "A b", ["a B"], 1),
        ("coco-caption", "hello there world", ["hello there world"], (1e-6) ** 0.25),
        ("torcheval", "a b c d", ["a b c d e", "a b"], 1),
        ("torcheval", "a b c", ["a b c"], 0),
        ("ignite", "a b c d", ["a b c d e"], math.exp(1 - 5 / 4)),
        ("codexglue", "Get_item's", ["get_item'S"], 1),
        ("codexglue", "a b", ["a b c d"], math.exp(1 - 5 / 3)),
        ("codexglue", "a x y", ["a b c"], (1 / 3 * 1 / 3 * 1 / 2) ** 0.25),
        ("papineni", "The Cat is here", ["the cat is here"], 1),
        ("default", "The Cat is here", ["the cat is here"], 0),
    ],
)
def test_scores_of_short_texts(convention, hypothesis, references, expected):
    assert value(hypothesis, references, convention) == pytest.approx(expected, rel=2e-3)


def test_scores_of_the_r_packages_example():
    candidates = [[1, 2, 3], [1, 2]]
    references = [[[1, 2, 3], [2, 3, 4]], [[1, 2, 6], [781, 21, 9], [7, 3]]]
    n3 = corpus_bleu(candidates, references, convention="sacrebleu-r", max_order=3).value
    assert n3 == pytest.approx(0.7937005205, abs=1e-10)
    floor = corpus_bleu(candidates, references, convention="sacrebleu-r-floor").value
    assert floor == pytest.approx(0.48427346405845, abs=1e-12)
    add_k = corpus_bleu(candidates, references, convention="sacrebleu-r-add-k").value
    assert add_k == pytest.approx(0.68658904796904, abs=1e-12)


def test_equally_close_lengths_resolve_to_the_first_listed():
    long, short = "a b c d e f g", "a b c d e"
    for convention in ("torchmetrics", "torchtext", "sacrebleu-r"):
        first = value("a b c d e f", [long, short], convention)
        second = value("a b c d e f", [short, long], convention)
        assert first == pytest.approx(math.exp(1 - 7 / 6))
        assert second == 1
    assert value("a b c d e f", [long, short], "nltk-method0") == 1


def test_hugging_face_uses_the_shortest_reference():
    assert value("a b c d", ["a b c d e", "a b"], "huggingface-evaluate") == 1
    assert value("a b c d", ["a b c d e", "a b"], "sacrebleu") == pytest.approx(math.exp(1 - 5 / 4))


@pytest.mark.parametrize("method", [5, 6, 7])
def test_nltk_methods_5_to_7_depend_on_the_last_segment(method):
    segments = [("a b c d e", ["a b c d e"]), ("a b c x", ["a b c y"]), ("a b c d", ["a b c d"])]
    first, second = (
        corpus_bleu(*zip(*ordered, strict=True), convention=f"nltk-method{method}").value
        for ordered in (segments, segments[::-1])
    )
    assert first != second


@pytest.mark.parametrize("name", CONVENTIONS)
def test_convention_prints_the_scores_of_its_example(name):
    convention, texts = CONVENTIONS[name], ("The cat is a dog.", "the cat is on mat")
    references = (["The cat is not a dog, too."], ["the cat is on the mat"])
    scores = [value(*pair, name) * convention.scale for pair in zip(texts, references, strict=True)]
    assert scores == pytest.approx(convention.example, rel=1e-5, abs=0)


@given(segments)
def test_every_equation_holds_under_every_convention(segment):
    for name in CONVENTIONS:
        try:
            derivation = derive(*segment, convention=name)
        except ValueError as error:
            several = len(segment[1]) > 1 and CONVENTIONS[name].single_reference
            nan = name.startswith("sacrebleu-r") and "gives NaN" in str(error)
            empty = "length is 0" in str(error) and not (segment[0] and all(segment[1]))
            assert several or nan or empty or name.startswith("nltk-method6")
            continue
        for step in explain(derivation).steps:
            for block in step.blocks:
                if isinstance(block, Equation):
                    assert block.holds, (name, block)


@pytest.mark.parametrize("name", CONVENTIONS)
def test_difference_and_caveats_are_stated(name):
    convention = CONVENTIONS[name]
    assert convention.difference.endswith(".")
    assert convention.known_issue == "" or convention.known_issue.endswith(".")
    assert convention.scale in {1, 100}
    assert convention_settings(name) == Settings(**convention.settings)
    perfect = value("a b c d", ["a b c d"], name)
    assert perfect <= 1 or "exceed the full score" in convention.known_issue
    if not name.startswith("nltk-method6"):
        unmatched = value("a b c d", ["e f g h"], name)
        assert unmatched == 0 or "above 0" in convention.known_issue or name == "coco-caption"


@pytest.mark.parametrize("name", CONVENTIONS)
def test_failure_on_empty_texts_is_a_caveat(name):
    convention = CONVENTIONS[name]
    caveats = {
        "scored": [],
        "mteval-v13a": ["It fails where all hypotheses or all references are empty."],
        "huggingface-evaluate": ["It fails on an empty text."],
        "multi-bleu": ["It fails on an empty hypothesis, unless the reference is empty, too."],
    }
    if name == "codexglue":  # It scores an empty text, and wrongly.
        assert "empty_side" not in convention.settings
        return
    rule = convention.settings.get("empty_side", "scored")
    assert convention.caveats_for({"empty"}) == caveats[rule]


EMPTY_CORPORA = {
    "hypothesis": ([""], [["a b"]]),
    "hypotheses": (["", " "], [["a b"], ["c"]]),
    "reference": (["a b"], [[""]]),
    "one of two references": (["a b"], [["a b", ""]]),
    "both": ([""], [[""]]),
    "one of two hypotheses": (["", "a b c d e"], [["a b"], ["a b c d e"]]),
    "references of one segment": (["a", "a b c d e"], [[""], ["a b c d e"]]),
}
EVALUATE = {"hypothesis": "hypothesis", "hypotheses": "hypothesis", "reference": "reference",
            "one of two references": "reference", "both": "reference"}  # fmt: skip
FAILURES = {
    "huggingface-evaluate": EVALUATE,
    "huggingface-evaluate-smooth": EVALUATE,
    "multi-bleu": {"hypothesis": "hypothesis", "hypotheses": "hypothesis"},
    "mteval-v13a": {side: text for side, text in EVALUATE.items() if side[:3] != "one"},
}
"""The length of 0 by which the implementations divide, as seen when they were run."""


@pytest.mark.parametrize("case", EMPTY_CORPORA)
@pytest.mark.parametrize("name", FAILURES)
def test_empty_texts_are_refused_if_the_implementation_fails(name, case):
    hypotheses, references = EMPTY_CORPORA[case]
    scorers = [lambda: corpus_bleu(hypotheses, references, convention=name)]
    if len(hypotheses) == 1:
        scorers.append(lambda: sentence_bleu(hypotheses[0], references[0], convention=name))
    side = FAILURES[name].get(case)
    for scorer in scorers:
        if side is None:
            value = scorer().value
            assert case != "one of two hypotheses" or value == pytest.approx(math.exp(1 - 7 / 5))
            continue
        rule = name.removesuffix("-smooth")
        with pytest.raises(ValueError, match=f"the {side} length is 0, and {rule} fails on that;"):
            scorer()


def test_empty_closest_reference_is_refused_even_if_every_order_matches():
    with pytest.raises(ValueError, match="the reference length is 0, and mteval-v13a fails"):
        sentence_bleu("b", ["", "b c d e"], convention="mteval-v13a", max_order=1)


@pytest.mark.parametrize("name", CONVENTIONS)
def test_corpus_without_segments_scores_0(name):
    corpus = derive_corpus([], [], convention=name)
    assert corpus.score.value == corpus_bleu([], [], convention=name).value == 0
    for step in explain(corpus).steps:
        assert all(block.holds for block in step.blocks if isinstance(block, Equation))


@pytest.mark.parametrize("name", [name for name in CONVENTIONS if name.startswith("sacrebleu")])
def test_sacrebleu_treats_missing_orders_as_stated(name):
    difference = CONVENTIONS[name].difference
    score = derive("a b x", ["a b c"], convention=name).score
    if "counts as 1" in difference:
        assert score.precisions[3] == 1
        assert score.shares.numerators[3] > 0
    if "left out" in difference:
        assert score.shares.numerators[3] == 0
    if "makes the score 0" in difference:
        assert score.value == score.precisions[3] == 0


def test_keywords_override_settings_of_a_convention():
    assert value("a b", ["a b"], "sacrebleu", effective_order=True) == 1
    settings = derive("a b", ["a b"], convention="nltk-method1", smoothing_value=0.5).settings
    assert settings.smoothing_value == Fraction(1, 2)


@pytest.mark.parametrize(
    ("choices", "exception", "message"),
    [
        ({"convention": "nltk"}, ValueError, r"convention is 'nltk'; choose one of: nltk-method0,"),
        ({"convention": "nltk-method1", "colour": 1}, TypeError, "'colour' is not an argument"),
        (
            {"convention": "sacrebleu-r-add-k", "smoothing_value": 0.5},
            ValueError,
            r"smoothing_value is 0\.5, and the R package truncates k; choose a whole number",
        ),
        ({"too_short": "never"}, ValueError, r"choose one of: smoothed, zero, one, zero-of-one"),
    ],
)
def test_invalid_choices_are_refused(choices, exception, message):
    with pytest.raises(exception, match=message):
        sentence_bleu("a", ["a"], **choices)

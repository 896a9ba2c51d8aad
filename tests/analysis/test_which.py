"""Which BLEU a number is: the digits, the search, its order, and what it refuses."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleu
from bleu.analysis import which as search
from bleu.analysis.preprocessing import COUNTED_ORDERS, MANY_REFERENCES, _clipped_matches
from bleu.analysis.reported import parse_reported_score
from bleu.analysis.which import MISTAKES, iter_which, recipes, which
from bleu.analysis.which_code import candidate_code, file_reading_code
from bleu.core.clipping import clipped_matches
from bleu.core.segment import count_tokens
from bleu.explanation.which import (
    MISTAKE_NAMES,
    MISTAKE_WORDS,
    candidate_label,
    candidate_reason,
    equivalents_text,
    verdict,
)
from tests.support.strategies import HOSTILE

LINES = st.lists(st.sampled_from(["a", "B", "b", "c.", "d"]), max_size=8).map(" ".join)
HYPOTHESES = ["The cat sat on a mat.", "It rains today", "so it goes on and on, and on", "a dog"]
REFERENCES = [
    ["The cat sits on a mat.", "the cat sat on the mat."],
    ["it rains today", "It is raining today"],
    ["So it goes on and on and on", "so it goes on, and on"],
    ["a dog barks", "a dog"],
]


@given(st.decimals(0, 999, places=3), st.sampled_from([".", ","]), st.sampled_from(["", "%", " %"]))
def test_digits_are_read_exactly(number, point, sign):
    read = parse_reported_score(f" {number}{sign}\n".replace(".", point))
    assert (read.number, read.unit) == (Fraction(number), Fraction(1, 1000))
    assert read.percent == bool(sign)


@pytest.mark.parametrize(
    ("text", "scales"),
    [
        ("26.6", (100,)),
        ("0.266", (1, 100)),
        ("1.0106", (1, 100)),
        ("0.5 %", (100,)),
        ("2", (1, 100)),
    ],
)
def test_scales(text, scales):
    assert parse_reported_score(text).scales == scales


@given(st.floats(0, 1), st.integers(1, 6))
def test_a_rounded_value_agrees_and_one_a_unit_away_does_not(value, places):
    for scale in (1, 100):
        text = f"{value * scale:.{places}f}"
        assert parse_reported_score(text).agreement(value, scale) == "rounded"
        assert not parse_reported_score(text).agreement(value + 1.6 / scale / 10**places, scale)


def test_a_whole_number_is_exact_on_the_scale_of_0_to_1():
    assert (
        parse_reported_score("1").agreement(1.0, 1)
        == parse_reported_score("0").agreement(0.0, 1)
        == "rounded"
    )
    assert not parse_reported_score("1").agreement(0.9, 1)
    assert not parse_reported_score("0").agreement(0.2, 1)
    assert parse_reported_score("1").agreement(0.012, 100) == "rounded"


def test_digits_in_full_agree_in_spite_of_rounding_errors():
    value = bleu.sentence_bleu("the cat is on mat", ["the cat is on the mat"]).value
    assert parse_reported_score(repr(value + 2e-16)).agreement(value, 1)
    assert not parse_reported_score(repr(value)).agreement(value + 1e-8, 1)
    assert parse_reported_score(repr(value)).agreement(value + 1e-8, 1, single=True)


@pytest.mark.parametrize(
    "text", ["", "x", "-1", "1,234.5", "nan", "inf", "1 2", "1e", "٪", *HOSTILE]
)
def test_what_is_no_number_is_refused(text):
    with pytest.raises(ValueError, match="give one number"):
        parse_reported_score(text)


@pytest.mark.parametrize("text", ["1001", "26600", "1e9", "1e9999"])
def test_what_is_no_score_is_refused(text):
    with pytest.raises(ValueError, match=r"at most 100|exponent"):
        parse_reported_score(text)


def test_a_float_is_refused():
    with pytest.raises(TypeError, match="give it as text"):
        parse_reported_score(26.6)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (("a", [["a"]]), "hypotheses is a str"),
        ((["a"], "a"), "references is a str"),
        (([], []), "no segments"),
        ((["a"], []), "1 hypotheses and 0 lists of references"),
        ((["a"], ["a"]), r"references\[0\] is a single text"),
        ((["a"], [[]]), r"references\[0\] is empty"),
        (([["a"]], [[["a"]]]), r"hypotheses\[0\] is \['a'\]; give text"),
    ],
)
def test_texts_that_are_none_are_refused(texts, message):
    with pytest.raises((TypeError, ValueError), match=message):
        next(iter_which(parse_reported_score("1"), *texts))


@settings(max_examples=5)
@given(st.lists(st.tuples(LINES, st.lists(LINES, min_size=1, max_size=2)), min_size=1, max_size=3))
def test_what_is_found_without_a_mistake_is_what_the_library_computes(corpus):
    hypotheses = [hypothesis for hypothesis, _ in corpus]
    references = [list(own) for _, own in corpus]
    answer = which(parse_reported_score("0.3"), hypotheses, references)
    for one in answer.found or answer.nearest:
        for other in (one, *one.equivalents):
            if other.mistakes:
                continue
            number = other.preprocessing.reference
            own = [[each[number - 1]] if number else each for each in references]
            score = bleu.corpus_bleu(hypotheses, own, other.settings)
            assert other.value == pytest.approx(score.value, rel=1e-9, abs=1e-12)


def test_progress_goes_up_to_the_end():
    steps = list(iter_which(parse_reported_score("0.3"), HYPOTHESES, REFERENCES))
    assert steps == sorted(steps)
    assert steps[-1][0] == steps[-1][1]


def test_it_can_be_stopped():
    steps = iter_which(parse_reported_score("0.3"), HYPOTHESES, REFERENCES)
    next(steps)
    steps.close()
    with pytest.raises(StopIteration):
        next(steps)


def test_the_likeliest_comes_first_and_nothing_twice():
    answer = which(parse_reported_score("0.6"), HYPOTHESES, REFERENCES)
    costs = [one.cost for one in answer.found]
    assert costs == sorted(costs)
    assert len(costs) > 3
    for one in answer.found:
        ways = [(way.convention, way.mistakes) for way in (one, *one.equivalents)]
        assert len(set(ways)) == len(ways)
        assert min(each.cost for each in (one, *one.equivalents)) == one.cost
    values = [one.value for one in answer.found]
    assert len({round(value, 9) for value in values}) == len(values)


def test_a_tool_as_it_is_stands_before_a_mistake():
    value = bleu.corpus_bleu(HYPOTHESES, REFERENCES, convention="sacrebleu").value
    first = which(parse_reported_score(f"{100 * value:.1f}"), HYPOTHESES, REFERENCES).found[0]
    assert (first.convention, first.mistakes, first.cost) == ("sacrebleu", (), 0)
    assert first.conventions[0] == "sacrebleu"
    assert first.signature == bleu.Settings(
        tokenizer="13a", smoothing="exp", too_short="zero"
    ).signature(2)


def test_the_case_tells_two_numbers_apart():
    folded = bleu.corpus_bleu(HYPOTHESES, REFERENCES, convention="sacrebleu", lowercase=True).value
    found = which(parse_reported_score(f"{100 * folded:.2f}"), HYPOTHESES, REFERENCES).found[0]
    assert (found.convention, found.settings.lowercase) == ("sacrebleu", True)
    assert candidate_label(found) == "sacreBLEU corpus_bleu, case folded"


def test_where_nothing_agrees_the_nearest_are_named():
    answer = which(parse_reported_score("97.7512"), HYPOTHESES, REFERENCES)
    assert answer.found == ()
    distances = [one.distance for one in answer.nearest]
    assert distances == sorted(distances)
    assert distances[0] > 0
    assert "none agrees with 97.7512. The nearest:" in verdict(answer)


def test_a_different_number_of_references():
    references = [REFERENCES[0], REFERENCES[1][:1], *REFERENCES[2:]]
    value = bleu.corpus_bleu(HYPOTHESES, references, convention="sacrebleu").value
    first = which(parse_reported_score(f"{100 * value:.4f}"), HYPOTHESES, references).found[0]
    assert first.convention == "sacrebleu"
    assert first.references is None
    assert first.signature.startswith("nrefs:var|")


@pytest.mark.parametrize("text", ["", " ", *HOSTILE])
def test_odd_texts(text):
    answer = which(parse_reported_score("0"), [text], [[text]])
    for one in (*answer.found, *answer.nearest):
        assert candidate_label(one)
        assert candidate_reason(one)
        equivalents_text(one)
        compile(candidate_code(one, file_reading_code(text, [text])), "code", "exec")


def test_many_references_credit_as_few_do():
    texts = ("a", "b", "a", "c"), (("a", "b", "a"), ("b", "a", "c")) * MANY_REFERENCES
    assert _clipped_matches(*texts) == clipped_matches(*texts, COUNTED_ORDERS)


def test_every_mistake_has_words_and_every_recipe_is_computed():
    assert set(MISTAKE_WORDS) == set(MISTAKE_NAMES) == set(MISTAKES)
    for recipe in recipes():
        tokens = (["a", "b", "c", "d", "e", "f"], [["a", "b", "c", "d", "f", "e"]])
        texts = tuple(tokens[0]), tuple(map(tuple, tokens[1]))
        assert len(count_tokens(texts, recipe.settings).matched) == recipe.settings.max_order


def test_every_convention_has_its_place_in_the_search():
    """A convention that is added is put where it belongs, or here."""
    alone = {*search.AVERAGED_TOOLS, *search.AVERAGED_UNCHANGED}
    assert set(search.NAMES) - alone == {
        "default", "papineni", "torchtext", "fairseq", "tensor2tensor", "multi-bleu",
        "mteval-v13a", "mteval-v14", "sacrebleu-none", "sacrebleu-floor", "sacrebleu-add-k",
        "sacrebleu-r", "sacrebleu-r-floor", "sacrebleu-r-add-k",
    }  # fmt: skip
    lesser = set(search.NAMES) - set(search.TOOL_DEFAULTS)
    assert {name.rpartition("-")[0] for name in lesser} <= {
        "nltk", "torchmetrics", "huggingface-evaluate", "sacrebleu", "sacrebleu-sentence",
        "sacrebleu-sentence-add", "sacrebleu-add", "sacrebleu-r", "sacrebleu-r-add",
    }  # fmt: skip
    lists = (search.TOOLS_BY_POPULARITY, search.FIXED_TOKENIZER, search.RARITY_COSTS, search.SENTENCE_TOOLS,
             search.CORPUS_TOOLS, search.TOOL_DEFAULTS, search.ZERO_WEIGHT_SENSITIVE, alone)  # fmt: skip
    for names in lists:
        assert set(names) <= set(search.NAMES)


def test_weights_are_mistaken_only_where_that_gives_another_number():
    weighted = [one for one in recipes() if one.settings.weights or "weights" in one.mistake]
    orders = {mistake: {one.order for one in weighted if one.mistake == mistake} for mistake in
              ("one-order", "weights-of-0.33", "")}  # fmt: skip
    assert orders == {"one-order": {2, 3, 4}, "weights-of-0.33": {3}, "": {1, 2, 3}}
    assert all(name.startswith("nltk-") for one in weighted for name in one.conventions)
    assert {name for one in weighted if not one.mistake for name in one.conventions} == {
        *("nltk-method5", "nltk-method6", "nltk-method7")
    }

"""The search for the BLEU behind a number: digits, candidates, their order, and errors."""

import math
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleu
from bleu import CONVENTIONS
from bleu.analysis.calls import MISTAKES, TRIED_TOKENIZERS, Preprocessing
from bleu.analysis.which import iter_which, parse_reported_score, which
from bleu.analysis.which_code import candidate_code, file_reading_code
from bleu.analysis.which_search import SearchTask, recipes
from bleu.core.conventions import convention_settings
from bleu.core.segment import count_tokens
from bleu.core.tokenizers import PRIVATE_TOKENIZERS
from bleu.explanation.which import (
    candidate_label,
    candidate_reason,
    equivalents_text,
    verdict,
)
from bleu.files.parallel import ParallelTexts
from tests.support.case_selection import fast_and_slow
from tests.support.strategies import HOSTILE

LINES = st.lists(st.sampled_from(["a", "B", "b", "c.", "d"]), max_size=8).map(" ".join)
HYPOTHESES = ["The cat sat on a mat.", "It rains today", "so it goes on and on, and on", "a dog"]
REFERENCES = [
    ["The cat sits on a mat.", "the cat sat on the mat."],
    ["it rains today", "It is raining today"],
    ["So it goes on and on and on", "so it goes on, and on"],
    ["a dog barks", "a dog"],
]


def search(number, hypotheses=HYPOTHESES, references=REFERENCES):
    """Return the result for a number as it is typed."""
    return which(parse_reported_score(number), hypotheses, references)


@pytest.mark.parametrize("name", CONVENTIONS)
def test_tokenizer_of_each_convention_is_tried(name):
    tokenizer = convention_settings(name).tokenizer
    assert tokenizer in {*TRIED_TOKENIZERS, *PRIVATE_TOKENIZERS}


@pytest.mark.parametrize("name", PRIVATE_TOKENIZERS)
def test_private_tokenizer_belongs_to_the_convention_of_its_name(name):
    assert convention_settings(name).tokenizer == name


@given(st.decimals(0, 999, places=3), st.sampled_from([".", ","]), st.sampled_from(["", "%", " %"]))
def test_digits_are_parsed_exactly(number, point, sign):
    score = parse_reported_score(f" {number}{sign}\n".replace(".", point))
    assert (score.number, score.unit) == (Fraction(number), Fraction(1, 1000))
    assert score.percent == bool(sign)


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
def test_scales_follow_from_size_and_percent_sign(text, scales):
    assert parse_reported_score(text).scales == scales


@given(st.floats(0, 1), st.integers(1, 6))
def test_rounded_value_agrees_and_value_one_unit_away_does_not(value, decimals):
    for scale in (1, 100):
        score = parse_reported_score(f"{value * scale:.{decimals}f}")
        assert score.agreement(value, scale) == "rounded"
        assert not score.agreement(value + 1.6 / scale / 10**decimals, scale)


def test_whole_number_is_exact_on_the_scale_of_0_to_1():
    assert parse_reported_score("1").agreement(1.0, 1) == "rounded"
    assert parse_reported_score("0").agreement(0.0, 1) == "rounded"
    assert not parse_reported_score("1").agreement(0.9, 1)
    assert not parse_reported_score("0").agreement(0.2, 1)
    assert parse_reported_score("1").agreement(0.012, 100) == "rounded"


def test_all_digits_agree_despite_rounding_errors():
    value = bleu.sentence_bleu("the cat is on mat", ["the cat is on the mat"]).value
    assert parse_reported_score(repr(value + 2e-16)).agreement(value, 1)
    assert not parse_reported_score(repr(value)).agreement(value + 1e-8, 1)
    assert parse_reported_score(repr(value)).agreement(value + 1e-8, 1, single=True)


@pytest.mark.parametrize(
    "text", ["", "x", "-1", "1,234.5", "nan", "inf", "1 2", "1e", "٪", *HOSTILE]
)
def test_text_without_one_number_is_refused(text):
    with pytest.raises(ValueError, match="give one number"):
        parse_reported_score(text)


@pytest.mark.parametrize("text", ["1001", "26600", "1e9", "1e9999"])
def test_number_beyond_any_score_is_refused(text):
    with pytest.raises(ValueError, match=r"at most 100|exponent"):
        parse_reported_score(text)


def test_float_is_refused():
    with pytest.raises(TypeError, match="give it as text"):
        parse_reported_score(26.6)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (("a", [["a"]]), "hypotheses has type str"),
        ((["a"], "a"), "references has type str"),
        (([], []), "no segments"),
        ((["a"], []), "1 hypotheses and 0 lists of references"),
        ((["a"], ["a"]), r"references\[0\] is a single text"),
        ((["a"], [[]]), r"references\[0\] is empty"),
        (([["a"]], [[["a"]]]), r"hypotheses\[0\] is \['a'\]; give text"),
    ],
)
def test_invalid_texts_are_refused(texts, message):
    with pytest.raises((TypeError, ValueError), match=message):
        next(iter_which(parse_reported_score("1"), *texts))


@settings(max_examples=5)
@given(st.lists(st.tuples(LINES, st.lists(LINES, min_size=1, max_size=2)), min_size=1, max_size=3))
def test_candidate_without_a_mistake_has_the_score_of_its_settings(corpus):
    hypotheses = [hypothesis for hypothesis, _ in corpus]
    references = [references for _, references in corpus]
    result = search("0.3", hypotheses, references)
    for candidate in result.found or result.nearest:
        for way in (candidate, *candidate.equivalents):
            if way.mistakes:
                continue
            number = way.preprocessing.reference
            selected = [[each[number - 1]] if number else each for each in references]
            score = bleu.corpus_bleu(hypotheses, selected, way.settings)
            assert way.value == pytest.approx(score.value, rel=1e-9, abs=1e-12)


def test_lines_taken_for_tokens_are_lowercased_by_tools_that_lowercase():
    lines = ["A b", "c d", "e f", "g h", "i j"]
    references = [[line.lower()] for line in lines]
    found = search("0.8", lines, references).found
    ways = [way for candidate in found for way in (candidate, *candidate.equivalents)]
    by_lines = [way for way in ways if way.mistakes == ("lines",)]
    assert "default" in {way.convention for way in by_lines}
    assert not any(way.settings.lowercase for way in by_lines)


@pytest.mark.parametrize("number", ["0", "1"])
def test_tools_that_fail_on_empty_texts_are_no_candidates(number):
    for candidate in search(number, [""], [[""]]).found:
        for way in (candidate, *candidate.equivalents):
            if not way.mistakes:
                assert bleu.corpus_bleu([""], [[""]], way.settings).value == way.value


def test_progress_ascends_to_the_total():
    steps = list(iter_which(parse_reported_score("0.3"), HYPOTHESES, REFERENCES))
    assert steps == sorted(steps)
    assert steps[-1][0] == steps[-1][1]


def test_search_can_be_closed():
    steps = iter_which(parse_reported_score("0.3"), HYPOTHESES, REFERENCES)
    next(steps)
    steps.close()
    with pytest.raises(StopIteration):
        next(steps)


def test_candidates_are_sorted_by_cost_and_distinct():
    found = search("0.6").found
    costs = [candidate.cost for candidate in found]
    assert costs == sorted(costs)
    assert len(costs) > 3
    for candidate in found:
        ways = (candidate, *candidate.equivalents)
        assert len({(way.convention, way.mistakes) for way in ways}) == len(ways)
        assert min(way.cost for way in ways) == candidate.cost
    values = [candidate.value for candidate in found]
    assert len({round(value, 9) for value in values}) == len(values)


def test_defaults_of_a_tool_come_before_mistakes():
    value = bleu.corpus_bleu(HYPOTHESES, REFERENCES, convention="sacrebleu").value
    first = search(f"{100 * value:.1f}").found[0]
    assert (first.convention, first.mistakes, first.cost) == ("sacrebleu", (), 0)
    assert first.conventions[0] == "sacrebleu"
    assert first.signature == bleu.Settings(
        tokenizer="13a", smoothing="exp", too_short="zero"
    ).signature(2)


def test_mean_of_a_sentence_tool_with_a_tokenizer_of_its_own_is_found():
    references = [row[:1] for row in REFERENCES]
    pairs = zip(HYPOTHESES, references, strict=True)
    scores = [bleu.sentence_bleu(*pair, convention="codexglue").value for pair in pairs]
    [candidate] = search(f"{sum(scores) / len(scores):.6f}", references=references).found
    assert (candidate.convention, candidate.mistakes) == ("codexglue", ("mean-of-sentences",))


def test_case_distinguishes_two_numbers():
    score = bleu.corpus_bleu(HYPOTHESES, REFERENCES, convention="sacrebleu", lowercase=True)
    first = search(f"{100 * score.value:.2f}").found[0]
    assert (first.convention, first.settings.lowercase) == ("sacrebleu", True)
    assert candidate_label(first) == "sacreBLEU corpus_bleu, case folded"


def test_nearest_candidates_are_listed_if_none_agrees():
    result = search("97.7512")
    assert result.found == ()
    distances = [candidate.distance for candidate in result.nearest]
    assert distances == sorted(distances)
    assert distances[0] > 0
    assert "none agrees with 97.7512. The nearest:" in verdict(result)
    assert verdict(result).startswith("No usual way to compute BLEU gives 97.7512; first check")


def test_verdict_doubts_the_texts_if_only_mistakes_give_the_number():
    by_mistake = which("0.7744", ["the cat sat on a mat"], [["the cat sits on a mat"]])
    assert verdict(by_mistake).startswith("No usual way to compute BLEU gives 0.7744; first check")
    usual = which("100", ["a b c d"], [["a b c d"]])
    assert any(not candidate.mistakes for candidate in usual.found)
    assert "No usual way" not in verdict(usual)


def test_one_minus_zero_is_no_candidate_for_1():
    """Only coco-caption, whose score is not quite 0, gives almost 1 as 1 - BLEU."""
    found = search("1", ["a b c d e"], [["v w x y z"]]).found
    assert [(candidate.convention, candidate.mistakes) for candidate in found] == [
        ("coco-caption", ("one-minus",))
    ]
    assert found[0].equivalents == ()


def test_number_of_references_may_vary():
    references = [REFERENCES[0], REFERENCES[1][:1], *REFERENCES[2:]]
    value = bleu.corpus_bleu(HYPOTHESES, references, convention="sacrebleu").value
    first = search(f"{100 * value:.4f}", references=references).found[0]
    assert first.convention == "sacrebleu"
    assert first.references is None
    assert first.signature.startswith("nrefs:var|")


@pytest.mark.parametrize("text", fast_and_slow(8, ["", " ", *HOSTILE]))
def test_hostile_texts_have_labels_and_valid_code(text):
    result = search("0", [text], [[text]])
    for candidate in (*result.found, *result.nearest):
        assert candidate_label(candidate)
        assert candidate_reason(candidate)
        equivalents_text(candidate)
        compile(candidate_code(candidate, file_reading_code(text, [text])), "code", "exec")


@pytest.mark.parametrize(
    ("number", "convention", "sentence"),
    [
        ("0.7", "nltk-method0", ""),
        ("70", "nltk-method0", "It was reported on a scale of 0 to 100."),
        ("70", "sacrebleu", ""),
        ("0.7", "sacrebleu", "It was reported on a scale of 0 to 1."),
    ],
)
def test_reason_names_a_scale_other_than_that_of_the_tool(number, convention, sentence):
    candidate = search(number).found[0]
    reason = candidate_reason(replace(candidate, convention=convention, mistakes=()))
    assert reason.endswith(sentence)
    assert ("reported on a scale" in reason) == bool(sentence)


@pytest.mark.parametrize("name", sorted({*MISTAKES} - {""}))
def test_every_mistake_is_described(name):
    assert re.fullmatch(r".*[^.]\.", MISTAKES[name].sentence)
    assert not MISTAKES[name].label.endswith(".")


def test_three_departures_from_the_defaults_of_a_tool_are_tried():
    texts = ["The Cat, sat on a mat."], [["the cat sat on a Mat."]]
    choices = {"tokenizer": "char", "lowercase": True, "max_order": 2}
    value = bleu.sentence_bleu(texts[0][0], texts[1][0], convention="sacrebleu-sentence", **choices)
    result = which(parse_reported_score(f"{100 * value.value:.6f}"), *texts)
    conventions = {name for found in result.found for name in found.conventions}
    assert "sacrebleu-sentence" in conventions


def test_every_recipe_can_be_computed():
    tokens = (tuple("abcdef"), (tuple("abcdfe"),))
    for recipe in recipes():
        statistics = count_tokens(tokens, recipe.settings)
        assert len(statistics.matched) == recipe.settings.max_order


def test_each_convention_has_a_rank_of_its_own():
    ranks = {convention.rank for convention in CONVENTIONS.values()}
    assert len(ranks) == len(CONVENTIONS)


@pytest.mark.parametrize(
    ("number", "hypothesis", "reference", "mistakes"),
    [
        # Stack Overflow 40542523, "NLTK: corpus-level bleu vs sentence-level BLEU score".
        ("0.6025286104785453", "This is cat", "This is a cat", ("nltk-3.2",)),
        # "A Gentle Introduction to Calculating the BLEU Score for Text in Python", first edition.
        ("0.7071067811865475", "this is a test", "this is small test", ("nltk-3.2",)),
        ("0.632878", "this is a test", "this is small test", ("weights-of-0.33", "nltk-3.2")),
        # Stack Overflow 32395880, "Calculate BLEU score in Python".
        ("0.4548019047027907", "It is a cat at room", "It is a cat inside the room", ()),
        # nltk/nltk, issues 1285 and 1539.
        (
            "0.638943104246272",
            "it is a guide to action",
            "it is a guide to action",
            ("not-nested", "nltk-3.2"),
        ),
        ("0.7598356856515925", "a b d", "a b c", ("nltk-3.2",)),
    ],
)
def test_published_numbers_of_old_nltk_are_found_first(number, hypothesis, reference, mistakes):
    first = search(number, [hypothesis], [[reference]]).found[0]
    assert (first.convention, first.mistakes) == ("nltk-method0", mistakes)


def old_nltk_score(segments, order):
    """Return the score of NLTK 3.2 to 3.2.5, and whether an order without a match was left out."""
    matched, total = [0] * order, [0] * order
    for hypothesis, reference in segments:
        for n in range(order):
            grams, reference_grams = (
                Counter(zip(*(line.split()[start:] for start in range(n + 1)), strict=False))
                for line in (hypothesis, reference)
            )
            matched[n] += (grams & reference_grams).total()
            total[n] += max(1, grams.total())
    if not matched[0]:
        return 0.0, False
    c, r = (sum(len(line.split()) for line in lines) for lines in zip(*segments, strict=True))
    logs = [math.log(m / t) / order for m, t in zip(matched, total, strict=True) if m]
    return min(1.0, math.exp(1 - r / c)) * math.exp(sum(logs)), not all(matched)


@given(st.lists(st.tuples(LINES, LINES), min_size=1, max_size=3))
def test_old_nltk_leaves_out_orders_without_a_match_and_their_weights(corpus):
    hypotheses, references = zip(*corpus, strict=True)
    texts = ParallelTexts([hypotheses], tuple((reference,) for reference in references))
    task = SearchTask(Preprocessing("whitespace"), texts)
    list(task.run())
    found = {
        (scored.recipe.order, *scored.mistakes): scored.value
        for scored in task.values
        if "nltk-3.2" in scored.mistakes and "weights-of-0.33" not in scored.mistakes
    }
    expected = {}
    for order in (2, 3, 4):
        value, differs = old_nltk_score(corpus, order)
        if differs:
            expected[order, "nltk-3.2"] = value
        scores = [old_nltk_score([pair], order) for pair in corpus]
        if len(corpus) > 1 and any(differs for _, differs in scores):
            mean = sum(value for value, _ in scores) / len(corpus)
            expected[order, "nltk-3.2", "mean-of-sentences"] = mean
    assert found == pytest.approx(expected, rel=1e-12)


def test_tools_that_are_no_default_are_variants_of_one():
    variants = {name for name, tool in CONVENTIONS.items() if not tool.is_default}
    assert {name.rpartition("-")[0].removesuffix("-add") for name in variants} == {
        "nltk", "torchmetrics", "huggingface-evaluate", "sacrebleu", "sacrebleu-sentence",
        "sacrebleu-r",
    }  # fmt: skip


def test_weights_are_varied_only_if_that_gives_another_number():
    weighted = [r for r in recipes() if r.settings.weights or "weights-of-0.33" in r.mistakes]
    orders = {
        mistake: {recipe.order for recipe in weighted if recipe.mistakes[:1] == mistake}
        for mistake in (("one-order",), ("weights-of-0.33",), ())
    }
    assert orders == {("one-order",): {2, 3, 4}, ("weights-of-0.33",): {3}, (): {1, 2, 3}}
    assert all(name.startswith("nltk-") for recipe in weighted for name in recipe.conventions)
    padded = [recipe for recipe in weighted if not recipe.mistakes]
    assert {name for recipe in padded for name in recipe.conventions} == {
        "nltk-method5", "nltk-method6", "nltk-method7",
    }  # fmt: skip

"""The definition of BLEU: on texts it gives what the fast code gives, and on symbols formulas."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu import CONVENTIONS, SMOOTHINGS, Settings, derive_corpus, segment_statistics
from bleu.core.api import method_of
from bleu.core.conventions import convention_settings
from bleu.core.score import compute
from bleu.core.statistics import Statistics
from bleu.explanation.symbols import Symbols, Trace
from bleu.learn.hand_calculation import around, both, changed, run, unchanged
from bleu.metric.expressions import Expr, Formula, Sym, evaluate, lift
from bleu.metric.method import Method, bleu, count
from bleu.metric.rules import IS_SMOOTHED, IS_ZERO, PENALTIES, REFUSED_SIDE, TOO_SHORT
from tests.support.strategies import corpora, settings

TEXTS = (["the the cat", "a b"], [["the cat the", "a cat"], ["a c d"]])


def scores(method, texts, statistics, given_settings):
    """Return the score of the definition and that of the fast code, or their errors."""
    results = []
    for score in (
        lambda: bleu(method, replace(count(method, *texts, given_settings.max_order),
                                     details=statistics.details), given_settings.shares),
        lambda: compute(statistics, given_settings).value,
    ):  # fmt: skip
        try:
            results.append(float(score()))
        except ValueError as error:
            results.append(str(error))
    return results


@pytest.mark.filterwarnings("ignore:the references of the")
@given(corpora, settings() | st.sampled_from(list(CONVENTIONS)))
def test_definition_and_fast_code_give_the_same_bits(segments, choices):
    chosen = Settings(**choices) if isinstance(choices, dict) else convention_settings(choices)
    if chosen.several_references == "refused":
        segments = [(text, references[:1]) for text, references in segments]
    texts = [text for text, _ in segments], [references for _, references in segments]
    statistics = Statistics.sum(
        (segment_statistics(*segment, chosen) for segment in segments), chosen.max_order
    )
    counts = count(method_of(chosen), *texts, chosen.max_order)
    assert (tuple(counts.matched), tuple(counts.total)) == (statistics.matched, statistics.total)
    assert counts.hypothesis_length == statistics.hypothesis_length
    assert counts.reference_length == statistics.reference_length
    first, second = scores(method_of(chosen), texts, statistics, chosen)
    assert first == second


def test_definition_and_fast_code_refuse_several_references_alike():
    chosen, texts = convention_settings("fairseq"), ("a b", ["a b", "a c"])
    with pytest.raises(ValueError, match="takes one reference, and there are 2"):
        segment_statistics(*texts, chosen)
    with pytest.raises(ValueError, match="takes one reference, and there are 2"):
        count(method_of(chosen), [texts[0]], [texts[1]])


@pytest.mark.parametrize("name", SMOOTHINGS)
def test_rule_decides_alike_for_numbers_and_symbols(name):
    """With 0 in every place, of matches or of totals, and with texts of one and several tokens."""
    smoothing = SMOOTHINGS[name]
    for zeros, length, is_short in product(product([0, 1], repeat=4), (1, 3, 9), (False, True)):
        matched = [0 if zero else 5 - n for n, zero in enumerate(zeros)]
        total = [0 if zero and is_short else 6 - n for n, zero in enumerate(zeros)]
        details = segment_statistics("a b c d e", ["a b"], smoothing="average-last").details
        numbers = Statistics(tuple(matched), tuple(total), length, 6, details)
        symbols = replace(
            numbers,
            matched=[Sym("m", Fraction(m), str(n)) for n, m in enumerate(matched)],
            total=[Sym("t", Fraction(t), str(n)) for n, t in enumerate(total)],
            hypothesis_length=Sym("c", Fraction(length)),
        )
        value = Sym(smoothing.symbol or "v", smoothing.default)
        try:
            expected = smoothing.rule(numbers, smoothing.default, lambda *quantity: quantity[2])
        except ValueError as error:
            with pytest.raises(ValueError, match=str(error)[:9]):
                smoothing.rule(symbols, value, name_of_symbol)
            continue
        found = smoothing.rule(symbols, value, name_of_symbol)
        assert [tuple(map(number, pair)) for pair in found] == [
            tuple(map(number, pair)) for pair in expected
        ]


def name_of_symbol(name, n, quantity):
    """Go on with a symbol for every quantity, as the trace does."""
    return Sym(name, number(quantity), str(n))


def number(quantity):
    """Return the value of a quantity as an exact fraction."""
    return Fraction(evaluate(lift(quantity)))


@pytest.mark.parametrize(("c", "r"), list(product((0, 1, 5), repeat=2)))
def test_stage_decides_alike_for_numbers_and_symbols(c, r):
    numbers, symbols = (c, r), (Sym("c", Fraction(c)), Sym("r", Fraction(r)))
    for penalty in PENALTIES.values():
        assert evaluate(lift(penalty(*symbols))) == penalty(*map(Fraction, numbers))
    for rule in TOO_SHORT.values():
        assert number(rule(*symbols)) == number(rule(*numbers))
    for matched in product((0, 2), repeat=2):
        counts = Statistics(matched, (3, 3), c, r)
        formulas = replace(
            counts,
            matched=tuple(Sym("m", m) for m in matched),
            hypothesis_length=symbols[0],
            reference_length=symbols[1],
        )
        for rule in (*IS_SMOOTHED.values(), *REFUSED_SIDE.values()):
            assert rule(formulas) == rule(counts)
        weights = Settings(max_order=2).shares
        for rule in IS_ZERO.values():
            precisions = [Sym("p", Fraction(m, 3)) for m in matched]
            assert rule(formulas, precisions, weights) == rule(counts, matched, weights)


def test_formulas_of_metric_are_never_compared_with_a_number(monkeypatch):
    """`m == 0` compares trees; a rule that says so would be wrong without a word."""

    def refuse(formula, other):
        assert isinstance(other, Formula), f"{formula} == {other!r}"
        return repr(formula) == repr(other)

    for name in SMOOTHINGS:
        chosen = Settings(smoothing=name, max_order=4)
        score = derive_corpus(["a b c x", "a"], [["a b c d"], ["a"]], chosen).score
        symbols = Symbols(score)
        with monkeypatch.context() as patch:
            for kind in get_args(Expr):
                patch.setattr(kind, "__eq__", refuse)
            bleu(method_of(chosen), score.statistics, chosen.shares, Trace(symbols).let)


def test_every_stage_is_replaced_by_some_change():
    def value(change):
        quantities = {}
        run(change(Method()), *TEXTS, 2, lambda name, n, x: quantities.setdefault((name, n), x))
        return quantities["BLEU", 0]

    alone = value(unchanged)
    changes = {
        "split": changed(split=list),
        "joined": changed(joined=lambda segments: segments[:1]),
        "ngrams": around("ngrams", lambda ngrams: lambda tokens, n: ngrams(tokens, n)[::n]),
        "credit": changed(credit=lambda k, counts: min(k, *counts)),
        "total": changed(total=lambda grams, others, c: c),
        "length": changed(length=lambda c, lengths: max(lengths) + 1),
        "smooth": changed(smooth=lambda counts, let: [(1, 2)] * 2),
        "weigh": changed(weigh=lambda weights, p, t, c: weights.masked([True, False])),
        "is_zero": changed(is_zero=lambda counts, p, weights: True),
        "penalty": changed(penalty=lambda c, r: Fraction(1, 2)),
        "mean": changed(mean=lambda p, w, let: Fraction(1, 3)),
        "averaged": changed(averaged="BLEU"),
    }
    for name, change in changes.items():
        assert value(change) != alone, name
        assert value(both(change, unchanged)) == value(change)

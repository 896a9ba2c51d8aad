"""Explanations: every formula shown holds, and the text fits the computation."""

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bleu import EXAMPLES, SMOOTHINGS, TOKENIZERS, derive, derive_corpus, explain, sentence_bleu
from bleu.document.blocks import Document, Meter, Paragraph, Strong, Table, TokenList
from bleu.explanation.corpus import explain_corpus
from bleu.explanation.summary import interpretation
from bleu.metric.expressions import Equation, Num, Sym, evaluate, substitute
from bleu.render import html, latex, markdown, text
from tests.support.strategies import corpora, segments, settings


def equations(document: Document) -> Iterator[Equation]:
    """Yield all equations of a document."""
    for step in document.steps:
        for block in step.blocks:
            if isinstance(block, Equation):
                yield block


def sentences(document: Document) -> str:
    """Return the running text of a document, remarks first."""
    blocks = [*document.summary.remarks, *(b for step in document.steps for b in step.blocks)]
    lines = [block.spans for block in blocks if isinstance(block, Paragraph)]
    return "\n".join(map(text.spans, lines))


def test_counts_of_one_are_singular():
    short = sentences(explain(derive("a", ["a b"])))
    assert "The candidate has c = 1 token." in short
    clipped = sentences(explain(derive("a a b", ["a b"], max_order=1)))
    assert "Clipping takes away 1, because no single reference has it often enough." in clipped
    tokens = " ".join(f"w{n}" for n in range(61))
    assert "1 more 1-gram, counted in the sum" in text.render(explain(derive(tokens, [tokens])))


def test_penalty_that_underflows_has_no_remark_about_an_order():
    derivation = derive("a", ["a " * 1001], max_order=1)
    assert (derivation.score.value, derivation.score.geometric_mean) == (0.0, 1.0)
    assert explain(derivation).summary.remarks == ()


@given(segments, settings())
def test_every_equation_evaluates_to_the_value_of_its_left_side(segment, choices):
    document = explain(derive(*segment, **choices))
    for equation in equations(document):
        assert equation.holds, equation
        assert evaluate(substitute(equation.formula)) == evaluate(equation.left)


@pytest.mark.parametrize("hypothesis", ["a b c d x y", "a b c"], ids=["no match", "too short"])
@pytest.mark.parametrize("smoothing", SMOOTHINGS)
def test_every_smoothed_precision_has_an_equation_with_its_value(smoothing, hypothesis):
    derivation = derive(hypothesis, ["a b c d z w"], smoothing=smoothing, max_order=5)
    values = {}
    for equation in equations(explain(derivation)):
        assert equation.holds, equation
        if equation.left.name == "p" and equation.left.is_primed:
            values[equation.left.index] = evaluate(equation.formula)
    score = derivation.score
    counted = zip(score.pairs, score.matched, score.total, strict=True)
    changed = [n for n, (pair, *counts) in enumerate(counted, 1) if pair != tuple(counts)]
    # Some, such as exp, leave out the orders that the text is too short for.
    assert changed or smoothing == "none" or hypothesis == "a b c"
    for n in changed:
        assert values[str(n)] == pytest.approx(Fraction(*score.fractions[n - 1])), n


@given(segments, settings())
def test_product_of_penalty_and_mean_is_the_score(segment, choices):
    derivation = derive(*segment, **choices)
    by_name = [e for e in equations(explain(derivation)) if e.left.name == "BLEU"]
    assert by_name[0].left == Sym("BLEU", derivation.score.value)
    assert evaluate(by_name[0].formula) == derivation.score.value


@given(segments, settings())
def test_sums_of_ngram_tables_are_correct(segment, choices):
    document = explain(derive(*segment, **choices))
    for step in document.steps:
        for table in (b for b in step.blocks if isinstance(b, Table) and b.name == "ngrams"):
            for column in (1, -1):
                numbers = [row.cells[column] for row in table.rows]
                assert table.foot is not None
                assert table.foot.cells[column] == Num(sum(cell.value for cell in numbers))


@given(
    segments,
    st.sampled_from(list(SMOOTHINGS)),
    st.none() | st.floats(0, allow_infinity=False),
    st.integers(1, 9),
)
@example((["a"] * 8, [["a"] * 4]), "interpolation-last", 1e-200, 6)
def test_every_score_is_explained(segment, smoothing, value, max_order):
    choices = {"smoothing": smoothing, "smoothing_value": value, "max_order": max_order}
    try:
        score = sentence_bleu(*segment, **choices)
    except ValueError:  # The value does not suit the smoothing.
        return
    document = explain(derive(*segment, **choices))
    assert document.summary.value == score.value
    for render in (html.render, latex.render, markdown.render, text.render):
        assert render(document)


@given(segments, st.integers(1, 9))
def test_every_order_has_a_step(segment, max_order):
    anchors = [step.anchor for step in explain(derive(*segment, max_order=max_order)).steps]
    assert anchors == [
        "tokens",
        *(f"precision-{n}" for n in range(1, max_order + 1)),
        "brevity-penalty",
        "score",
        "cross-check",
    ]


@pytest.mark.parametrize(
    ("hypothesis", "reference", "choices", "expected"),
    [
        ("", "the cat", {}, "The candidate is empty."),
        ("a", "b", {}, "No word of the candidate is in the reference, so p₁ = 0/1"),
        ("the cat", "the cat", {}, "has only 2 words, so it has no 3 words in a row"),
        ("a x b y", "a b x y", {}, "No 2 words in a row of the candidate are in the reference"),
        ("a x", "a y", {}, "No 2 words in a row of the candidate are in the reference"),
        ("a", "b", {"smoothing": "floor"}, "nothing to smooth"),
        (
            "the cat",
            "the cat",
            {"effective_order": True},
            "too short for orders 3 and 4, which are left out",
        ),
        ("the cat", "the cat", {"smoothing": "exp"}, "its precision counts as 0"),
        ("the cat", "the cat", {"smoothing": "floor"}, "Smoothing gives it a precision below"),
        ("a b c", "a", {}, "c is greater than r, so there is no penalty:"),
        ("a b", "b c", {}, "c equals r, so there is no penalty:"),
        ("a", "a b c", {}, "c is less than r, so:"),
        ("a b", "a c", {}, "1 of the 2 has no match."),
        ("a b c", "a d", {}, "2 of the 3 have no match."),
        ("a b", "a c", {}, "1 of the 2 is credited, so:"),
        ("a b c", "a b", {}, "2 of the 3 are credited, so:"),
        ("a b c", "a b c", {}, "All 3 are credited, so:"),
        ("a", "b", {}, "The only one has no match, so:"),
        (
            "a b x",
            "a b y",
            {"max_order": 3, "zero_precision": "dropped"},
            "Order 3 has a precision of 0, and NLTK leaves that out.",
        ),
        (
            "a x b y",
            "a b x y",
            {"zero_precision": "dropped"},
            "Orders 2, 3 and 4 have a precision of 0, and NLTK leaves that out.",
        ),
    ],
)
def test_text_fits_the_case(hypothesis, reference, choices, expected):
    assert expected in sentences(explain(derive(hypothesis, [reference], **choices)))


def test_total_of_0_counted_as_1_is_primed():
    document = explain(derive("a b", ["a b"], convention="nltk-method1", max_order=3))
    formulas = [text.equation(equation) for equation in equations(document)]
    assert "p_2 = matched_2/total_2 = 1/1 = 1" in formulas
    assert "p′_3 = ε/total′_3 = 0.1/1 = 0.1000" in formulas


def test_length_tie_names_both_lengths_and_the_shorter_counts():
    worked = EXAMPLES["length-tie"]
    document = explain(derive(worked.hypothesis, worked.references))
    assert "The lengths 5 and 7 are equally close" in sentences(document)
    assert "shorter counts: r = 5" in sentences(document)


def test_length_table_has_distances_to_the_candidate():
    step = explain(derive("a b c", ["a b", "a b c d e"], max_order=1)).steps[-3]
    table = next(block for block in step.blocks if isinstance(block, Table))
    assert [row.cells for row in table.rows] == [
        ("Reference 1", Num(2), Num(1)),
        ("Reference 2", Num(5), Num(2)),
    ]
    assert [row.kind for row in table.rows] == ["chosen", ""]


def test_clipping_is_shown_with_the_vanilla_precision():
    worked = EXAMPLES["clipping"]
    document = explain(derive(worked.hypothesis, worked.references))
    step = next(step for step in document.steps if step.anchor == "precision-1")
    vanilla, modified = (b for b in step.blocks if isinstance(b, Equation))
    assert evaluate(vanilla.left) == 1
    assert evaluate(modified.left) * 7 == 2
    tokens = next(b for b in step.blocks if isinstance(b, TokenList))
    assert tokens.kinds == ("credited",) * 2 + ("clipped",) * 5
    table = next(b for b in step.blocks if isinstance(b, Table))
    assert [row.kind for row in table.rows] == ["clipped"]
    assert table.rows[0].cells[1:] == tuple(map(Num, (7, 2, 1, 2, 2)))


def test_smoothing_has_a_step_only_if_it_changed_a_precision():
    changed = explain(derive("a b", ["a b"], smoothing="floor"))
    unchanged = explain(derive("a b c d", ["a b c d"], smoothing="floor"))
    assert "smoothing" in [step.anchor for step in changed.steps]
    assert "smoothing" not in [step.anchor for step in unchanged.steps]


def test_long_texts_are_shortened_only_in_the_document():
    tokens = " ".join(map(str, range(1000)))
    derivation = derive(tokens, [tokens])
    document = explain(derivation)
    lists = [b for b in document.steps[0].blocks if isinstance(b, TokenList)]
    assert [len(block.tokens) + block.hidden for block in lists] == [1000, 1000]
    table = next(b for b in document.steps[1].blocks if isinstance(b, Table))
    assert len(table.rows) + table.hidden == 1000 == derivation.score.total[0]
    assert table.hidden > 0


def test_invisible_characters_are_shown_as_code_points():
    document = explain(derive("a\u202eb \ud800", ["a"]))
    block = next(b for b in document.steps[0].blocks if isinstance(b, TokenList))
    assert block.tokens == ("a⟨U+202E⟩b", "⟨U+D800⟩")


@given(segments, settings())
def test_every_formula_has_a_sentence_and_every_step_a_citation(segment, choices):
    for step in explain(derive(*segment, **choices)).steps:
        assert isinstance(step.blocks[0], Paragraph)
        assert step.citation is not None
        for previous, block in pairwise(step.blocks):
            if isinstance(block, Equation):
                assert isinstance(previous, Paragraph | Equation)


@pytest.mark.parametrize("render", [text.render, markdown.render, latex.render, html.render])
def test_fractions_are_shown_unreduced(render):
    fraction = r"(?:ln|mfrac|frac)\W*(?:mn>)?(\d+)\D+(\d+)"
    source = render(explain(derive("a b c d e f g h", ["a b x c d y e"], max_order=2)))
    fractions = re.findall(fraction, source)
    assert ("2", "7") in fractions
    assert not {("5", "4"), ("1", "4")} & set(fractions)
    source = render(explain(derive("a b x y", ["a b z w"], max_order=1)))
    assert ("2", "4") in re.findall(fraction, source)


def test_left_out_orders_have_no_precision():
    document = explain(derive("a b", ["a b"], effective_order=True))
    assert [row.cells[2] for row in document.summary.table.rows[2:]] == ["left out"] * 2
    assert [column.value_text for column in document.figures[0].drawing.columns] == ["", ""] + [
        "left out"
    ] * 2
    assert "0.0000" not in text.render(document).split("Signature")[0]
    dropped = explain(derive("a", ["a"], convention="nltk-method4"))
    assert [row.cells[2] for row in dropped.summary.table.rows[1:]] == ["left out"] * 3


@pytest.mark.parametrize(
    ("hypothesis", "choices", "noted"),
    [
        ("a b", {"convention": "nltk-method1", "effective_order": True}, True),
        ("a b", {"convention": "nltk-method1"}, False),
        ("a", {"convention": "nltk-method4"}, False),  # the dropped precisions leave no other order
        ("a b", {"convention": "nltk-method1", "weights": [0.5, 0.5, 0, 0]}, False),
        (
            "a b",
            {"convention": "nltk-method1", "effective_order": True, "weights": [0.25] * 4},
            True,
        ),
        ("a b c d", {"convention": "nltk-method1", "effective_order": True}, False),
    ],
)
def test_auto_reweigh_is_noted_only_if_it_left_out_orders(hypothesis, choices, noted):
    notes = sentences(explain(derive(hypothesis, [hypothesis], **choices)))
    assert ("With NLTK’s auto_reweigh" in notes) == noted


def test_order_with_weight_0_keeps_its_precision():
    document = explain(derive("a b", ["a b"], max_order=2, weights=(1, 0)))
    assert document.summary.table.rows[1].cells[2] == Meter(Fraction(1))


def test_bands_include_their_lower_limit():
    for value, label in ((0.0999, "below 10"), (0.1, "of 10–19"), (0.6, "above 60"), (1, "above")):
        assert f"describes a score {label}" in text.span(interpretation(value).spans[0])


def test_score_is_interpreted_for_a_corpus_but_not_for_a_segment():
    lines = ["good morning everyone"]
    choices = {"max_order": 2}
    segment = explain(derive(lines[0], lines, **choices))
    corpus = explain_corpus(derive_corpus(lines, [lines], **choices))
    assert segment.summary.value == corpus.summary.value == 1
    for render in (html.render, latex.render, markdown.render, text.render):
        assert "guide describes a score above 60" in " ".join(render(corpus).split())
        assert "Google" not in render(segment)


@pytest.mark.parametrize("texts", [("a", [""]), ("", ["a"])])
def test_empty_text_has_no_interpretation(texts):
    assert "nothing to compare" in str(explain(derive(*texts)).summary.interpretation)


def test_hidden_rows_of_a_corpus_are_counted():
    corpus = derive_corpus(["a"] * 11, [["a"]] * 11)
    assert str(corpus).endswith(" of 11 segments")
    assert str(derive_corpus(["a"], [["a"]])).endswith(" of 1 segment")
    blocks = [block for step in explain_corpus(corpus).steps for block in step.blocks]
    [table] = [block for block in blocks if isinstance(block, Table) and block.name == "sums"]
    assert (table.hidden, len(table.rows)) == (3, 8)


def test_interpolation_of_a_corpus_explains_the_precisions_that_it_starts_from():
    corpus = derive_corpus(
        ["a", "a b c d e", "f"], [["a"], ["a b c d f"], ["f"]], convention="nltk-method6"
    )
    [step] = [step for step in explain(corpus).steps if step.anchor == "smoothing"]
    lines = [text.equation(block) for block in step.blocks if isinstance(block, Equation)]
    assert [line.partition(" = ")[0] for line in lines] == ["p′_2", "π_3", "p′_3", "π_4", "p′_4"]
    # Segments without a 2-gram count as 0 of 1, and the last has no 3-gram and no 4-gram.
    assert ["total′" in line for line in lines] == [True, False, True, False, True]


def test_ngram_table_has_column_of_credited_counts():
    document = explain(derive("a a", ["a"]))
    table = next(b for b in document.steps[1].blocks if isinstance(b, Table))
    assert table.headers[-2:] == ("Maximum", "Credited")


def test_derivation_ends_with_score_on_both_scales():
    content = sentences(explain(derive("the cat is on mat", ["the cat is on the mat"])))
    assert "on the 0–1 scale; on the 0–100 scale it is 57.89." in content


@pytest.mark.parametrize(
    ("smoothing", "lines", "reason"),
    [
        ("exp", ["a b c", "a x b"], "No candidate is long enough for a 4-gram, so p₄ is 0"),
        ("none", ["a b x d e", "a x b"], "No 3-gram matches in the whole corpus, so p₃ is 0"),
        ("exp", ["x y z w v"], "No 1-gram matches in the whole corpus, so p₁ is 0"),
    ],
)
def test_remark_names_the_order_that_makes_a_corpus_score_0(smoothing, lines, reason):
    choices = {"smoothing": smoothing, "too_short": "zero"}
    references = [["a b c d e"], ["a b c"]][: len(lines)]
    remark = zero_remark(lines, references, **choices)
    assert remark == f" {reason}, and one precision of 0 makes the whole score 0."


def zero_remark(lines, references, **choices):
    """Return the remark on a corpus whose score is 0."""
    document = explain_corpus(derive_corpus(lines, references, **choices))
    [(_, reason)] = [remark.spans for remark in document.summary.remarks]
    return reason


def test_corpus_score_of_0_without_a_precision_of_0_has_a_remark():
    long_reference = [["a b c d " * 1000]]
    assert "penalty is below the smallest number" in zero_remark(["a b c d"], long_reference)
    assert zero_remark(["", ""], [["a"], ["b"]]) == " Every candidate is empty."
    unweighted = {"weights": (1, 0), "max_order": 2, "zero_precision": "dropped"}
    assert derive_corpus(["a x"], [["a b"]], **unweighted).score.value > 0
    assert "No 1-gram matches" in zero_remark(["x y"], [["a b"]], weights=(1, 0), max_order=2)


@given(corpora, settings())
def test_every_corpus_score_of_0_has_a_remark(segments, choices):
    hypotheses = [hypothesis for hypothesis, _ in segments]
    corpus = derive_corpus(hypotheses, [refs[:1] for _, refs in segments], **choices)
    remarks = explain_corpus(corpus).summary.remarks
    has_remark = any(isinstance(span, Strong) for remark in remarks for span in remark.spans)
    assert has_remark == (bool(hypotheses) and not corpus.score.value)


@pytest.mark.parametrize(("smoothing", "cited"), [("exp", True), ("add-k-all", False)])
def test_smoothing_step_cites_its_source(smoothing, cited):
    steps = explain(derive("a b x", ["a b c"], smoothing=smoothing)).steps
    [step] = [step for step in steps if step.anchor == "smoothing"]
    assert bool(step.citation) == cited


def test_score_above_1_is_not_interpreted():
    segment = "the cat is on the mat"
    summary = explain(derive(segment, [segment], smoothing="average-last")).summary
    [sentence] = summary.interpretation.spans
    assert sentence.startswith("A score above 100 is off the scale of BLEU")


def test_every_smoothing_has_descriptions():
    assert all(smoothing.text and smoothing.effect for smoothing in SMOOTHINGS.values())


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_every_tokenizer_is_described(tokenizer):
    lines = text.render(explain(derive("a b", ["a c"], tokenizer=tokenizer)))
    assert f"split {TOKENIZERS[tokenizer].where} into tokens" in " ".join(lines.split())


def test_signature_of_a_corpus_has_its_number_of_references():
    assert derive_corpus([], []).signature.startswith("nrefs:1|")
    assert derive_corpus(["a"], [["a", "b"]]).signature.startswith("nrefs:2|")
    assert derive_corpus(["a"] * 2, [["a"], ["a", "b"]]).signature.startswith("nrefs:var|")

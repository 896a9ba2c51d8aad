"""The document: every formula shown holds, and the words say what was computed."""

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu import EXAMPLES, SMOOTHINGS, TOKENIZERS, derive, derive_corpus, explain
from bleu.document.blocks import Document, Meter, Paragraph, Strong, Table, TokenList
from bleu.document.expressions import Equation, Num, Sym, evaluate, substitute
from bleu.explanation import smoothings
from bleu.explanation.corpus import explain_corpus
from bleu.explanation.steps import TOKENIZER_DESCRIPTIONS
from bleu.explanation.summary import interpretation
from bleu.render import html, latex, markdown, text
from tests.support.strategies import corpora, segments, settings


def equations(document: Document) -> Iterator[Equation]:
    """Every equation that a document shows."""
    for step in document.steps:
        for block in step.blocks:
            if isinstance(block, Equation):
                yield block


def sentences(document: Document) -> str:
    """The running text of a document, its remarks first."""
    blocks = [*document.summary.remarks, *(b for s in document.steps for b in s.blocks)]
    lines = [block.spans for block in blocks if isinstance(block, Paragraph)]
    return "\n".join("".join(map(text.span, spans)) for spans in lines)


def test_one_of_something_is_said_as_one():
    one = sentences(explain(derive("a", ["a b"])))
    assert "The candidate has c = 1 token." in one
    lost = sentences(explain(derive("a a b", ["a b"], max_order=1)))
    assert "Clipping takes away 1, because no single reference has it often enough." in lost
    words = " ".join(f"w{n}" for n in range(61))
    assert "1 more 1-gram, counted in the sum" in text.render(explain(derive(words, [words])))


def test_a_penalty_too_small_for_a_float_is_not_blamed_on_an_order():
    here = derive("a", ["a " * 1001], max_order=1)
    assert (here.score.value, here.score.geometric_mean) == (0.0, 1.0)
    assert explain(here).summary.remarks == ()


@given(segments, settings())
def test_every_equation_evaluates_to_the_value_at_its_left(segment, choices):
    document = explain(derive(*segment, **choices))
    for equation in equations(document):
        assert equation.holds, equation
        assert evaluate(substitute(equation.formula)) == evaluate(equation.left)


@given(segments, settings())
def test_the_last_product_shown_is_the_score(segment, choices):
    derivation = derive(*segment, **choices)
    shown = [e for e in equations(explain(derivation)) if e.left.name == "BLEU"]
    assert shown[0].left == Sym("BLEU", derivation.score.value)
    assert evaluate(shown[0].formula) == derivation.score.value


@given(segments, settings())
def test_tables_add_up(segment, choices):
    document = explain(derive(*segment, **choices))
    for step in document.steps:
        for table in (b for b in step.blocks if isinstance(b, Table) and b.name == "ngrams"):
            for column in (1, -1):
                numbers = [row.cells[column] for row in table.rows]
                assert table.foot is not None
                assert table.foot.cells[column] == Num(sum(cell.value for cell in numbers))


@given(segments, st.integers(1, 9))
def test_there_is_a_step_for_every_order_and_anchors_are_unique(segment, max_order):
    anchors = [step.anchor for step in explain(derive(*segment, max_order=max_order)).steps]
    assert anchors == [
        "tokens",
        *(f"precision-{n}" for n in range(1, max_order + 1)),
        "brevity-penalty",
        "score",
        "cross-check",
    ]


@pytest.mark.parametrize(
    ("hypothesis", "reference", "choices", "words"),
    [
        ("", "the cat", {}, "The candidate is empty."),
        ("a", "b", {}, "No token of the candidate is in a reference, so p₁ = 0/1"),
        ("the cat", "the cat", {}, "has only 2 tokens, so it has no 3-gram"),
        ("a x b y", "a b x y", {}, "No 2-gram of the candidate is in a reference"),
        ("a x", "a y", {}, "No 2-gram of the candidate is in a reference"),
        ("a", "b", {"smoothing": "floor"}, "nothing to smooth"),
        (
            "the cat",
            "the cat",
            {"effective_order": True},
            "too short for orders 3 and 4, which are left out",
        ),
        ("the cat", "the cat", {"smoothing": "exp"}, "its precision counts as 0"),
        ("the cat", "the cat", {"smoothing": "floor"}, "Smoothing gives it a precision below"),
        ("a b c", "a", {}, "is greater than"),
        ("a", "a b c", {}, "is less than"),
    ],
)
def test_the_words_fit_the_case(hypothesis, reference, choices, words):
    assert words in sentences(explain(derive(hypothesis, [reference], **choices)))


def test_a_tie_of_lengths_names_both_and_takes_the_shorter():
    example = EXAMPLES["length-tie"]
    document = explain(derive(example.hypothesis, example.references))
    assert "The lengths 5 and 7 are equally close" in sentences(document)
    assert "shorter counts: r = 5" in sentences(document)


def test_clipping_is_seen_beside_the_vanilla_precision():
    example = EXAMPLES["clipping"]
    document = explain(derive(example.hypothesis, example.references))
    first = next(step for step in document.steps if step.anchor == "precision-1")
    vanilla, modified = (b for b in first.blocks if isinstance(b, Equation))
    assert evaluate(vanilla.left) == 1
    assert evaluate(modified.left) * 7 == 2
    marked = next(b for b in first.blocks if isinstance(b, TokenList))
    assert marked.kinds == ("credited",) * 2 + ("clipped",) * 5
    table = next(b for b in first.blocks if isinstance(b, Table))
    assert [row.kind for row in table.rows] == ["clipped"]
    assert table.rows[0].cells[1:] == tuple(map(Num, (7, 2, 1, 2, 2)))


def test_smoothing_has_a_step_only_where_it_changed_something():
    changed = explain(derive("a b", ["a b"], smoothing="floor"))
    unchanged = explain(derive("a b c d", ["a b c d"], smoothing="floor"))
    assert "smoothing" in [step.anchor for step in changed.steps]
    assert "smoothing" not in [step.anchor for step in unchanged.steps]


def test_long_texts_are_cut_in_the_document_and_not_in_the_facts():
    words = " ".join(map(str, range(1000)))
    derivation = derive(words, [words])
    document = explain(derivation)
    lists = [b for b in document.steps[0].blocks if hasattr(b, "tokens")]
    assert [len(shown.tokens) + shown.hidden for shown in lists] == [1000, 1000]
    table = next(b for b in document.steps[1].blocks if isinstance(b, Table))
    assert len(table.rows) + table.hidden == 1000 == derivation.score.total[0]
    assert table.hidden > 0


def test_what_cannot_be_seen_is_shown_by_its_code():
    document = explain(derive("a\u202eb \ud800", ["a"]))
    shown = next(b for b in document.steps[0].blocks if hasattr(b, "tokens"))
    assert shown.tokens == ("a⟨U+202E⟩b", "⟨U+D800⟩")


@given(segments, settings())
def test_a_sentence_stands_beside_every_formula_and_a_source_under_every_step(segment, choices):
    for step in explain(derive(*segment, **choices)).steps:
        assert isinstance(step.blocks[0], Paragraph)
        assert step.citation is not None
        for before, block in pairwise(step.blocks):
            if isinstance(block, Equation):
                assert isinstance(before, Paragraph | Equation)


@pytest.mark.parametrize("render", [text.render, markdown.render, latex.render, html.render])
def test_a_fraction_stays_as_it_was_counted(render):
    shown = render(explain(derive("a b c d e f g h", ["a b x c d y e"], max_order=2)))
    counted = re.findall(r"(?:ln|mfrac|frac)\W*(?:mn>)?(\d+)\D+(\d+)", shown)
    assert ("2", "7") in counted
    assert not {("5", "4"), ("1", "4")} & set(counted)
    whole = render(explain(derive("a b x y", ["a b z w"], max_order=1)))
    assert ("2", "4") in re.findall(r"(?:ln|mfrac|frac)\W*(?:mn>)?(\d+)\D+(\d+)", whole)


def test_an_order_that_is_left_out_says_so_and_has_no_number():
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
    ],
)
def test_auto_reweigh_is_noted_only_if_it_left_out_orders(hypothesis, choices, noted):
    notes = sentences(explain(derive(hypothesis, [hypothesis], **choices)))
    assert ("With NLTK’s auto_reweigh" in notes) == noted


def test_a_weight_of_0_that_is_chosen_leaves_the_precision_in_sight():
    document = explain(derive("a b", ["a b"], max_order=2, weights=(1, 0)))
    assert document.summary.table.rows[1].cells[2] == Meter(Fraction(1))


def test_a_band_begins_at_its_lower_end():
    for value, label in ((0.0999, "below 10"), (0.1, "of 10–19"), (0.6, "above 60"), (1, "above")):
        assert f"describes a score {label}" in text.span(interpretation(value).spans[0])


def test_a_band_is_named_for_a_corpus_and_for_no_single_segment():
    lines = ["good morning everyone"]
    choices = {"max_order": 2}
    alone = explain(derive(lines[0], lines, **choices))
    files = explain_corpus(derive_corpus(lines, [lines], **choices))
    guide = "guide describes a score above 60"
    assert alone.summary.value == files.summary.value == 1
    for form in (html.render, latex.render, markdown.render, text.render):
        assert guide in " ".join(form(files).split())
        assert "Google" not in form(alone)


@pytest.mark.parametrize("texts", [("a", [""]), ("", ["a"])])
def test_there_is_no_verdict_while_a_text_is_empty(texts):
    assert "nothing to compare" in str(explain(derive(*texts)).summary.interpretation)


def test_what_a_table_leaves_out_is_counted():
    corpus = derive_corpus(["a"] * 11, [["a"]] * 11)
    assert str(corpus).endswith(" of 11 segments")
    assert str(derive_corpus(["a"], [["a"]])).endswith(" of 1 segment")
    tables = [b for s in explain_corpus(corpus).steps for b in s.blocks if isinstance(b, Table)]
    assert [(t.hidden, len(t.rows)) for t in tables if t.name == "sums"] == [(3, 8)]


def test_what_is_credited_is_headed_so():
    document = explain(derive("a a", ["a"]))
    table = next(b for b in document.steps[1].blocks if isinstance(b, Table))
    assert table.headers[-2:] == ("Maximum", "Credited")


def test_both_scales_are_named_where_the_derivation_ends():
    words = sentences(explain(derive("the cat is on mat", ["the cat is on the mat"])))
    assert "on the 0–1 scale; on the 0–100 scale it is 57.89." in words


@pytest.mark.parametrize(
    ("smoothing", "lines", "said"),
    [
        ("exp", ["a b c", "a x b"], "No candidate is long enough for a 4-gram, so p₄ is 0"),
        ("none", ["a b x d e", "a x b"], "No 3-gram matches in the whole corpus, so p₃ is 0"),
        ("exp", ["x y z w v"], "No 1-gram matches in the whole corpus, so p₁ is 0"),
    ],
)
def test_a_corpus_of_0_is_told_the_order_that_makes_it_0(smoothing, lines, said):
    choices = {"smoothing": smoothing, "too_short": "zero"}
    references = [["a b c d e"], ["a b c"]][: len(lines)]
    words = why_zero(lines, references, **choices)
    assert words == f" {said}, and one precision of 0 makes the whole score 0."


def why_zero(lines, references, **choices):
    """What is said of a corpus whose score is 0."""
    explained = explain_corpus(derive_corpus(lines, references, **choices))
    [(_, words)] = [remark.spans for remark in explained.summary.remarks]
    return words


def test_a_corpus_of_0_may_have_no_precision_of_0():
    long = [["a b c d " * 1000]]
    assert "brevity penalty is 0 to the last digit" in why_zero(["a b c d"], long)
    assert why_zero(["", ""], [["a"], ["b"]]) == " Every candidate is empty."
    unweighted = {"weights": (1, 0), "max_order": 2, "zero_precision": "dropped"}
    assert derive_corpus(["a x"], [["a b"]], **unweighted).score.value > 0
    assert "No 1-gram matches" in why_zero(["x y"], [["a b"]], weights=(1, 0), max_order=2)


@given(corpora, settings())
def test_why_a_corpus_is_0_can_always_be_said(corpus, choices):
    lines, references = [own[0] for own in corpus], [own[1][:1] for own in corpus]
    corpus = derive_corpus(lines, references, **choices)
    asked = any(isinstance(one, Strong) for own in explain_corpus(corpus).summary.remarks
                for one in own.spans)  # fmt: skip
    assert asked == (bool(lines) and not corpus.score.value)


@pytest.mark.parametrize(("smoothing", "cited"), [("exp", True), ("add-k-all", False)])
def test_a_smoothing_is_in_the_literature_that_has_it(smoothing, cited):
    steps = explain(derive("a b x", ["a b c"], smoothing=smoothing)).steps
    [step] = [one for one in steps if one.anchor == "smoothing"]
    assert bool(step.citation) == cited


def test_no_band_is_named_for_a_score_beyond_the_scale():
    text = "the cat is on the mat"
    [words] = explain(derive(text, [text], smoothing="average")).summary.interpretation.spans
    assert words.startswith("A score above 100 is off the scale of BLEU")


def test_every_smoothing_has_its_words():
    names = {name.removesuffix("-last") for name in SMOOTHINGS}
    assert set(smoothings.DESCRIPTIONS) == set(smoothings.SHORT_DESCRIPTIONS) == names


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_every_tokenizer_is_put_into_words(tokenizer):
    said = text.render(explain(derive("a b", ["a c"], tokenizer=tokenizer)))
    assert f"split {TOKENIZER_DESCRIPTIONS[tokenizer]} into tokens" in " ".join(said.split())


def test_a_corpus_without_a_segment_has_one_reference_in_its_signature():
    assert derive_corpus([], []).signature.startswith("nrefs:1|")
    assert derive_corpus(["a"], [["a", "b"]]).signature.startswith("nrefs:2|")

"""Numbers to play with: the length on the curve, the bars, and printed lines."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleu
from app.learn.play import (
    FIRST_PARTS,
    MAX_LENGTH,
    NAMES,
    bleu_of,
    check_printed,
    length_html,
    parse_printed,
    part_value,
    play_html,
    play_score_html,
)
from tests.support.plain_markup import plain

WORDS = st.lists(st.sampled_from(["the", "cat", "sat", "on", "a", "mat"]), min_size=5, max_size=12)
LINES = {
    "multi-bleu": "BLEU = {score:.2f}, {p[0]:.1f}/{p[1]:.1f}/{p[2]:.1f}/{p[3]:.1f} "
    "(BP={bp:.3f}, ratio={ratio:.3f}, hyp_len={c}, ref_len={r})",
    "sacreBLEU": "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0 = {score:.2f} "
    "{p[0]:.1f}/{p[1]:.1f}/{p[2]:.1f}/{p[3]:.1f} (BP = {bp:.3f} ratio = {ratio:.3f} "
    "hyp_len = {c} ref_len = {r})",
    "without lengths": "BLEU = {score:.2f}, {p[0]:.1f}/{p[1]:.1f}/{p[2]:.1f}/{p[3]:.1f} "
    "(BP = {bp:.3f}, ratio = {ratio:.3f})",
    "mteval": "  length ratio: {ratio:.3f} ({c}/{r}), penalty (log): {log:.12f}\n"
    'NIST score = 4.1  BLEU score = {short:.4f} for system "x"\n\n'
    " NIST:  3.1   0.8   0.1   0.0\n BLEU:  {q[0]:.4f}   {q[1]:.4f}   {q[2]:.4f}   {q[3]:.4f}",
}


def printed(form, hypothesis, reference, **changes):
    """Return a line as a tool prints it, with some of its numbers changed."""
    score = bleu.sentence_bleu(" ".join(hypothesis), [" ".join(reference)], smoothing="none")
    c, r = len(hypothesis), len(reference)
    q = list(map(float, score.precisions))
    values = {
        "score": 100 * score.value, "short": score.value, "bp": score.brevity_penalty,
        "log": min(0.0, 1 - r / c), "ratio": c / r, "c": c, "r": r, "q": q,
        "p": [100 * each for each in q],
    }  # fmt: skip
    return LINES[form].format(**{**values, **changes})


@pytest.mark.parametrize("form", LINES)
@given(WORDS, WORDS)
def test_parts_of_every_printed_score_fit(form, hypothesis, reference):
    text = printed(form, hypothesis, reference)
    assert check_printed(parse_printed(text)).endswith("they fit within rounding.")


@given(st.integers(1, 4), st.sampled_from(["multi-bleu", "sacreBLEU", "without lengths"]))
def test_changed_precision_is_among_those_that_would_fit(order, form):
    texts = list("abcdexfg"), list("abcdefhg")
    score = bleu.sentence_bleu(" ".join(texts[0]), [" ".join(texts[1])])
    right = [float(p) for p in score.precisions]
    changed = [100 * p for p in right]
    changed[order - 1] *= 0.8
    result = check_printed(parse_printed(printed(form, *texts, p=changed)))
    assert "but the score is" in result
    needed = re.search(rf"{NAMES[order]} = (\d+\.\d)", result)
    assert abs(float(needed[1]) - 100 * right[order - 1]) < 0.3


def test_penalty_that_the_lengths_contradict_is_named():
    line = "BLEU = 26.60, 60.2/33.1/20.4/13.1 (BP=0.900, ratio=0.982, hyp_len=982, ref_len=1000)"
    assert check_printed(parse_printed(line)).endswith(
        "BP does not fit: lengths of 982 and 1,000 give 0.982."
    )


@pytest.mark.parametrize("text", ["", "BLEU = 26.6", "26.60 60.2/33.1", "x" * 5000])
def test_other_text_is_refused_with_an_example(text):
    with pytest.raises(ValueError, match="this is no line of sacreBLEU, multi-bleu or mteval") as e:
        parse_printed(text)
    assert len(str(e.value)) <= 300


@given(st.lists(st.fractions(0, 1), min_size=2, max_size=5))
def test_score_of_the_parts_is_their_product_and_root(parts):
    markup = play_score_html(parts)
    assert f"<b>{bleu_of(parts):.4f}</b>" in markup
    penalty, *precisions = map(float, parts)
    product = 1.0
    for precision in precisions:
        product *= precision
    assert bleu_of(parts) == pytest.approx(penalty * product ** (1 / len(precisions)), abs=1e-12)
    assert ("takes the whole score with it" in markup) == (not all(parts))


def test_first_parts_are_those_of_a_text():
    assert [part_value(*part) for part in zip(NAMES, FIRST_PARTS, strict=False)]
    markup = play_html(FIRST_PARTS)
    assert markup.count('type="range"') == len(FIRST_PARTS) == 5


@pytest.mark.parametrize("text", ["", "x", "2", "-1/2", "8/7", "1e9"])
def test_part_outside_0_to_1_is_refused(text):
    with pytest.raises(ValueError, match="type a number from 0 to 1"):
        part_value("p₂", text)


@pytest.mark.parametrize("c", range(1, MAX_LENGTH + 1))
def test_length_on_the_curve_has_the_score_of_its_candidate(c):
    markup = plain(length_html("the cat is here on the mat", c))
    candidate = re.search("“([^”]*)”", markup)[1]
    assert len(candidate.split()) == c
    score = bleu.sentence_bleu(candidate, ["the cat is here on the mat"], max_order=2)
    assert f"<b>BLEU-2 = {score.value:.4f}</b>" in markup
    assert ("p₁ = 7/" in markup) == (c >= 7)

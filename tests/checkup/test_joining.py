"""Tests of hypotheses of another number than the references, which are joined and never dropped."""

import random
import textwrap
from itertools import combinations, pairwise

import pytest

import bleu
from bleu.checkup.alignment import Anchor, heaviest_chain
from bleu.checkup.line_faults import cut_foreign
from bleu.core.conventions import convention_settings
from tests.checkup.test_checkup import REFERENCES, SIZE, SYSTEM, check

SACREBLEU = convention_settings("sacrebleu")
ROWS = [[line] for line in REFERENCES]


def answers(form: str) -> list[str]:
    """Return the lines of a file with an answer of a language model for each hypothesis."""
    return [line for text in SYSTEM for line in form.replace("TEXT", text).split("\n")]


@pytest.mark.parametrize(
    ("form", "names"),
    [
        ("Sure! Here is the translation:\n\nTEXT", ["chatter"]),
        ("TEXT\n", []),
        ("```\nTEXT\n```", ["chatter"]),
        ("<think>\nLet me see what this says.\n</think>\n\nTEXT", ["reasoning"]),
        ("TEXT\n\nLet me know if you need anything else!", ["chatter", "overlong"]),
    ],
    ids=["chatter", "blank", "fence", "reasoning", "offer"],
)
def test_answers_over_several_lines_are_joined(form, names):
    hypotheses = answers(form)
    first, *others = check(hypotheses)
    assert (first.name, first.action) == ("length-mismatch", "repair:length-mismatch")
    assert first.score_without == pytest.approx(
        bleu.corpus_bleu(
            bleu.repair_corpus(hypotheses, ROWS, ["length-mismatch"])[0], ROWS, SACREBLEU
        ).value
    )
    found = [each.name for each in others if each.name in names]
    repaired, _ = bleu.repair_corpus(hypotheses, ROWS, ["length-mismatch", *found], SACREBLEU)
    assert len(repaired) == SIZE
    exact = sum(map(str.__eq__, repaired, SYSTEM))
    assert exact >= 0.95 * SIZE, list(zip(repaired, SYSTEM, strict=True))[:3]


def test_lines_are_numbered_as_in_the_file():
    first, second, *_ = check(answers("Here is what it says:\n\nTEXT"))
    assert first.remark == (
        "The repair joins lines of one text, such as lines 1–3, and drops none."
    )
    assert second.claim.startswith("60 of 60 joined lines of the candidates ")
    assert [example.line for example in second.examples] == [1, 4, 7]
    extra = [*SYSTEM[:20], "Nothing of this is elsewhere.", *SYSTEM[20:]]
    spoiled = [f"{line}</s>" if index > 40 else line for index, line in enumerate(extra)]
    first, second, *_ = check(spoiled)
    assert first.remark == "The repair leaves out 1 hypothesis without references."
    assert second.claim.startswith("20 of 60 lines of the candidates ")
    assert [example.line for example in second.examples] == [42, 43, 44]


def test_wrapped_lines_are_joined():
    """A line goes on if the first word of the next one is too long for it, also after a hyphen."""
    system = [line.replace("new law", "long-term law") for line in SYSTEM]
    hypotheses = [part for line in system for part in textwrap.wrap(line, 40)]
    repaired, _ = bleu.repair_corpus(hypotheses, ROWS, ["length-mismatch"], SACREBLEU)
    assert sum(map(str.__eq__, repaired, system)) >= 0.95 * SIZE


def test_names_among_the_words_of_another_language_are_cut_with_them():
    text = "Сегодня компания TikTok сообщила, что она ошиблась. The company denied it."
    assert cut_foreign(text, "The firm denied it.") == "The company denied it."
    assert cut_foreign("The company TikTok (Россия) denied it.", "The firm") == (
        "The company TikTok (Россия) denied it."
    )


def test_no_line_is_dropped():
    rng = random.Random(5)
    hypotheses = [
        part
        for text in SYSTEM
        for part in ([text] if rng.random() < 0.5 else [text[:20].strip(), text[20:].strip()])
    ]
    [repaired, _] = bleu.repair_corpus(hypotheses, ROWS, ["length-mismatch"], SACREBLEU)
    assert " ".join(repaired).split() == " ".join(hypotheses).split()


def test_repeated_line_at_the_end_is_no_text_of_its_own():
    hypotheses = [*["Right."] * 3, *SYSTEM, "Right."]
    rows = [*ROWS, ["Nobody translated this."], ["Nor that."]]
    repaired, _ = bleu.repair_corpus(hypotheses, rows, ["length-mismatch"], SACREBLEU)
    assert [text.removesuffix(" Right.") for text in repaired[1:SIZE]] == SYSTEM[1:]


@pytest.mark.parametrize("seed", range(20))
def test_the_chain_is_the_heaviest(seed):
    rng = random.Random(seed)
    anchors = sorted(Anchor(rng.randrange(6), rng.randrange(4), rng.random()) for _ in range(9))

    def is_chain(links):
        return all(a[0] < b[0] and a[1] <= b[1] for a, b in pairwise(links))

    chains = [
        links
        for size in range(1, len(anchors) + 1)
        for links in combinations(anchors, size)
        if is_chain(links)
    ]
    best = max(chains, key=lambda links: sum(anchor.evidence for anchor in links))
    assert heaviest_chain(anchors, (6, 4)) == list(best)

"""Replacements of functions of other libraries, with the same arguments and results."""

from collections.abc import Sequence

import bleu


def nltk_sentence(references: Sequence[Sequence[str]], hypothesis: Sequence[str]) -> float:
    """Replace `nltk.translate.bleu_score.sentence_bleu`; references come first."""
    return bleu.sentence_bleu(hypothesis, references, convention="nltk-method0").value


def nltk_corpus(
    references: Sequence[Sequence[Sequence[str]]], hypotheses: Sequence[Sequence[str]]
) -> float:
    """Replace `nltk.translate.bleu_score.corpus_bleu`; references come first."""
    return bleu.corpus_bleu(hypotheses, references, convention="nltk-method0").value


def evaluate_bleu(
    *, predictions: Sequence[str], references: Sequence[Sequence[str]]
) -> dict[str, object]:
    """Replace `evaluate.load("bleu").compute`."""
    score = bleu.corpus_bleu(predictions, references, convention="huggingface-evaluate")
    c, r = score.hypothesis_length, score.reference_length
    return {
        "bleu": score.value,
        "precisions": [float(p) for p in score.precisions],
        "brevity_penalty": score.brevity_penalty,
        "length_ratio": c / r,
        "translation_length": c,
        "reference_length": r,
    }

"""The derivation of a corpus score from texts."""

from collections.abc import Sequence
from typing import Unpack

from bleu.core.api import count_corpus
from bleu.core.choices import Choices
from bleu.core.conventions import resolve_settings
from bleu.core.progress import run_to_end
from bleu.core.settings import Settings, document_choices
from bleu.core.tokenizers import Text
from bleu.corpus.corpus import Corpus, iter_corpus


@document_choices
def derive_corpus(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    settings: Settings | None = None,
    **choices: Unpack[Choices],
) -> Corpus:
    """Return the full derivation of corpus BLEU, with the statistics and score of each segment.

    Arguments, empty corpora and errors are those of `corpus_bleu`, which returns the score alone
    and needs no memory for the segments. The scores of the segments are in [0, 1], as is their
    mean, which is not BLEU (Papineni 2002, 2.1.1).

    >>> corpus = derive_corpus(["a b c d", "x y"], [["a b c d"], ["x z"]])
    >>> corpus.score.matched, corpus.scores, corpus.mean
    ((5, 3, 2, 1), [1.0, 0.0], 0.5)
    >>> print(corpus)
    BLEU-4 88.91 (BP 1.000, precisions 83.3/75.0/100.0/100.0, c 6, r 6) of 2 segments
    """
    settings = resolve_settings(choices, settings)
    segments = count_corpus(hypotheses, references, settings)
    reference_count = max(map(len, references), default=1)
    return run_to_end(iter_corpus(segments, len(hypotheses), settings, references=reference_count))

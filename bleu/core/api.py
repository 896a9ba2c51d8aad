"""The scores that people ask for: of a sentence, and of a corpus."""

from collections.abc import Sequence
from typing import Final, Unpack
from warnings import warn

from bleu.core.choices import Choices, SettingChoices, append_docstrings
from bleu.core.conventions import resolve_settings
from bleu.core.score import Score, compute
from bleu.core.segment import check_references, count_segment
from bleu.core.settings import Settings
from bleu.core.statistics import Statistics, check_statistics
from bleu.core.tokenizers import Text, is_text_or_tokens

_TRANSPOSED_MARGIN: Final = 0.1
"""How much higher a score must be, of 1, to say that references are transposed."""


@append_docstrings(Choices, SettingChoices)
def sentence_bleu(
    hypothesis: Text,
    references: Sequence[Text],
    settings: Settings | None = None,
    **choices: Unpack[Choices],
) -> Score:
    """BLEU of one segment, its `value` in [0, 1].

    Arguments, empties and errors are those of `derive`. With the defaults this is NLTK's
    `sentence_bleu` on white-space tokens, except that a 0 is exactly 0.

    >>> sentence_bleu("the cat is on mat", ["the cat is on the mat"]).value
    0.5789300674674098
    >>> sentence_bleu([7, 8, 9], [[7, 8, 9], [7]], max_order=3).value
    1.0
    """
    chosen = resolve_settings(choices, settings)
    check_references(hypothesis, references)
    return compute(count_segment(hypothesis, references, chosen), chosen)


@append_docstrings(Choices, SettingChoices)
def corpus_bleu(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    settings: Settings | None = None,
    **choices: Unpack[Choices],
) -> Score:
    """BLEU of a corpus, its `value` in [0, 1]: the score of the summed statistics.

    `references[i]` are the references of `hypotheses[i]`, one or more. An empty corpus scores 0.
    With the defaults this is sacreBLEU's `corpus_bleu` without smoothing on white-space tokens.

    Raises TypeError or ValueError that says which argument is a bare string, shorter than the
    other, or transposed, and what `Settings` raises (Papineni 2002, 2.1.1). Warns where as many
    references as segments score far higher read as `references[k][i]`.

    >>> corpus_bleu(["a b c d", "x y"], [["a b c d"], ["x z"]]).matched
    (5, 3, 2, 1)
    """
    chosen = resolve_settings(choices, settings)
    check_corpus(hypotheses, references)
    score = _corpus_score(hypotheses, references, chosen)
    if seems_transposed(hypotheses, references, chosen, score.value):
        warn(
            f"the references of the {len(hypotheses)} segments look transposed: read the other way "
            "round they score far higher; references[i] are those of hypotheses[i]",
            stacklevel=2,
        )
    return score


def _corpus_score(
    hypotheses: Sequence[Text], references: Sequence[Sequence[Text]], settings: Settings
) -> Score:
    parts = (
        count_segment(hypothesis, own, settings)
        for hypothesis, own in zip(hypotheses, references, strict=True)
    )
    return compute(Statistics.sum(parts, settings.max_order), settings)


def seems_transposed(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    settings: Settings,
    score: float | None = None,
) -> bool:
    """Whether references may be given as sacreBLEU has them, `references[k][i]` for segment i.

    That fits too where there are as many references as segments, two or more; it is likely where
    so read they score at least a tenth, of 1, more than as they are, which is `score` where it is
    known.

    >>> texts = ["a b c d", "e f g h"], [["a b c d", "e f g h"], ["a b c x", "e f g x"]]
    >>> seems_transposed(*texts, Settings())
    True
    """
    size = len(hypotheses)
    if size < 2 or any(len(own) != size for own in references):
        return False
    try:
        here = _corpus_score(hypotheses, references, settings).value if score is None else score
        other = _corpus_score(hypotheses, list(zip(*references, strict=True)), settings).value
    except (TypeError, ValueError):  # text beside tokens, or no number for it
        return False
    return other >= here + _TRANSPOSED_MARGIN


@append_docstrings(Choices, SettingChoices)
def segment_statistics(
    hypothesis: Text,
    references: Sequence[Text],
    settings: Settings | None = None,
    **choices: Unpack[Choices],
) -> Statistics:
    """What is counted of one segment; such statistics add up with `+` to those of a corpus.

    So a corpus can be counted in parts, anywhere and in any order: each part is small, holds no
    text, and can be pickled; `score_statistics` makes the score of the sum. Only a smoothing that
    ends in `-last` depends on the order. Arguments, empties and errors are those of `derive`.

    >>> both = segment_statistics("a b c d", ["a b c d"]) + segment_statistics("x y", ["x z"])
    >>> both.matched, both.total
    ((5, 3, 2, 1), (6, 4, 2, 1))
    """
    chosen = resolve_settings(choices, settings)
    check_references(hypothesis, references)
    return count_segment(hypothesis, references, chosen)


@append_docstrings(Choices, SettingChoices)
def score_statistics(
    statistics: Statistics,
    settings: Settings | None = None,
    **choices: Unpack[Choices],
) -> Score:
    """BLEU of summed statistics, its `value` in [0, 1], with the settings they were counted with.

    Raises ValueError where the statistics have other orders, or not the details, that the settings
    ask for, or more matches than n-grams; TypeError unless they are statistics; and what `Settings`
    raises.

    >>> parts = [segment_statistics("a b c d", ["a b c d"]), segment_statistics("x y", ["x z"])]
    >>> score_statistics(Statistics.sum(parts, max_order=4)).matched
    (5, 3, 2, 1)
    """
    chosen = resolve_settings(choices, settings)
    check_statistics(statistics)
    for matched, total in zip(statistics.matched, statistics.total, strict=True):
        if not 0 <= matched <= total:
            raise ValueError(f"the statistics have {matched} matches among {total} n-grams")
    nothing = Statistics.zero(chosen.max_order)
    if chosen.detailed and statistics.details is None and statistics != nothing:
        raise ValueError(
            "the statistics have no details, which these settings need: count with them"
        )
    return compute(statistics, chosen)


def check_corpus(hypotheses: Sequence[Text], references: Sequence[Sequence[Text]]) -> None:
    """Raise TypeError or ValueError, saying what is wrong, unless it is a corpus."""
    for name, value in (("hypotheses", hypotheses), ("references", references)):
        if isinstance(value, str) or not is_text_or_tokens(value):
            listed = ": its .tolist()" if hasattr(value, "tolist") else ""
            raise TypeError(
                f"{name} is a {type(value).__name__}; give a list with one entry for each segment"
                f"{listed}"
            )
    if len(references) != len(hypotheses):
        lengths = {
            len(own) for own in references if not isinstance(own, str) and is_text_or_tokens(own)
        }
        transposed = lengths == {len(hypotheses)}
        raise ValueError(
            f"there are {len(hypotheses)} hypotheses and {len(references)} lists of references"
            + (
                "; the references look transposed: references[i] are those of segment i"
                if transposed
                else "; give one list of references for each hypothesis"
            )
        )
    for place, (hypothesis, own) in enumerate(zip(hypotheses, references, strict=True)):
        check_references(hypothesis, own, f"references[{place}]")

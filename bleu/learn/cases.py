"""The cases on which a learner's code is assessed: texts that tell mistakes apart, and scores."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, Final

from bleu.core.api import corpus_bleu
from bleu.core.score import Score
from bleu.core.settings import Settings
from bleu.core.tokenizers import tokenize
from bleu.learn.hand_calculation import Task, Words
from bleu.learn.submission import Texts

TOLERANCE: Final = 1e-9
"""The difference, on the 0–1 scale, up to which two scores agree unless they are rounded."""

_SENTENCES: Final[Sequence[tuple[str, Sequence[str]]]] = (
    ("the cat sat on the mat", ["the cat sat on the mat"]),
    ("the cat", ["the cat"]),
    ("", ["the cat sat"]),
    ("one two three four", ["five six seven eight"]),
    ("the cat sat on the", ["the cat sat on the mat"]),
    ("the cat sat on the mat all day", ["the cat sat on the mat"]),
    ("the cat sat here on a mat", ["the cat sat on the mat"]),
    ("The cat sat on the mat", ["the cat sat on the mat"]),
    ("the cat sat on the mat.", ["the cat sat on the mat ."]),
    ("the the the the cat sat on", ["the cat sat on the mat", "on the mat the cat sat"]),
    ("a cat sat on the mat", ["the cat sat on the mat", "a cat sat on a mat", "it sat on the mat"]),
    ("the cat sat on the mat", ["the cat sat on the mat too", "the cat sat on it"]),
    ("the cat sat on it all", ["the cat sat on it all day", "the cat"]),
    ("well, the cat sat on it", ["well the cat sat on it"]),
    ("the cat sat on a mat", ["the cat sat on a mat and it was", "the cat sat on a mat so it was"]),
    ("the cat sat on", ["the cat sat on a mat and it was", "the cat sat on a mat and so it was"]),
    ("the cat sat on", ["the cat sat on a mat and it was so warm"]),
    ("the cat sat on a mat", ["the cat sat on", "the cat sat on a mat so warm"]),
    ("the cat sat on the cat sat on", ["the cat sat on the mat and it sat on a cat"]),
    ("so warm it was the cat sat on", ["the cat sat on the mat", "so it was so warm on the mat"]),
)

_RANDOM_CASES: Final = 24
_CORPUS_SIZES: Final = (2, 2, 3, 5)


@dataclass(frozen=True, slots=True)
class AssessedCase:
    """A test of the function: the texts, the `expected` score, and the `actual` score.

    Both scores are on the 0–1 scale; `actual` is None if the function failed with `error`. `call`
    is the call as code; `tolerance` is the difference up to which the scores agree.
    """

    hypotheses: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    settings: Settings
    expected: float
    actual: float | None
    error: str = ""
    call: str = ""
    tolerance: float = TOLERANCE

    @property
    def agrees(self) -> bool:
        """Whether the scores agree within the tolerance."""
        return self.actual is not None and abs(self.actual - self.expected) <= self.tolerance

    @property
    def task(self) -> Task:
        """The texts as a task."""
        tokenizer = str(self.settings.tokenizer)
        return Task(self.hypotheses, self.references, self.settings.max_order, tokenizer)

    @property
    def score(self) -> Score:
        """The right score."""
        return right_score(self.task, self.settings)

    @property
    def segments(self) -> tuple[tuple[Words, tuple[Words, ...]], ...]:
        """The tokens of each candidate and of its references."""
        tokenizer = self.settings.tokenizer
        return tuple(
            (_words(hypothesis, tokenizer), tuple(_words(text, tokenizer) for text in texts))
            for hypothesis, texts in zip(self.hypotheses, self.references, strict=True)
        )

    @property
    def log_penalty(self) -> float:
        """The logarithm of the brevity penalty; 0 without a candidate."""
        c, r = self.score.hypothesis_length, float(self.score.reference_length)
        return min(0.0, 1 - r / c) if c else 0.0

    @property
    def precisions(self) -> list[float]:
        """The precision of each order, 0 without an n-gram."""
        pairs = zip(self.score.matched, self.score.total, strict=True)
        return [m / t if t else 0.0 for m, t in pairs]

    @property
    def parts(self) -> str:
        """The right precisions, lengths and penalty, in a line."""
        score = self.score
        pairs = zip(score.matched, score.total, strict=True)
        precisions = (f"p{n} = {m}/{t}" for n, (m, t) in enumerate(pairs, 1))
        return (
            f"{', '.join(precisions)}, c = {score.hypothesis_length}, "
            f"r = {score.reference_length:g}, BP = {score.brevity_penalty:.4g}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the case for JSON."""
        return {
            "hypotheses": self.hypotheses,
            "references": self.references,
            "expected": self.expected,
            "actual": self.actual,
            "error": self.error,
            "call": self.call,
            "tolerance": self.tolerance,
            "parts": self.parts,
        }

    def __str__(self) -> str:
        """Return the case in one line."""
        result = f"fails: {self.error}" if self.actual is None else f"gives {self.actual:.6g}"
        return f"{self.call} {result}; right is {self.expected:.6g}"


@lru_cache(maxsize=1024)
def right_score(task: Task, settings: Settings) -> Score:
    """Return the right score of a case."""
    return corpus_bleu(task.hypotheses, task.references, settings)


@lru_cache(maxsize=4096)
def _words(text: str, tokenizer: Any) -> Words:
    return tuple(map(str, tokenize(text, tokenizer)))


@lru_cache(maxsize=4)
def tasks(settings: Settings) -> tuple[Task, ...]:
    """Return the fixed and the random cases, those of several segments last."""
    random = Random(47)
    words = ["the", "cat", "sat", "on", "a", "mat", "and", "it", "was", "so", "warm"]
    segments = [(hypothesis, tuple(references)) for hypothesis, references in _SENTENCES]
    for _ in range(_RANDOM_CASES):
        reference = random.choices(words, k=random.randint(5, 9))
        texts = []
        for _ in range(random.randint(2, 4)):
            text = reference.copy()
            for _ in range(random.randint(0, 2)):
                position = random.randrange(len(text))
                text[position : position + random.randint(0, 1)] = random.choices(
                    words, k=random.randint(0, 2)
                )
            texts.append(" ".join(text))
        segments.append((texts[0], tuple(texts[1:])))
    groups = [[segment] for segment in segments]
    groups += [random.sample(segments[4:], size) for size in _CORPUS_SIZES]
    return tuple(
        Task(
            tuple(hypothesis for hypothesis, _ in group),
            tuple(references for _, references in group),
            settings.max_order,
            str(settings.tokenizer),
        )
        for group in groups
    )


@lru_cache(maxsize=4)
def assessed_texts(settings: Settings) -> tuple[Texts, ...]:
    """Return the arguments of all cases, as text and as tokens."""

    def tokens(text: str) -> list[str]:
        return list(_words(text, settings.tokenizer))

    return tuple(
        Texts(
            (list(task.hypotheses), list(map(list, task.references))),
            (
                list(map(tokens, task.hypotheses)),
                [list(map(tokens, references)) for references in task.references],
            ),
        )
        for task in tasks(settings)
    )

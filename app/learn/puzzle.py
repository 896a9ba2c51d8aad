"""A puzzle: find a hidden sentence from the precisions, the penalty and the score of guesses."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, replace
from html import escape
from typing import Final
from urllib.parse import parse_qs, urlencode

from app.components import button
from app.learn.puzzle_sentences import PATTERNS
from bleu.core.api import derive
from bleu.core.score import Score
from bleu.explanation.matches import candidate_kinds
from bleu.learn.sentences import SeededRandom
from bleu.render import html

MAX_GUESSES: Final = 6
MAX_WORDS: Final = 12
"""The largest number of words of a sentence."""
MAX_CHOICES: Final = 3, 2
"""The choices of each place that the bank has: of the sentence's pattern, and of another."""
_OWN: Final = "~"
"""The start of a seed that holds a sentence, in letters that nobody reads."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A hidden sentence, the words to build guesses from, and the guesses so far.

    `seed` is the date of the day's puzzle, or what a link has; it decides the rest.
    """

    seed: str
    reference: str
    bank: tuple[str, ...]
    guesses: tuple[str, ...] = ()

    @property
    def is_won(self) -> bool:
        """Whether the sentence was guessed."""
        return self.reference in self.guesses

    @property
    def is_over(self) -> bool:
        """Whether it is won, or no guess is left."""
        return self.is_won or len(self.guesses) == MAX_GUESSES

    @property
    def title(self) -> str:
        """The date, or another name that gives nothing away."""
        return "a sentence of your own" if self.seed.startswith(_OWN) else self.seed


def new_puzzle(seed: str) -> Puzzle:
    """Return the puzzle of a seed.

    >>> puzzle = new_puzzle("2026-11-29")
    >>> set(puzzle.reference.split()) <= set(puzzle.bank)
    True
    """
    rng = SeededRandom(f"puzzle {seed}")
    patterns = rng.shuffled(PATTERNS)[:2]
    words, bank = _draw(rng, patterns[0], MAX_CHOICES[0])
    if own := own_sentence(seed):
        words, bank = own.split(), _draw(rng, patterns[0], 1)[1]
    bank |= _draw(rng, patterns[1], MAX_CHOICES[1])[1]
    return Puzzle(seed, " ".join(words), tuple(sorted(bank.union(words))))


def _draw(rng: SeededRandom, pattern: str, count: int) -> tuple[list[str], set[str]]:
    """Return a sentence of a pattern, and `count` words for each place, its own among them."""
    choices = [rng.shuffled(tuple(place.split("|")))[:count] for place in pattern.split()]
    return [words[0] for words in choices], {word for words in choices for word in words}


def seed_of_sentence(text: str) -> str:
    """Return the seed of a puzzle with this sentence.

    Raises ValueError if it has fewer than 3 words or more than `MAX_WORDS`.

    >>> own_sentence(seed_of_sentence("The  cat sat."))
    'the cat sat.'
    """
    words = text.lower().split()
    if not 3 <= len(words) <= MAX_WORDS or len(text) > 150:
        raise ValueError(f"the sentence has {len(words)} words; write 3 to {MAX_WORDS}")
    return _OWN + urlsafe_b64encode(" ".join(words).encode()).decode().rstrip("=")


def own_sentence(seed: str) -> str:
    """Return the sentence in a seed, or "" if it has none."""
    if not seed.startswith(_OWN):
        return ""
    text = seed.removeprefix(_OWN)
    try:
        sentence = urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode()
        return sentence if seed_of_sentence(sentence) == seed else ""
    except ValueError:
        return ""


def puzzle_seed(fragment: str) -> str:
    """Return the seed of the puzzle that a link opens, or "".

    >>> puzzle_seed("#puzzle=2026-11-29&view=learn"), puzzle_seed("#view=learn")
    ('2026-11-29', '')
    """
    seed = parse_qs(fragment.removeprefix("#")[:600]).get("puzzle", [""])[0]
    return seed if seed.startswith(_OWN) and own_sentence(seed) else seed[:20]


def puzzle_link(address: str, seed: str) -> str:
    """Return the link to a puzzle."""
    return f"{address}#{urlencode({'puzzle': seed})}&view=learn"


def add_guess(puzzle: Puzzle, text: str) -> Puzzle:
    """Return the puzzle after a guess.

    Raises ValueError if it is empty, too long or a repetition, or has a word that the bank lacks.
    """
    words = text.lower().split()
    unknown = [word for word in words if word not in puzzle.bank]
    if unknown:
        raise ValueError(f"“{unknown[0][:20]}” is not among the words; choose from them")
    if not words or len(words) > MAX_WORDS:
        raise ValueError(f"the guess has {len(words)} words; write 1 to {MAX_WORDS}")
    guess = " ".join(words)
    if guess in puzzle.guesses:
        raise ValueError("this is one of your guesses; write another")
    return replace(puzzle, guesses=(*puzzle.guesses, guess))


def guess_score(puzzle: Puzzle, guess: str) -> Score:
    """Return BLEU-2 of a guess."""
    return derive(guess, [puzzle.reference], max_order=2).score


def _cells(score: Score) -> list[str]:
    """Return a row of cells for the words and for the pairs; those that match are filled."""
    pairs = zip(score.matched, score.total, strict=True)
    return ["■" * matched + "□" * (total - matched) for matched, total in pairs]


def result_text(puzzle: Puzzle, address: str) -> str:
    """Return the result in a few lines to send to a friend, which do not give the words away."""
    number = str(len(puzzle.guesses)) if puzzle.is_won else "–"
    lines = [f"BLEU, find the sentence · {puzzle.title} · {number}/{MAX_GUESSES}"]
    for guess in puzzle.guesses:
        score = guess_score(puzzle, guess)
        lines.append(f"{'  '.join(_cells(score))}  {100 * score.value:.0f}")
    return "\n".join([*lines, puzzle_link(address, puzzle.seed)])


def guess_text(puzzle: Puzzle, guess: str) -> str:
    """Return what a guess got, for screen readers.

    >>> guess_text(Puzzle("", "the cat sat", ("cat", "sat", "the")), "the cat")
    'the cat: 2 of 2 words match, 1 of 1 pairs, brevity penalty 0.61, BLEU 61'
    """
    score = guess_score(puzzle, guess)
    words, pairs = (f"{m} of {t}" for m, t in zip(score.matched, score.total, strict=True))
    return (
        f"{guess}: {words} words match, {pairs} pairs, brevity penalty "
        f"{score.brevity_penalty:.2g}, BLEU {100 * score.value:.0f}"
    )


def _guess_html(puzzle: Puzzle, guess: str) -> str:
    score = guess_score(puzzle, guess)
    text = _marked_html(puzzle, guess) if puzzle.is_over else escape(guess)
    bars = "".join(
        f'<span class="puzzle-bar">{name} <span class="puzzle-cells">{cells}</span></span>'
        for name, cells in zip(("p₁", "p₂"), _cells(score), strict=True)
    )
    return (
        f'<li><span class="spoken">{escape(guess_text(puzzle, guess))}</span>'
        f'<div lang="en" translate="no" aria-hidden="true">{text}</div>'
        f'<div class="puzzle-bars" aria-hidden="true">{bars}<span class="puzzle-bar">BP '
        f"{score.brevity_penalty:.2g}</span></div>"
        f'<b class="puzzle-score" aria-hidden="true">{100 * score.value:.0f}</b></li>'
    )


def _marked_html(puzzle: Puzzle, guess: str) -> str:
    """Return the words of a guess in the page's marks, and the pairs that match joined."""
    orders = derive(guess, [puzzle.reference], max_order=2).orders
    words, (kinds, pairs) = guess.split(), (list(candidate_kinds(order)) for order in orders)
    parts = []
    for k, (word, kind) in enumerate(zip(words, kinds, strict=True)):
        is_joined = k and pairs[k - 1] == "credited"
        joint = '<span class="puzzle-joint"></span>' if is_joined else " "
        parts.append(f'{joint}<span class="ngram {kind}">{escape(word)}</span>')
    return "".join(parts)


def puzzle_html(puzzle: Puzzle, current: str = "", error: str = "") -> str:
    """Return the words to choose from, the guesses with their bars, and the box for the next."""
    guesses = "".join(_guess_html(puzzle, guess) for guess in puzzle.guesses)
    head = (
        '<form id="exercise" class="step" autocomplete="off" aria-labelledby="exercise-title">'
        '<h3 id="exercise-title" tabindex="-1">Find the sentence <span class="hint">'
        f"{escape(puzzle.title)}</span></h3>"
    )
    listed = f'<ol class="puzzle-guesses">{guesses}</ol>' if guesses else ""
    if puzzle.is_over:
        return f"{head}{listed}{_end_html(puzzle)}</form>"
    words = map(escape, puzzle.bank)  # A link may hold any words.
    chips = "".join(button(f"learn:word {word}", word, ' translate="no"') for word in words)
    remove = button("learn:unword", "⌫", ' aria-label="Remove a word"')
    left = MAX_GUESSES - len(puzzle.guesses)
    intro = (
        "<p>A sentence is hidden. Build a guess from these words, each as often as you like; many "
        "are not in the sentence. The boxes count the words (p₁) and the pairs of neighbours (p₂) "
        "that match. A guess that is too short has BP below 1.</p>"
        if not guesses
        else ""
    )
    return (
        f"{head}{intro}{listed}"
        f'<div class="puzzle-bank" role="group" aria-label="Words">{chips}</div>'
        '<div class="puzzle-line"><label for="puzzle-guess" class="spoken">Your guess</label>'
        f'<input type="text" id="puzzle-guess" value="{escape(current)}" lang="en" '
        'autocapitalize="off" autocomplete="off" spellcheck="false" translate="no" '
        f'aria-describedby="puzzle-error">{remove}<button class="first">Guess</button></div>'
        f'<p id="puzzle-error" role="alert" class="alert">{html.prose(error)}</p>'
        f'<p class="hint">{left} guess{"es" if left > 1 else ""} left</p></form>'
    )


def _end_html(puzzle: Puzzle) -> str:
    tries = len(puzzle.guesses)
    verdict = f"Found in {tries} of {MAX_GUESSES}." if puzzle.is_won else "The sentence was: "
    why = next((guess for guess in reversed(puzzle.guesses) if guess != puzzle.reference), "")
    texts = {"hypothesis": why or puzzle.reference, "reference": puzzle.reference}
    query = urlencode({**texts, "max-order": "2", "view": "why"})
    sentence = f'<q class="ngram" translate="no">{escape(puzzle.reference)}</q>'
    copy = button("learn:puzzle-copy", "Copy the result", ' class="first"')
    another = button("learn:puzzle-new", "Another")
    return (
        f'<p class="puzzle-end"><b>{verdict}</b> {"" if puzzle.is_won else sentence}</p>'
        '<p class="hint">Blue words match; a line joins the pairs that match.</p>'
        f'<div class="buttons">{copy}{another}<a class="button" href="#{escape(query)}">'
        "How the score comes about</a></div>"
    )

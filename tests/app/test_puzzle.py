"""The puzzle: its sentences, its links, and how many guesses players need."""

import random
from collections import Counter
from itertools import pairwise, product

import pytest

from app.learn.puzzle import (
    MAX_GUESSES,
    MAX_WORDS,
    Puzzle,
    add_guess,
    guess_score,
    new_puzzle,
    own_sentence,
    puzzle_html,
    puzzle_link,
    puzzle_seed,
    result_text,
    seed_of_sentence,
)
from app.learn.puzzle_sentences import PATTERNS
from bleu.core.api import derive


def facts(guess, reference):
    """Return what the bars of a guess show, counted apart from the library."""
    a, b = guess.split(), reference.split()
    words = sum((Counter(a) & Counter(b)).values())
    pairs = sum((Counter(pairwise(a)) & Counter(pairwise(b))).values())
    return words, pairs, max(0, len(b) - len(a))


def guesses_needed(seed, memory):
    """Return the guesses of a player who knows the patterns and keeps a share of the answers."""
    rng = random.Random(seed)
    puzzle = new_puzzle(seed)
    places = [[set(place.split("|")) & set(puzzle.bank) for place in p.split()] for p in PATTERNS]
    sentences = [
        " ".join(words)
        for pattern in places
        if all(pattern)
        for words in product(*map(sorted, pattern))
    ]
    while not puzzle.is_over:
        kept = [guess for guess in puzzle.guesses if rng.random() < memory]
        possible = [
            sentence
            for sentence in sentences
            if sentence not in puzzle.guesses
            and all(facts(g, sentence) == facts(g, puzzle.reference) for g in kept)
        ]
        puzzle = add_guess(puzzle, rng.choice(possible))
    return len(puzzle.guesses) if puzzle.is_won else MAX_GUESSES + 1


@pytest.mark.parametrize(("memory", "low", "high"), [(1.0, 3.0, 4.0), (0.5, 4.4, 5.4)])
def test_players_need_about_three_and_five_guesses(memory, low, high):
    needed = [guesses_needed(f"s{k}", memory) for k in range(400)]
    assert low < sum(needed) / len(needed) < high
    assert sum(number <= MAX_GUESSES for number in needed) >= 0.8 * len(needed)


def test_every_pattern_makes_sentences_of_a_fair_length():
    for pattern in PATTERNS:
        places = pattern.split()
        assert 6 <= len(places) <= MAX_WORDS
        assert sum("|" in place for place in places) >= 3
        assert all(
            word.isalpha() and word.islower() for place in places for word in place.split("|")
        )


def test_seed_gives_the_same_puzzle_for_ever():
    puzzle = new_puzzle("2026-11-29")
    assert puzzle == new_puzzle("2026-11-29") != new_puzzle("2026-11-30")
    assert puzzle.reference == FIRST
    assert all(word in puzzle.bank for word in FIRST.split())


FIRST = "he told us a strange story yesterday"


def test_bars_show_what_was_counted():
    puzzle = new_puzzle("x")
    for seed in range(40):
        guess = new_puzzle(str(seed)).reference
        score = guess_score(puzzle, guess)
        words, pairs, missing = facts(guess, puzzle.reference)
        assert (score.matched, missing > 0) == ((words, pairs), score.brevity_penalty < 1)


def test_own_sentence_is_hidden_in_its_link():
    seed = seed_of_sentence("The teacher likes  quiet students")
    link = puzzle_link("https://example.org/", seed)
    assert not any(word in link for word in ("teacher", "quiet", "students"))
    assert puzzle_seed(link.partition("#")[2]) == seed
    puzzle = new_puzzle(seed)
    assert puzzle.reference == "the teacher likes quiet students"
    assert len(puzzle.bank) > 12
    assert "teacher" not in puzzle_html(Puzzle(seed, "a b", ("a", "b")))
    for text in ("", "two words", "w " * 13, "x" * 200):
        with pytest.raises(ValueError, match="write 3 to 12"):
            seed_of_sentence(text)
    for broken in ("~", "~!!", "~AAAA", "~" + "A" * 300, seed[:-2]):
        assert own_sentence(broken) != "the teacher likes quiet students"
        assert new_puzzle(broken).reference


@pytest.mark.parametrize(
    ("text", "message"),
    [("", "has 0 words"), ("a " * 13, "has 13 words"), ("a x", "“x” is not"), ("a", "one of your")],
)
def test_wrong_guess_is_refused(text, message):
    puzzle = Puzzle("s", "a b", ("a", "b"), ("a",))
    with pytest.raises(ValueError, match=message):
        add_guess(puzzle, text)


def test_end_shows_why_and_the_result_gives_nothing_away():
    puzzle = Puzzle("s", "a b c", ("a", "b", "c", "d"), ("a b", "c a b"))
    assert "ngram" not in puzzle_html(puzzle)
    assert "a b c" not in puzzle_html(puzzle)
    won = add_guess(puzzle, "A  b c")
    assert won.is_won
    markup = puzzle_html(won)
    assert markup.count("puzzle-joint") == 1 + 1 + 2
    assert "Found in 3 of 6." in markup
    assert "max-order=2&amp;view=why" in markup
    assert result_text(won, "u").splitlines() == [
        "BLEU, find the sentence · s · 3/6",
        f"■■  ■  {100 * derive('a b', ['a b c'], max_order=2).score.value:.0f}",
        "■■■  ■□  71",
        "■■■  ■■  100",
        "u#puzzle=s&view=learn",
    ]
    assert "<script" not in puzzle_html(Puzzle("<script>", "a b c", ("<script>",)))

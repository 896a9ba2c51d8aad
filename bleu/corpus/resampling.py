"""The scores of resampled corpora: segments drawn with replacement, or swapped between systems.

The generators yield (done, total) after every resample, and (0, total) during the preparation, so
that a caller can run them in slices or stop them; `run_to_end` returns their result.
"""

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, compress, islice
from numbers import Integral
from operator import itemgetter
from typing import Final, TypeVar

from bleu.core.bitlanes import Lanes
from bleu.core.display import short_repr
from bleu.core.progress import ProgressGenerator
from bleu.core.score import compute
from bleu.core.settings import Settings
from bleu.core.statistics import Statistics, check_counting
from bleu.corpus.corpus import Packing, Shape, shape_of
from bleu.metric.smoothings import SMOOTHINGS

_STEPS: Final = 1024
"""Steps of the generator in one multiplication."""
_OFFSET: Final = 5
"""Bits below the half of a word in its lane: see `_word_halves`."""
_BITS_32: Final = 2**32 - 1
_BITS_64: Final = 2**64 - 1
_BITS_128: Final = 2**128 - 1
_MULTIPLIER: Final = 0x2360ED051FC65DA44385DF649FCCF645


def random_indices(seed: int, below: int) -> Iterator[Sequence[int]]:
    """Yield integers in [0, below) without end, about two thousand at a time.

    In order, they are those of NumPy's `choice(below)` and `integers(below)`. `seed` is an integer
    of 0 or more, and `below` an integer from 1 to 2**32 - 1.

    Each 32-bit half u of a 64-bit random word gives the index u · below / 2**32, rounded down. The
    index is rejected if the remainder is less than a threshold, 2**32 mod below, because otherwise
    some indices would be drawn too often (Lemire 2019). The sum of a remainder and
    2**32 - threshold carries unless the remainder is too small, so one addition checks all lanes.

    >>> next(random_indices(12345, 100))[:8]
    (69, 22, 78, 31, 20, 79, 64, 67)
    """
    threshold = 2**32 % below
    ones, lanes = Lanes(_STEPS, 8).ones, Lanes(2 * _STEPS, 4)
    lower, upper = ones * _BITS_32, ones * _BITS_32 << 32
    bits, carries = lower << _OFFSET, ones << 32 + _OFFSET
    complements = carries - (ones * threshold << _OFFSET)
    for first_half, second_half in _word_halves(seed):
        first, second = first_half * below, second_half * below
        indices = lanes.split(first >> 32 + _OFFSET & lower | second >> _OFFSET & upper)
        if (first & bits) + complements & (second & bits) + complements & carries == carries:
            yield indices
        else:
            remainders = lanes.split((first & bits | (second & bits) << 32) >> _OFFSET)
            pairs = zip(indices, remainders, strict=True)
            yield [index for index, remainder in pairs if remainder >= threshold]


def random_bits(seed: int, bit_count: int) -> Iterator[int]:
    """Yield integers of `bit_count` random bits without end, the lowest bit drawn first.

    The bits are those of NumPy's `integers(2, dtype=bool)`. `seed` is an integer of 0 or more,
    and `bit_count` is at least 1.

    >>> from itertools import islice
    >>> [f"{number:05b}"[::-1] for number in islice(random_bits(12345, 5), 2)]
    ['10111', '00110']
    """
    pool = drawn = 0
    for lower, upper in _word_halves(seed):
        pool |= (lower | upper << 32) >> _OFFSET << drawn
        drawn += 64 * _STEPS
        while drawn >= bit_count:
            yield pool & (1 << bit_count) - 1
            pool >>= bit_count
            drawn -= bit_count


def _word_halves(seed: int) -> Iterator[tuple[int, int]]:
    """Yield the lower and the upper halves of PCG64's words in lanes, the first word lowest.

    A word is a state's lower half XOR its upper half, rotated right by the number in the top six
    bits of the state. The rotation is by 16, 8, … 1 in the lanes that have that bit set; for a
    rotation by 32, the halves change places. Each half is rotated with the other half above it, so
    bits that enter a lane from the next one never reach the 32 bits in use.

    In `counts`, the six bits are the lowest of each lane; a half begins at the highest of them.
    Subtracting one of them that is set from the highest bit of the lane gives a mask of the half.
    """
    state, increment = _initial_state(seed)
    jumps = list(_jumps(increment))
    odd, even = _SplitLanes(jumps[::2], _OFFSET), _SplitLanes(jumps[1::2], _OFFSET + 64)
    ones = Lanes(_STEPS, 8).ones
    bits, highest_bits = ones * _BITS_32 << _OFFSET, ones << 63
    upper_bits = bits << 32
    turns = [(turn, ones * turn) for turn in (16, 8, 4, 2, 1)]
    swaps = ones * 32
    multiplier, summand = jumps[-1]
    while True:
        (low, high), (next_low, next_high) = odd.after(state), even.after(state)
        high |= next_high
        lower = (low | next_low) ^ high >> 64
        upper = lower >> 32 & bits | lower << 32 & upper_bits
        counts = high >> 64 + 58 + _OFFSET
        for turn, bit in turns:
            mask = highest_bits - (counts & bit)
            lower ^= (lower ^ lower >> turn) & mask
            upper ^= (upper ^ upper >> turn) & mask
        swapped = (lower ^ upper) & bits & highest_bits - (counts & swaps)
        yield lower & bits ^ swapped, upper & bits ^ swapped
        state = (state * multiplier + summand) & _BITS_128


class _SplitLanes:
    """Several jumps of the generator at once, each in a lane of 128 bits.

    A jump is a multiplier and a summand that advance a state by one or more steps. The lanes are
    shifted by `offset`, and every number is split into its lower and upper half.
    """

    def __init__(self, jumps: Sequence[tuple[int, int]], offset: int) -> None:
        lanes = Lanes(len(jumps), 16)
        self._lower = lanes.ones * _BITS_64 << offset
        self._upper = self._lower << 64
        joined = map(lanes.join, zip(*jumps, strict=True))
        multipliers, summands = (numbers << offset for numbers in joined)
        self._low, self._high = multipliers & self._lower, multipliers & self._upper
        self._shifted_low = self._low << 64
        self._low_summand, self._high_summand = summands & self._lower, summands & self._upper

    def after(self, state: int) -> tuple[int, int]:
        """Return the states after each jump in lanes: the lower halves, and the upper halves."""
        low, high = state & _BITS_64, state >> 64
        lower = low * self._low + self._low_summand  # No lane overflows: it is below 2**128.
        upper = (
            (lower & self._upper)
            + (low * self._high & self._upper)
            + (high * self._shifted_low & self._upper)
            + self._high_summand
        )
        return lower & self._lower, upper & self._upper


def _jumps(increment: int) -> Iterator[tuple[int, int]]:
    """Yield the multiplier and the summand that advance a state by 1, 2, 3, … steps."""
    multiplier, summand = 1, 0
    for _ in range(_STEPS):
        multiplier = multiplier * _MULTIPLIER & _BITS_128
        summand = (summand * _MULTIPLIER + increment) & _BITS_128
        yield multiplier, summand


def _initial_state(seed: int) -> tuple[int, int]:
    """Return PCG64's first state and its increment, which is odd."""
    high, low, sequence_high, sequence_low = struct.unpack("<4Q", _seed_bytes(seed))
    increment = ((sequence_high << 64 | sequence_low) << 1 | 1) & _BITS_128
    state = increment + (high << 64 | low)
    return (state * _MULTIPLIER + increment) & _BITS_128, increment


def _seed_bytes(seed: int) -> bytes:
    """Return 32 bytes of NumPy's SeedSequence: a pool of four 32-bit words, mixed and hashed."""
    entropy = [seed >> shift & _BITS_32 for shift in range(0, max(128, seed.bit_length()), 32)]
    hash_word = _hasher(0x43B0D7E5, 0x931E8875)
    pool = [hash_word(word) for word in entropy[:4]]
    for source in range(4):
        for target in range(4):
            if source != target:
                pool[target] = _mix(pool[target], hash_word(pool[source]))
    for word in entropy[4:]:
        pool = [_mix(pooled, hash_word(word)) for pooled in pool]
    hash_output = _hasher(0x8B51F9DD, 0x58F38DED)
    return struct.pack("<8I", *map(hash_output, pool * 2))


def _hasher(constant: int, multiplier: int) -> Callable[[int], int]:
    """Return a hash function of 32-bit words whose constant changes with every word."""

    def hash_word(word: int) -> int:
        nonlocal constant
        word ^= constant
        constant = constant * multiplier & _BITS_32
        word = word * constant & _BITS_32
        return word ^ word >> 16

    return hash_word


def _mix(left: int, right: int) -> int:
    word = (left * 0xCA01F9DD - right * 0x4973F715) & _BITS_32
    return word ^ word >> 16


T = TypeVar("T")

SegmentStatistics = Sequence[Statistics]
"""The statistics of one system's segments."""

SystemScores = tuple[float, ...]
"""The score of each system, in [0, 1]."""

MAX_TIMES: Final = 1_000_000
"""The largest number of resamples or trials, because their scores are held in memory."""
_CHUNK_SIZE: Final = 512
"""The number of segments prepared between two reports of progress."""


def bootstrap_scores(
    systems: Sequence[SegmentStatistics], settings: Settings, resamples: int, seed: int
) -> ProgressGenerator[tuple[SystemScores, list[SystemScores]]]:
    """Return the scores of the corpora, and those of each resample (Efron 1979).

    A resample draws segments with replacement. All systems are scored on the same draws, which are
    those of NumPy's `choice`.

    Raises ValueError if there are no segments or the systems have different numbers of them, if
    resamples are not from 1 to MAX_TIMES or the seed is below 0, or if the smoothing depends on the
    last segment of a corpus; TypeError unless the arguments are statistics and `Settings`.
    """
    _check_resampling(systems, settings, "resamples", resamples, seed)
    resamples, seed = int(resamples), int(seed)  # Integers of other libraries may overflow.
    packing, rows = yield from _packed(systems, resamples)
    totals = chain([sum(rows)], islice(_bootstrap_sums(rows, seed), resamples))
    return (yield from _score_totals(totals, packing, settings, resamples))


def randomization_scores(
    baseline: SegmentStatistics,
    system: SegmentStatistics,
    settings: Settings,
    trials: int,
    seed: int,
) -> ProgressGenerator[tuple[SystemScores, list[SystemScores]]]:
    """Return the scores of two corpora, and those of each trial that swaps segments at random.

    The bits of NumPy's `integers(2, dtype=bool)` choose the segments to swap.

    Raises the exceptions of `bootstrap_scores`.
    """
    _check_resampling((baseline, system), settings, "trials", trials, seed)
    trials, seed = int(trials), int(seed)
    packing, rows = yield from _packed((baseline, system), trials)
    swaps: list[int] = []
    for chunk in _chunks(rows):
        swaps += map(packing.swap_delta, chunk)
        yield 0, trials
    total = sum(rows)
    swapped_totals = (
        total + sum(compress(swaps, map(int, reversed(f"{bits:0{len(rows)}b}"))))
        for bits in islice(random_bits(seed, len(rows)), trials)
    )
    return (yield from _score_totals(chain([total], swapped_totals), packing, settings, trials))


def _check_resampling(
    systems: Sequence[SegmentStatistics], settings: Settings, name: str, times: int, seed: int
) -> None:
    """Raise TypeError or ValueError unless these systems can be resampled."""
    if not isinstance(settings, Settings):
        raise TypeError(
            f"settings is {short_repr(settings)}; give the bleu.Settings that the segments were "
            "counted with"
        )
    is_integer = isinstance(times, Integral) and not isinstance(times, bool)
    if not is_integer or not 1 <= times <= MAX_TIMES:
        raise ValueError(
            f"{name} is {short_repr(times)}; choose a whole number from 1 to {MAX_TIMES:,}"
        )
    if not isinstance(seed, Integral) or isinstance(seed, bool):
        raise TypeError(f"seed is {short_repr(seed)}; choose a whole number of 0 or more")
    if seed < 0:
        raise ValueError(f"seed is {short_repr(seed)}; choose a whole number of 0 or more")
    if SMOOTHINGS[settings.smoothing].by_last_segment:
        raise ValueError(
            f"smoothing is {settings.smoothing}, which depends on the last segment; choose one "
            "that depends on the sums alone, such as exp"
        )
    first, *others = map(len, systems)
    for size in others:
        if size != first:
            raise ValueError(
                f"the systems have {first} and {size} segments; give the same segments of both"
            )
    if not first:
        raise ValueError("there are no segments to resample; give one or more")
    for part in chain.from_iterable(systems):
        if isinstance(part, Statistics):
            check_counting(part.counting, settings.counting)


def _packed(
    systems: Sequence[SegmentStatistics], times: int
) -> ProgressGenerator[tuple[Packing, tuple[int, ...]]]:
    """Return a packing for all systems, and the packed integer of each segment."""
    chunks = list(_chunks(list(zip(*systems, strict=True))))
    shapes = set[Shape]()
    for chunk in chunks:
        shapes.update(map(shape_of, chain.from_iterable(chunk)))
        yield 0, times
    packing = Packing(shapes, len(systems))
    rows: list[int] = []
    for chunk in chunks:
        rows += map(packing.pack, chunk)
        yield 0, times
    return packing, tuple(rows)


def _chunks(rows: Sequence[T]) -> Iterator[Sequence[T]]:
    starts = range(0, len(rows), _CHUNK_SIZE)
    return (rows[start : start + _CHUNK_SIZE] for start in starts)


def _score_totals(
    totals: Iterable[int], packing: Packing, settings: Settings, times: int
) -> ProgressGenerator[tuple[SystemScores, list[SystemScores]]]:
    """Return the scores of the corpora, whose packed total is the first, and of the resamples."""
    scores, resample_settings = [], settings.for_parts
    for done, total in enumerate(totals):
        statistics = packing.unpack(total)
        scores.append(tuple(compute(part, resample_settings).value for part in statistics))
        yield done, times
    return scores[0], scores[1:]


def _bootstrap_sums(numbers: Sequence[int], seed: int) -> Iterator[int]:
    """Yield, without end, the sum of len(numbers) numbers drawn with replacement."""
    total, remaining = 0, len(numbers)
    for indices in random_indices(seed, len(numbers)):
        drawn = itemgetter(*indices)(numbers)
        start = 0
        while len(drawn) - start >= remaining:
            yield total + sum(drawn[start : start + remaining])
            start += remaining
            total, remaining = 0, len(numbers)
        total += sum(drawn[start:])
        remaining -= len(drawn) - start

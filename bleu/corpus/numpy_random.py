"""Random draws, bit for bit those of NumPy's `default_rng(seed)`, in the standard library.

So a resampling here draws the very segments that sacreBLEU draws. The generator is PCG64 (O'Neill
2014: a linear congruential state of 128 bits, its halves folded into one and rotated), seeded by
NumPy's SeedSequence; indices come from Lemire's method (2019).

Many steps are taken in one multiplication, of states in lanes, which takes a third to a quarter of
the time. The definition is one step at a time, state · multiplier + increment mod 2**128, and the
words and indices made of each: a test has that plain code, and holds this to it.
"""

import struct
from collections.abc import Callable, Iterator, Sequence
from numbers import Integral
from typing import Final

from bleu.core.bitlanes import Lanes

_STEPS: Final = 1024
"""How many steps of the generator are taken at once."""
_OFFSET: Final = 5
"""How many bits above the start of its lane a half of a word lies: see `_word_halves`."""
_BITS_32: Final = 2**32 - 1
_BITS_64: Final = 2**64 - 1
_BITS_128: Final = 2**128 - 1
_MULTIPLIER: Final = 0x2360ED051FC65DA44385DF649FCCF645


def random_indices(seed: int, below: int) -> Iterator[Sequence[int]]:
    """Whole numbers from 0 to below - 1, without end, some thousand at a time.

    One after the other they are those of NumPy's `choice(below)` and `integers`. `seed` is any
    whole number >= 0, `below` one from 1 to 2**32 - 1.

    Raises TypeError and ValueError for others.

    >>> next(random_indices(12345, 100))[:8]
    (69, 22, 78, 31, 20, 79, 64, 67)
    """
    check_seed(seed)
    if not 1 <= below <= _BITS_32:
        raise ValueError(f"below is {below}; choose a whole number from 1 to 2**32 - 1")
    return _random_indices(int(seed), int(below))


def random_bits(seed: int, length: int) -> Iterator[int]:
    """Numbers of `length` random bits, the lowest drawn first: `integers(2, dtype=bool)`.

    `seed` is any whole number >= 0, `length` one of at least 1.

    Raises TypeError and ValueError for others.

    >>> from itertools import islice
    >>> [f"{number:05b}"[::-1] for number in islice(random_bits(12345, 5), 2)]
    ['10111', '00110']
    """
    check_seed(seed)
    if length < 1:
        raise ValueError(f"length is {length}; choose a whole number of 1 or more")
    return _random_bits(int(seed), int(length))


def check_seed(seed: object) -> None:
    """Raise TypeError or ValueError unless it is a whole number >= 0."""
    if not isinstance(seed, Integral) or isinstance(seed, bool):
        raise TypeError(f"seed is {seed!r}; choose a whole number of 0 or more")
    if int(seed) < 0:
        raise ValueError(f"seed is {seed}; choose a whole number of 0 or more")


def _random_indices(seed: int, below: int) -> Iterator[Sequence[int]]:
    """Each half u of a word gives u · below / 2**32, or nothing for too small a rest.

    Of the rests, the lowest 2**32 mod below would come once too often (Lemire). A rest is not
    among them where adding what a full 2**32 exceeds them by carries.
    """
    threshold = 2**32 % below
    ones, lanes = Lanes(_STEPS, 8).ones, Lanes(2 * _STEPS, 4)
    lower, upper = ones * _BITS_32, ones * _BITS_32 << 32
    bits, carries = lower << _OFFSET, ones << 32 + _OFFSET
    others = carries - (ones * threshold << _OFFSET)
    for first_half, second_half in _word_halves(seed):
        first, second = first_half * below, second_half * below
        found = lanes.split(first >> 32 + _OFFSET & lower | second >> _OFFSET & upper)
        if (first & bits) + others & (second & bits) + others & carries == carries:
            yield found
        else:
            rests = lanes.split((first & bits | (second & bits) << 32) >> _OFFSET)
            yield [one for rest, one in zip(rests, found, strict=True) if rest >= threshold]


def _random_bits(seed: int, length: int) -> Iterator[int]:
    pool = drawn = 0
    for lower, upper in _word_halves(seed):
        pool |= (lower | upper << 32) >> _OFFSET << drawn
        drawn += 64 * _STEPS
        while drawn >= length:
            yield pool & (1 << length) - 1
            pool >>= length
            drawn -= length


def _word_halves(seed: int) -> Iterator[tuple[int, int]]:
    """The lower and the upper halves of PCG64's words, many side by side, the first lowest.

    A word is a state's lower half XOR its upper half, rotated to the right by what the top six
    bits of the state say: by 16, by 8, … by 1 in those lanes that have the bit set; where it is to
    be by 32, the halves change places. Each half is turned with the other above it, so what comes
    into a lane from the next one never reaches the 32 bits that count.

    In every lane, the six bits lie at the start, and a half above five of them: a bit taken from
    the lane's highest leaves all the bits between set, a mask in one subtraction.
    """
    state, increment = _initial_state(seed)
    jumps = list(_jumps(increment))
    odd, even = _SplitLanes(jumps[::2], _OFFSET), _SplitLanes(jumps[1::2], _OFFSET + 64)
    ones = Lanes(_STEPS, 8).ones
    bits, guards = ones * _BITS_32 << _OFFSET, ones << 63
    upper_bits = bits << 32
    turns = [(by, ones * by) for by in (16, 8, 4, 2, 1)]
    swaps = ones * 32
    multiplier, summand = jumps[-1]
    while True:
        (low, high), (next_low, next_high) = odd.after(state), even.after(state)
        high |= next_high
        lower = (low | next_low) ^ high >> 64
        upper = lower >> 32 & bits | lower << 32 & upper_bits
        counts = high >> 64 + 58 + _OFFSET
        for by, bit in turns:
            lanes = guards - (counts & bit)
            lower ^= (lower ^ lower >> by) & lanes
            upper ^= (upper ^ upper >> by) & lanes
        swapped = (lower ^ upper) & bits & guards - (counts & swaps)
        yield lower & bits ^ swapped, upper & bits ^ swapped
        state = (state * multiplier + summand) & _BITS_128


class _SplitLanes:
    """Jumps in lanes of 128 bits, `offset` bits up, the two halves of their numbers apart."""

    def __init__(self, jumps: Sequence[tuple[int, int]], offset: int) -> None:
        lanes = Lanes(len(jumps), 16)
        self._lower = lanes.ones * _BITS_64 << offset
        self._upper = self._lower << 64
        joined = map(lanes.join, zip(*jumps, strict=True))
        multipliers, summands = (numbers << offset for numbers in joined)
        self._low, self._high = multipliers & self._lower, multipliers & self._upper
        self._raised = self._low << 64
        self._low_summand, self._high_summand = summands & self._lower, summands & self._upper

    def after(self, state: int) -> tuple[int, int]:
        """The lower halves of the states that the jumps lead to; the upper ones, 64 bits above."""
        low, high = state & _BITS_64, state >> 64
        lower = low * self._low + self._low_summand  # below 2**128 in every lane
        upper = (
            (lower & self._upper)
            + (low * self._high & self._upper)
            + (high * self._raised & self._upper)
            + self._high_summand
        )
        return lower & self._lower, upper & self._upper


def _jumps(increment: int) -> Iterator[tuple[int, int]]:
    """What a state is multiplied by, and what is added to it, to take 1, 2, 3, … steps at once."""
    multiplier, summand = 1, 0
    for _ in range(_STEPS):
        multiplier = multiplier * _MULTIPLIER & _BITS_128
        summand = (summand * _MULTIPLIER + increment) & _BITS_128
        yield multiplier, summand


def _initial_state(seed: int) -> tuple[int, int]:
    """PCG64's first state, and its increment, which is odd."""
    high, low, sequence_high, sequence_low = struct.unpack("<4Q", _seed_bytes(seed))
    increment = ((sequence_high << 64 | sequence_low) << 1 | 1) & _BITS_128
    state = increment + (high << 64 | low)
    return (state * _MULTIPLIER + increment) & _BITS_128, increment


def _seed_bytes(seed: int) -> bytes:
    """SeedSequence: a pool of four hashed 32-bit words, each mixed with all, then drawn from."""
    entropy = [seed >> place & _BITS_32 for place in range(0, max(128, seed.bit_length()), 32)]
    hashed = _hasher(0x43B0D7E5, 0x931E8875)
    pool = [hashed(word) for word in entropy[:4]]
    for source in range(4):
        for target in range(4):
            if source != target:
                pool[target] = _mix(pool[target], hashed(pool[source]))
    for word in entropy[4:]:
        pool = [_mix(kept, hashed(word)) for kept in pool]
    drawn = _hasher(0x8B51F9DD, 0x58F38DED)
    return struct.pack("<8I", *map(drawn, pool * 2))


def _hasher(constant: int, multiplier: int) -> Callable[[int], int]:
    """A hash of 32-bit words, whose constant goes on with every word."""

    def hashed(word: int) -> int:
        nonlocal constant
        word ^= constant
        constant = constant * multiplier & _BITS_32
        word = word * constant & _BITS_32
        return word ^ word >> 16

    return hashed


def _mix(one: int, other: int) -> int:
    word = (one * 0xCA01F9DD - other * 0x4973F715) & _BITS_32
    return word ^ word >> 16

"""Shared Hypothesis strategies for tokens, segments, corpora, settings and statistics."""

from fractions import Fraction

from hypothesis import strategies as st

from bleu import REFERENCE_LENGTHS, Settings, Statistics

WORDS = ("the", "The", "cat", "a", "b", "猫", "שלום", "🙂")
"""A small vocabulary, so that texts share n-grams; two words differ only in case."""

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "<math><mi>x</mi></math>",
    "&lt;b&gt; &amp;",
    "]]> <!-- -->",
    "\u202eevil\u2066",
    "nul\x00 tab\t vt\x0b",
    "\ud800 lone",
    "e\u0301\u0302\u0303 👩‍👩‍👧‍👦 שלום 你好 مرحبا Ωmega",
    "\\input{x} \\end{document} \\\\ {} }{ $x$ & # ^^41 _ ~ % \\ x\\y",
    "`` '' -- --- ,, ?` << >> [x] *",
    "=1+1 +1 -1 @x ＝1 '=1 'tis ; \"q\" a,b",
    "<svg/onload=alert(1)> </textarea></script></title> <iframe src=javascript:alert(1)>",
    "\" onfocus=alert(1) autofocus x=' onmouseover=alert(1) style=color:red",
    "<annotation-xml encoding=text/html> <maction actiontype=statusline href=//x>",
    "a" + 60 * "\u0300\u0489" + " b\u200d\u200c" + 20 * "\u0301",
    "zero\u200bwidth \ufeff \u2060 \u00ad \u034f \u3164 \U000e0041",
    "\x85 \x9b31m \x1b[31m \u2028 \u2029 \ufffe \U0010ffff \udfff\ud800",
    "\u2067\u202b\u200f right \u2069 \u061c",
    "x" * 700,
    "{{7*7}} ${7*7} %s %(a)s {0} <!--build:result-->",
)
"""Texts that an output format could mistake for its own syntax."""

COMMON = ("none", "floor", "add-k", "exp")
"""The first smoothings of the menu, whose scores are in [0, 1]; tests/peers covers all others."""

RULES = tuple(name for name in REFERENCE_LENGTHS if name != "closest-first")
"""The reference length rules that do not depend on the order of the references."""

words = st.sampled_from(WORDS)
tokens = st.lists(words, max_size=12)
references = st.lists(tokens, min_size=1, max_size=4)
segments = st.tuples(tokens, references)
hostile = st.sampled_from(HOSTILE) | st.text(max_size=40)
# The library rejects lists that are mostly whole texts, so as many words are added.
hostile_tokens = st.lists(hostile, max_size=6).map(lambda tokens: [*tokens, *["x"] * len(tokens)])
hostile_segments = st.tuples(hostile_tokens, st.lists(hostile_tokens, min_size=1, max_size=3))
corpora = st.lists(segments, max_size=5)
names = hostile.filter(bool)
"""Names of files and columns, as hostile as the texts."""


@st.composite
def weights(draw: st.DrawFn, max_order: int) -> tuple[Fraction, ...]:
    """Draw weights that sum to exactly 1; some may be 0."""
    shares = draw(st.lists(st.integers(0, 10), min_size=max_order, max_size=max_order).filter(any))
    return tuple(Fraction(share, sum(shares)) for share in shares)


@st.composite
def settings(draw: st.DrawFn, smoothing: str | None = None) -> dict[str, object]:
    """Draw valid settings as keyword arguments of `sentence_bleu`."""
    max_order = draw(st.integers(1, 9))
    name = smoothing or draw(st.sampled_from(COMMON))
    values = {
        "floor": st.floats(1e-6, 1),
        "add-k": st.floats(1e-6, 100),
    }
    return {
        "max_order": max_order,
        "weights": draw(st.none() | weights(max_order)),
        "smoothing": name,
        "smoothing_value": draw(st.none() | values.get(name, st.none())),
        "lowercase": draw(st.booleans()),
        "effective_order": draw(st.booleans()),
        "reference_length": draw(st.sampled_from(RULES)),
    }


@st.composite
def statistics(draw: st.DrawFn, max_order: int) -> Statistics:
    """Draw statistics that a corpus could have, up to the size of a large test set."""
    length = draw(st.integers(0, 12) | st.integers(0, 100_000))
    segments_ = draw(st.integers(1, 4))
    total = tuple(max(0, length - segments_ * n) for n in range(max_order))
    matched: list[int] = []
    for order_total in total:
        matched.append(draw(st.integers(0, min([order_total, *matched[-1:]]))))
    return Statistics(tuple(matched), total, length, draw(st.integers(0, 2 * length + 20)))


@st.composite
def scored(draw: st.DrawFn) -> tuple[Statistics, Settings]:
    """Draw settings, and statistics of their max order."""
    drawn = Settings(**draw(settings()))  # type: ignore[arg-type]
    return draw(statistics(drawn.max_order)), drawn

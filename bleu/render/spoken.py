"""Formulas as sentences for screen readers."""

import re
from typing import Final

_WORDS: Final = {
    r"∑_\(n=1…N\) ": "the sum over n from 1 to N of ",
    r"∏_\(n=1…N\) ": "the product over n from 1 to N of ",
    r"(?<=\d)e−(\d+)": r" times 10 to the power of minus \1",
    r"(?<== )(\d+)/(\d+)(?= |$)": r"\1 of \2",
    r"\b(exp|ln|max)\(": r"\1 of (",
    r"\babs\(": "the absolute value of (",
    r"\^": " to the power of ",
    " = ": " equals ",
    " ≈ ": ", about ",
    r" \+ ": " plus ",
    " − ": " minus ",
    "−": "minus ",
    "∞": "infinity",
    "·": " times ",
    "/": " over ",
    "′": " prime",
    "_": " ",
}
"""The words for each pattern in a plain-text formula, in the order of replacement."""


def spoken(formula: str) -> str:
    """Return the words that a screen reader says for a formula or equation in plain text.

    >>> spoken("p_2 = matched_2/total_2 = 2/7 ≈ 0.2857")
    'p 2 equals matched 2 over total 2 equals 2 of 7, about 0.2857'
    >>> spoken("BP = exp(1 − r/c)"), spoken("2/7"), spoken("p′_3")
    ('BP equals exp of 1 minus r over c', '2 over 7', 'p prime 3')
    """
    for pattern, words in _WORDS.items():
        formula = re.sub(pattern, words, formula)
    return formula.replace("(", "").replace(")", ",").removesuffix(",").replace(",,", ",")

"""“Your code”: the verdicts of the page are those of the library, in each engine."""

import re
from html import unescape

import pytest

from app.learn import own_code
from bleu.learn.submission import result_of

pytestmark = pytest.mark.slow

NGRAMS = """
from collections import Counter
import math

def ngrams(words, n):
    return Counter(zip(*(words[k:] for k in range(n))))
"""
RIGHT = (
    NGRAMS
    + """
def bleu(candidate, references, N=4):
    log = 0
    for n in range(1, N + 1):
        limit = Counter()
        for reference in references:
            limit |= ngrams(reference, n)
        matched = (ngrams(candidate, n) & limit).total()
        if not matched:
            return 0.0
        log += math.log(matched / (len(candidate) - n + 1)) / N
    c = len(candidate)
    r = min((abs(len(reference) - c), len(reference)) for reference in references)[1]
    return math.exp(min(0, 1 - r / c) + log)
"""
)
GRID = """
import numpy as np

def bleu(candidate, references):
    counts = np.zeros((2, 4))
    for n in range(4):
        grams = [tuple(candidate[i:i + n + 1]) for i in range(len(candidate) - n)]
        kinds = sorted(set(grams))
        limits = np.zeros((len(references), len(kinds)))
        for i, words in enumerate(references):
            others = [tuple(words[k:k + n + 1]) for k in range(len(words) - n)]
            limits[i] = [others.count(gram) for gram in kinds]
        if kinds:
            own = np.array([grams.count(gram) for gram in kinds])
            counts[:, n] = np.minimum(own, limits.max(axis=0)).sum(), len(grams)
    if (counts[0] == 0).any():
        return 0.0
    lengths = np.array([len(words) for words in references])
    distances = np.abs(lengths - len(candidate))
    r = lengths[distances == distances.min()].min()
    return min(1, np.exp(1 - r / len(candidate))) * np.exp(np.log(counts[0] / counts[1]).mean())
"""
CODES = {
    "right": RIGHT,
    "numpy with axes": GRID,
    "mean of scores": RIGHT + """
def corpus_bleu(candidates, list_of_references):
    return sum(map(bleu, candidates, list_of_references)) / len(candidates)
""",
    "numpy": RIGHT.replace("import math", "import numpy as math").replace("log = 0", "log = 0."),
    "no penalty": RIGHT.replace("min(0, 1 - r / c) + log", "log"),
    "base 10": RIGHT.replace("math.log(", "math.log10("),
    "sum of references": RIGHT.replace("limit |=", "limit +="),
    "no clipping": RIGHT.replace("(ngrams(candidate, n) & limit).total()",
                                 "sum(ngrams(candidate, n)[gram] for gram in limit)"),
    "constant": "def bleu(candidate, references):\n    return 0.5\n",
    "endless": "def bleu(candidate, references):\n    while True:\n        pass\n",
    "broken": "def bleu(candidate, references)\n    return 1\n",
    "forbidden": "import js\n\ndef bleu(candidate, references):\n    return js.x\n",
}  # fmt: skip
VERDICTS = dict.fromkeys(("right", "numpy", "numpy with axes"), "Passed") | dict.fromkeys(
    ("endless", "broken", "forbidden"), "No score"
)
"""The start of each verdict, if it is another than “Not yet”."""


def expected_text(code: str) -> str:
    """Return the verdict that the library gives to code, with single spaces."""
    verdict = result_of(own_code.iter_verdict("your code", code.encode()))
    markup = own_code.verdict_html(verdict)
    return " ".join(unescape(re.sub("<[^>]*>", "", markup)).split())


def test_verdicts_are_those_of_the_library(page):
    page.click("#views a[href='#learn']")
    page.click("#learn-code")
    for name, code in CODES.items():
        expected = expected_text(code)
        assert expected[2:].startswith(VERDICTS.get(name, "Not yet")), name
        assert ("takes logarithms to base 10" in expected) == (name == "base 10")
        page.run("document.getElementById('code-text').value = arguments[0]", code)
        page.click("#exercise button.first")
        page.until(lambda: page.text("#learn-said"), expected)
    page.click("#views a[href='#calculator']")

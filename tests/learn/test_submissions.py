"""Submissions as learners hand them in: right ones pass, wrong ones do not, and names are right."""

import json
import sys

import pytest

from bleu.core.settings import Settings
from tests.support.case_selection import fast_and_slow
from tests.support.submissions import run_submission

TOKENS = """
import math
from collections import Counter

def ngrams(tokens, n):
    return [tuple(tokens[i:i + n]) for i in range(len(tokens) - n + 1)]

def precision(candidate, references, n):
    counts = Counter(ngrams(candidate, n))
    if not counts:
        return 0
    best = Counter()
    for reference in references:
        best |= Counter(ngrams(reference, n))
    return sum(min(k, best[g]) for g, k in counts.items()) / sum(counts.values())

def penalty(candidate, references):
    c = len(candidate)
    r = min((len(ref) for ref in references), key=lambda r: (abs(r - c), r))
    if c >= r:
        return 1
    return math.exp(1 - r / c) if c else 0

def bleu(candidate, references):
    ps = [precision(candidate, references, n) for n in range(1, 5)]
    if min(ps) == 0:
        return 0.0
    return penalty(candidate, references) * math.exp(sum(math.log(p) for p in ps) / 4)
"""
"""Tokens, several references, logarithms."""

SINGLE = """
from math import exp

def count(words, n):
    found = {}
    for start in range(len(words) - n + 1):
        gram = " ".join(words[start:start + n])
        found[gram] = found.get(gram, 0) + 1
    return found

def score(reference, prediction):
    ref, pred = reference.split(), prediction.split()
    product = 1.0
    for n in (1, 2, 3, 4):
        mine, theirs = count(pred, n), count(ref, n)
        hits = 0
        for gram in mine:
            hits += min(mine[gram], theirs.get(gram, 0))
        total = sum(mine.values())
        if hits == 0:
            return 0
        product = product * hits / total
    bp = 1 if len(pred) > len(ref) else exp(1 - len(ref) / len(pred))
    return bp * product ** (1 / 4)
"""
"""Text, one reference that comes first, a product."""

CORPUS = """
from collections import Counter
import math

def corpus_bleu(list_of_references, hypotheses):
    hits, totals, c, r = [0] * 4, [0] * 4, 0, 0
    for refs, hyp in zip(list_of_references, hypotheses):
        c += len(hyp)
        r += sorted((abs(len(ref) - len(hyp)), len(ref)) for ref in refs)[0][1]
        for n in range(1, 5):
            grams = Counter(zip(*[hyp[k:] for k in range(n)]))
            others = [Counter(zip(*[ref[k:] for k in range(n)])) for ref in refs]
            for gram, number in grams.items():
                hits[n - 1] += min(number, max(other[gram] for other in others))
            totals[n - 1] += sum(grams.values())
    if 0 in hits:
        return 0
    bp = math.exp(min(0, 1 - r / c))
    return 100 * bp * math.prod(h / t for h, t in zip(hits, totals)) ** 0.25
"""
"""A corpus of tokens, references first, from 0 to 100."""

METHODS = f"""
{CORPUS.replace("def corpus_bleu", "def whole")}
class BLEU:
    def sentence(self, candidate, references):
        return whole([references], [candidate])

    def corpus(self, candidates, references):
        return whole(references, candidates)
"""
"""A class with a method for one segment, and one for several."""

OTHERS = """
def bleu_1(candidate, references):
    return 0.5
def bleu_old(candidate, references):
    return 0.3
def _bleu(candidate, references):
    return 0.2
def average_bleu(candidates, references):
    return sum(map(bleu, candidates, references)) / len(candidates)
def bleu_scores(candidates, references):
    return [0.1 for _ in candidates]
def bleu_score(precisions, bp):
    if not precisions or min(precisions) == 0:
        return 0
    return bp * math.exp(sum(map(math.log, precisions)) / 4)
def compute_bleu(candidate_length, reference_length, precisions):
    return math.exp(1 - reference_length / candidate_length) * precisions[0]
def corpus_counts(candidates, references):
    return [len(candidates)]
def get_corpus(candidates, references):
    return 0.4
def plot_bleu(scores, names):
    import matplotlib.pyplot as plt
    plt.bar(names, scores)
def demo_bleu():
    print("demo")
"""
"""What stands beside BLEU: other measures, older attempts, helpers."""

# ruff: noqa: E501
RIGHT = {
    "tokens": TOKENS,
    "single": SINGLE,
    "corpus": CORPUS,
    "rounded": TOKENS.replace("return penalty(", "return round(penalty(").replace(" / 4)\n", " / 4), 4)\n"),
    "percent rounded": CORPUS.replace("return 100 * bp", "return round(100 * bp").replace("** 0.25", "** 0.25, 2)"),
    "whole percents rounded": CORPUS.replace("return 100 * bp", "return round(100 * bp").replace("** 0.25", "** 0.25)"),
    "order as parameter": TOKENS.replace("references):\n    ps", "references, n):\n    ps").replace("range(1, 5)", "range(1, n + 1)").replace("/ 4)", "/ n)"),
    "weights as parameter": TOKENS.replace("references):\n    ps", "references, weights):\n    ps").replace("sum(math.log(p) for p in ps) / 4", "sum(w * math.log(p) for w, p in zip(weights, ps))"),
    "tuple": TOKENS.replace("return 0.0", "return 0.0, ps").replace("in ps) / 4)", "in ps) / 4), ps"),
    "dictionary": TOKENS.replace("return 0.0", "return {'p': ps, 'BLEU': 0}").replace("return penalty(", "return {'p': ps, 'BLEU': penalty(").replace("in ps) / 4)", "in ps) / 4)}"),
    "class": TOKENS.replace("def bleu(c", "def whole(c") + "\nclass Bleu:\n    def __init__(self, n):\n        self.n = n\n    def compute(self, candidate, references):\n        return whole(candidate, references)\n",
    "two functions": TOKENS + "\ndef bleu_of_files(a, b):\n    return bleu(open(a).read(), open(b).read())\n",
    "sentence and corpus": TOKENS.replace("def bleu", "def sentence_bleu") + "\ndef plot_bleu(x):\n    pass\n",
    "fails on empty": SINGLE.replace("        if hits", "        hits / len(pred)\n        if hits"),
    "helper": "from my_ngrams import *\n" + TOKENS[TOKENS.index("def precision"):],
    "notebook": [TOKENS, "bleu('a b c d'.split(), ['a b c d'.split()])"],
    "notebook with magics": ["%matplotlib inline\n!pip install numpy\nimport math", "%%time\n1 +", TOKENS],
    "notebook with a broken cell": [TOKENS, "print(undefined_name)", "display(1)"],
    "no names": SINGLE.replace("reference", "x").replace("prediction", "y"),
    "annotated": TOKENS.replace("def bleu(candidate, references)", "def bleu(candidate: list[str], references: list[list[str]]) -> float"),
    "data class": "from __future__ import annotations\nfrom dataclasses import dataclass\n@dataclass\nclass Counts:\n    n: int = 4\n" + TOKENS,
    "asks for input": TOKENS + "\ncandidate = input('? ').split()\nprint(bleu(candidate, [input().split()]))\n",
    "reads data, tests and exits": "import sys\ndata = open('missing.csv').read()\n" + TOKENS + "assert bleu(['a'], [['a']]) == 1\nsys.exit(bleu)\n",
    "Colab": "!pip install x\n%matplotlib inline\nget_ipython().run_line_magic('time', '')\n" + TOKENS,
    "line that begins with %": TOKENS.replace("    ps = [", "    name = ('%d'\n% 4)\n    ps = ["),
    "keywords only": TOKENS.replace("def bleu(c", "def bleu(*, c"),
    "references one by one": TOKENS.replace("def bleu(candidate, references)", "def bleu(candidate, *references)"),
    "cached": TOKENS.replace("def bleu(c", "def whole(c") + "\nfrom functools import lru_cache\n@lru_cache(maxsize=None)\ndef _cached(c, r):\n    return whole(c, r)\ndef bleu(candidate, references):\n    return _cached(tuple(candidate), tuple(map(tuple, references)))\n",
    "partial": TOKENS.replace("def bleu(c", "def whole(scale, c").replace("return penalty(", "return scale * penalty(") + "\nfrom functools import partial\nbleu = partial(whole, 1)\n",
    "closure": TOKENS.replace("def bleu(c", "def whole(c") + "\ndef make_bleu(n):\n    def bleu(candidate, references):\n        return whole(candidate, references) if n == 4 else 0.5\n    return bleu\nbleu = make_bleu(4)\nbleu_2 = make_bleu(2)\n",
    "fractions": "from fractions import Fraction\n" + TOKENS.replace("/ sum(counts.values())", "/ Fraction(sum(counts.values()))").replace("1 - r / c", "1 - Fraction(r, c)"),
    "metric that is updated": CORPUS.replace("def corpus_bleu", "def whole") + "\nclass Metric:\n    def __init__(self):\n        self.texts = []\n    def update(self, hypothesis, references):\n        self.texts.append((references, hypothesis))\n    def value(self):\n        return whole(*zip(*self.texts))\ndef compute_bleu(hypotheses, references):\n    metric = Metric()\n    for pair in zip(hypotheses, references):\n        metric.update(*pair)\n    return metric.value()\n",
    "static": "class Metric:\n    @staticmethod\n    def bleu(candidate, references):\n        return whole(candidate, references)\n" + TOKENS.replace("def bleu(c", "def whole(c"),
    "texts in the constructor": TOKENS.replace("def bleu(c", "def whole(c") + "\nclass Bleu:\n    def __init__(self, candidate, references):\n        self.texts = candidate, references\n    def compute(self):\n        return whole(*self.texts)\n",
    "object": TOKENS.replace("def bleu(c", "def whole(c") + "\nclass Result:\n    def __init__(self, score):\n        self.score = score\ndef bleu(candidate, references):\n    return Result(whole(candidate, references))\n",
    "percent": TOKENS.replace("def bleu(c", "def whole(c") + "\ndef bleu(candidate, references):\n    return f'{100 * whole(candidate, references)!r}%'\n",
    "pairs": CORPUS.replace("corpus_bleu(list_of_references, hypotheses):", "corpus_bleu(pairs):\n    hypotheses, list_of_references = zip(*pairs)"),
    "streams": CORPUS.replace("def corpus_bleu(list_of_references, hypotheses):", "def corpus_bleu(hypotheses, streams):\n    hypotheses = [h.split() for h in hypotheses]\n    list_of_references = [[r.split() for r in refs] for refs in zip(*streams)]"),
    "methods": METHODS,
    "other functions": TOKENS + OTHERS,
    "corpus and other functions": CORPUS + OTHERS,
    "Latin-1": TOKENS + "# größer\n",
    "prints": TOKENS.replace("    ps =", "    print(candidate)\n    ps ="),
}  # fmt: skip

PENALTY = "math.exp(1 - r / c)"
LOGS = "    if min(ps) == 0:\n        return 0.0\n    return"
MEAN = "math.exp(sum(math.log(p) for p in ps) / 4)"
CLOSEST = "key=lambda r: (abs(r - c), r)"
LENGTH = f"min((len(ref) for ref in references), {CLOSEST})"
RECALL_SINGLE = ("total = sum(mine.values())", "total = sum(theirs.values())")
WRONG = {
    "no penalty": (TOKENS, "penalty(candidate, references) * ", "", "no-penalty"),
    "penalty upside down": (TOKENS, "if c >= r:\n        return 1\n    return math.exp(1 - r / c) if c else 0", "if c <= r:\n        return 1\n    return math.exp(1 - c / r)", "penalty-upside-down"),
    "exponent swapped": (TOKENS, PENALTY, "math.exp(1 - c / r)", "penalty-swapped"),
    "c/r": (TOKENS, PENALTY, "c / r", "penalty-ratio"),
    "1 - c/r": (TOKENS, PENALTY, "1 - c / r", "penalty-difference"),
    "exp(c - r)": (TOKENS, PENALTY, "math.exp(c - r)", "=exp(1 − 10/5)"),
    "exp(-r/c)": (TOKENS, PENALTY, "math.exp(-r / c)", "=exp(1 − 11/5) = exp(−6/5)"),
    "r // c": (TOKENS, PENALTY, "math.exp(1 - r // c)", "=with c = 5 and r = 6, it is 1."),
    "rewarded": (TOKENS, "    if c >= r:\n        return 1\n", "", "penalty-rewards"),
    "shortest": (TOKENS, LENGTH, "min(map(len, references))", "shortest-reference"),
    "longest": (TOKENS, LENGTH, "max(map(len, references))", "longest-reference"),
    "average": (TOKENS, LENGTH, "sum(map(len, references)) / len(references)", "average-reference"),
    "first length": (TOKENS, LENGTH, "len(references[0])", "first-reference-length"),
    "first of two": (TOKENS, CLOSEST, "key=lambda r: abs(r - c)", "first-of-two"),
    "longer of two": (TOKENS, CLOSEST, "key=lambda r: (abs(r - c), -r)", "longer-of-two"),
    "no clipping": (TOKENS, "min(k, best[g])", "k * (best[g] > 0)", "no-clipping"),
    "sum of references": (TOKENS, "best |=", "best +=", "sum-over-references"),
    "every reference": (TOKENS, "Counter()\n    for reference in references:\n        best |=", "Counter(ngrams(references[0], n))\n    for reference in references:\n        best &=", "every-reference"),
    "first reference": (TOKENS, "    for reference in references:", "    for reference in references[:1]:", "first-reference-only"),
    "sets": (TOKENS, "sum(min(k, best[g]) for g, k in counts.items())", "len(set(counts) & set(best))", "set-overlap"),
    "sets in both": (TOKENS, "sum(min(k, best[g]) for g, k in counts.items()) / sum(counts.values())", "len(set(counts) & set(best)) / len(counts)", "distinct-only"),
    "last n-gram": (TOKENS, "len(tokens) - n + 1", "len(tokens) - n", "last-ngram-missed"),
    "divided by c": (TOKENS, "sum(counts.values())", "len(candidate)", "c-for-every-order"),
    "arithmetic": (TOKENS, MEAN, "sum(ps) / 4", "arithmetic-mean"),
    "arithmetic with zeros": (TOKENS, f"{LOGS} penalty(candidate, references) * {MEAN}", "    return penalty(candidate, references) * sum(ps) / 4", "arithmetic-mean"),
    "no root": (TOKENS, MEAN, "math.prod(ps)", "no-root"),
    "zeros left out": (TOKENS, LOGS + " penalty(candidate, references) * " + MEAN, "    return penalty(candidate, references) * math.exp(sum(0.25 * math.log(p) for p in ps if p > 0))", "=a precision of 1;"),
    "epsilon": (TOKENS, LOGS + " penalty(candidate, references) * " + MEAN, "    return penalty(candidate, references) * math.exp(sum(0.25 * math.log(p + 1e-9) for p in ps))", "=a precision of 1e-09"),
    "log10": (TOKENS, "math.log(p)", "math.log10(p)", "=logarithms to base 10, but"),
    "log2": (TOKENS, "math.log(p)", "math.log2(p)", "=logarithms to base 2, but"),
    "add one": (TOKENS, "return sum(min(k, best[g]) for g, k in counts.items()) / sum(counts.values())", "return (sum(min(k, best[g]) for g, k in counts.items()) + 1) / (sum(counts.values()) + 1)", "=smoothing add-k-all."),
    "0.01 without a match": (TOKENS, LOGS, f"    if candidate and max(ps) == 0:\n        return 0.01\n{LOGS}", "=only if no word matches, in the only such case."),
    "three orders, fourth root": (TOKENS, "range(1, 5)", "range(1, 4)", "=1/4, 1/4, 1/4, 0,"),
    "three orders, cube root": (TOKENS, f"range(1, 5)]\n{LOGS} penalty(candidate, references) * {MEAN}", f"range(1, 4)]\n{LOGS} penalty(candidate, references) * {MEAN.replace('4', '3')}", "=1/3, 1/3, 1/3, 0,"),
    "best reference": (TOKENS, "def bleu(candidate, references):", "def bleu(candidate, references):\n    return max(one(candidate, [ref]) for ref in references)\n\ndef one(candidate, references):", "best-reference"),
    "mean of references": (TOKENS, "def bleu(candidate, references):", "def bleu(candidate, references):\n    return sum(one(candidate, [ref]) for ref in references) / len(references)\n\ndef one(candidate, references):", "mean-over-references"),
    "recall": (SINGLE, *RECALL_SINGLE, "recall"),
    "upside down, one reference": (SINGLE, "1 if len(pred) > len(ref) else exp(1 - len(ref) / len(pred))", "1 if len(pred) < len(ref) else exp(1 - len(pred) / len(ref))", "penalty-upside-down"),
    "texts not split": (TOKENS, "def bleu(candidate, references):", "def bleu(candidate: str, references: list[str]) -> float:", "characters-as-tokens"),
    "characters": (SINGLE, "1 if len(pred) > len(ref) else exp(1 - len(ref) / len(pred))", "1 if len(prediction) > len(reference) else exp(1 - len(reference) / len(prediction))", "lengths-in-characters"),
    "lowercase": (SINGLE, "reference.split(), prediction.split()", "reference.lower().split(), prediction.lower().split()", "case-folded"),
    "rounded no root": (SINGLE, "return bp * product ** (1 / 4)", "return round(bp * product, 6)", "no-root"),
    "clipped 1-grams only": (TOKENS, "min(k, best[g])", "(min(k, best[g]) if n == 1 else k * (best[g] > 0))", ""),
    "no penalty if several": (TOKENS, "if c >= r:", "if c >= r or len(references) > 1:", ""),
    "mean of scores": (CORPUS, "def corpus_bleu(list_of_references, hypotheses):", "def corpus_bleu(list_of_references, hypotheses):\n    return sum(one([r], [h]) for r, h in zip(list_of_references, hypotheses)) / len(hypotheses)\n\ndef one(list_of_references, hypotheses):", "mean-of-scores"),
    "closest total length": (CORPUS, "    if 0 in hits:", "    most = max(map(len, list_of_references))\n    sums = [sum(len(refs[min(k, len(refs) - 1)]) for refs in list_of_references) for k in range(most)]\n    r = min(sums, key=lambda s: (abs(s - c), s))\n    if 0 in hits:", "=only if there are several segments, in 3 of 4"),
    "method of several segments": (METHODS, "whole(references, candidates)", "sum(map(self.sentence, candidates, references)) / len(candidates)", "mean-of-scores"),
    "call for several segments": (METHODS.replace("def corpus", "def __call__"), "whole(references, candidates)", "sum(map(self.sentence, candidates, references)) / len(candidates)", "mean-of-scores"),
    "substrings": (SINGLE, "min(mine[gram], theirs.get(gram, 0))", "min(mine[gram], reference.count(gram))", "=the matches do not"),
    "factor": (TOKENS, "math.exp(sum(math.log(p)", "0.5 * math.exp(sum(math.log(p)", "=multiplies the score by 0.5"),
    "logarithm": (TOKENS, MEAN, "sum(math.log(p) for p in ps) / 4", "=negative"),
    "whole numbers": (TOKENS, "for g, k in counts.items()) /", "for g, k in counts.items()) //", "=only if a precision is below 1"),
    "totals of the references": (TOKENS, "/ sum(counts.values())", "/ max(1, sum(best.values()))", "=the totals do not"),
    "keeps counts": (CORPUS, "    hits, totals, c, r = [0] * 4, [0] * 4, 0, 0\n", "    c = r = 1\n", "=between calls"),
    "one decimal": (TOKENS, "return penalty(candidate, references) * " + MEAN, "return round(penalty(candidate, references) * " + MEAN + ", 1)", ""),
    "exits": (TOKENS, "    ps =", "    if len(candidate) > 5:\n        import sys; sys.exit('too long')\n    ps =", ""),
}  # fmt: skip


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Return a function that assesses source code, or the cells of a notebook."""
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setattr(sys, "modules", dict(sys.modules))

    def run_code(code, name=""):
        path = tmp_path / "homework.py"
        if isinstance(code, list):
            path = path.with_suffix(".ipynb")
            cells = [{"cell_type": "code", "source": cell.splitlines(True)} for cell in code]
            code = json.dumps({"cells": [{"cell_type": "markdown", "source": ["# BLEU"]}, *cells]})
        (tmp_path / "my_ngrams.py").write_text(TOKENS[: TOKENS.index("def precision")])
        path.write_text(code, "latin-1" if "größer" in code else "utf-8")
        return run_submission(str(path), name, Settings())

    return run_code


@pytest.mark.parametrize("name", RIGHT)
def test_right_submission_passes(name, run):
    result = run(RIGHT[name], "score" if "def score" in RIGHT[name] else "")
    assert result["passed"], result["report"]
    assert bool(result["remark"]) == ("rounded" in name or "fails" in name)


@pytest.mark.parametrize("name", fast_and_slow(15, WRONG))
def test_wrong_submission_is_named_rightly_or_not_at_all(name, run):
    code, old, new, expected = WRONG[name]
    assert old in code
    if name == "keeps counts":
        code = f"hits, totals = [0] * 4, [0] * 4\n{code}"
    result = run(
        code.replace(old, new), "score" if code == SINGLE else "bleu" if code == TOKENS else ""
    )
    assert not result["passed"]
    assert "error" not in result, result
    if expected.startswith("="):
        assert expected[1:] in result["explanation"] + result["remark"]
        expected = ""
    assert result["misconceptions"] == ([expected] if expected else []), result["report"]


AVERAGES = {
    "mean of scores": ("NAME(candidates, references):\n    return sum(map(bleu, candidates, references)) / len(candidates)", "You averaged the scores"),
    "mean of penalties": ("NAME(list_of_references, hypotheses):\n    score = corpus(list_of_references, hypotheses)\n    pairs = list(zip(hypotheses, list_of_references))\n    c = sum(map(len, hypotheses))\n    r = sum(min((abs(len(x) - len(h)), len(x)) for x in refs)[1] for h, refs in pairs)\n    bp = sum(penalty(h, refs) for h, refs in pairs) / len(pairs)\n    return score and bp * score / math.exp(min(0, 1 - r / c))", "You averaged the brevity penalties"),
    "without a result": ("NAME(candidates, references):\n    print(0.5)", "The function NAME gives no number, because it returned None"),
    "with an error": ("NAME(hyps, refs):\n    return sum(scores) / len(hyps)", "The function NAME gives no number, because it stops with NameError"),
    "pairs": ("NAME(pairs):\n    return sum(bleu(h, refs) for h, refs in pairs) / len(pairs)", "You averaged the scores"),
    "one reference": ("NAME(hypotheses, references):\n    scores = [bleu(h.split(), [r.split()]) for h, r in zip(hypotheses, references)]\n    return round(100 * sum(scores) / len(scores), 2)", "You averaged the scores"),
}  # fmt: skip
"""Wrong functions of several segments, to stand beside right ones of one."""


@pytest.mark.parametrize("name", ["corpus_bleu", "computeCorpusBLEU", "evaluate_corpus"])
@pytest.mark.parametrize("kind", AVERAGES)
def test_wrong_corpus_function_beside_a_right_one_is_named(kind, name, run):
    body, cause = (text.replace("NAME", name) for text in AVERAGES[kind])
    corpus = CORPUS.replace("def corpus_bleu", "def corpus")
    result = run(f"{corpus}{TOKENS}\ndef {body}\n")
    assert not result["passed"]
    assert cause in result["report"]
    if "error" not in result:
        assert result["explanation"].startswith(f"bleu is right, but {name} is not. ")
        assert result["smallest_case"].startswith(f"{name}([")
        assert len(result["cases"][0]["hypotheses"]) > 1
    assert run(f"{corpus}{TOKENS}\ndef {body}\n", "bleu")["passed"]


def test_swapped_arguments_without_names_give_both_readings(run):
    code = SINGLE.replace(*RECALL_SINGLE).replace("reference", "x").replace("prediction", "y")
    result = run(code, "score")
    assert set(result["misconceptions"]) == {"recall", "penalty-upside-down"}
    assert result["explanation"].count("Called as score(") == 2

"""Code for a candidate that calls NLTK, sacreBLEU or this library, with the mistakes made."""

from collections.abc import Sequence
from shlex import quote
from typing import Final, NamedTuple

from bleu.analysis.snippets import (
    NLTK_METHODS,
    changed_settings_code,
    nltk_weights_code,
    sacrebleu_metric_code,
)
from bleu.analysis.which import Candidate
from bleu.analysis.which_search import MAX_ORDER
from bleu.analysis.which_tools import TOOLS
from bleu.core.conventions import convention_settings
from bleu.core.custom_tokenizers import Tokenizer

_ARGUMENTS: Final = ("tokenizer", "lowercase", "max_order", "case")
"""The settings in which a candidate may differ from its convention."""
_ORDERS: Final = f"range(1, {MAX_ORDER + 1})"


class _Call(NamedTuple):
    """The call of a library: imports, lines, and expressions for its score and brevity penalty."""

    imports: list[str]
    lines: list[str]
    score: str
    penalty: str


def file_reading_code(hypotheses: str, references: Sequence[str]) -> str:
    """Return code that reads `hypotheses`, and `references` as one list per segment.

    >>> print(file_reading_code("system.txt", ["one.txt", "two.txt"]))
    def lines(name):
        with open(name, encoding="utf-8", newline="\\n") as file:
            return [line.rstrip("\\r\\n") for line in file]
    <BLANKLINE>
    hypotheses = lines('system.txt')
    references = list(zip(lines('one.txt'), lines('two.txt')))
    """
    columns = ", ".join(f"lines({name!r})" for name in references)
    return (
        "def lines(name):\n"
        '    with open(name, encoding="utf-8", newline="\\n") as file:\n'
        '        return [line.rstrip("\\r\\n") for line in file]\n\n'
        f"hypotheses = lines({hypotheses!r})\n"
        f"references = list(zip({columns}))"
    )


def literal_text_code(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> str:
    """Return code with the texts as literals.

    >>> print(literal_text_code(["a b"], [("a c",)]))
    hypotheses = ['a b']
    references = [['a c']]
    """
    return f"hypotheses = {list(hypotheses)!r}\nreferences = {list(map(list, references))!r}"


def candidate_library(candidate: Candidate) -> str:
    """Return the library that the code calls: `nltk`, `sacrebleu` or `bleu`.

    `bleu` stands in for every other tool, and for sacreBLEU if lines were taken as tokens or if it
    does not have the tokenizer.
    """
    library = TOOLS[candidate.convention].library
    if library == "sacrebleu":
        tokenizer = candidate.settings.tokenizer
        is_foreign = isinstance(tokenizer, Tokenizer) and not tokenizer.sacrebleu_name
        return "bleu" if "lines" in candidate.mistakes or is_foreign else "sacrebleu"
    return "nltk" if library == "nltk" else "bleu"


def candidate_code(candidate: Candidate, texts: str, source: str = ".") -> str:
    """Return Python code that prints the candidate's value on its scale.

    `texts` is code that defines the lists `hypotheses` and `references`. `source` is what pip
    installs this library from; a dot stands for a folder with a copy of the project.
    """
    library, mistakes = candidate_library(candidate), candidate.mistakes
    scale = 100 if library == "sacrebleu" else 1
    calls = {"sacrebleu": _sacrebleu_call, "nltk": _nltk_call, "bleu": _bleu_call}
    call = calls[library](candidate)
    score, imports = call.score, call.imports
    if "mean-of-sentences" in mistakes or "mean-of-orders" in mistakes:
        score = "sum(scores) / len(scores)"
    if "one-minus" in mistakes:
        score = f"{scale} - {score}"
    if "no-brevity-penalty" in mistakes:
        score = f"{score} / {call.penalty}"
    if scale != candidate.scale:
        score = f"100 * ({score})" if scale == 1 else f"({score}) / 100"
    body = "\n".join([*_preparation_lines(candidate), *call.lines, f"print({score})"])
    libraries = {library: None}
    if "TOKENIZERS" in body:
        imports.append("from bleu import TOKENIZERS")
        libraries["bleu"] = None
    remark = "  (in a folder with a copy of this project)" if source == "." else ""
    packages = {"bleu": f"{quote(source)}{remark}"}
    install = [f"# pip install {packages.get(name, name)}" for name in libraries]
    return "\n".join([*install, "", *sorted(imports), "", texts, body])


def _preparation_lines(candidate: Candidate) -> list[str]:
    """Return the lines that change the texts before any library gets them."""
    preprocessing, lines = candidate.preprocessing, []
    if preprocessing.reference:
        index = preprocessing.reference - 1
        lines.append(f"references = [[refs[{index}]] for refs in references]")
    if preprocessing.mistake == "swapped":
        lines.append(
            "hypotheses, references = [refs[0] for refs in references], [[h] for h in hypotheses]"
        )
    if preprocessing.mistake == "tokenized-twice":
        pretokenize = f"TOKENIZERS[{preprocessing.pretokenizer!r}]"
        lines += [
            f'hypotheses = [" ".join({pretokenize}(h)) for h in hypotheses]',
            f'references = [[" ".join({pretokenize}(r)) for r in refs] for refs in references]',
        ]
    if preprocessing.mistake == "one-segment":
        lines += [
            'references = [[" ".join(column) for column in zip(*references)]]',
            'hypotheses = [" ".join(hypotheses)]',
        ]
    return lines


def _sacrebleu_call(candidate: Candidate) -> _Call:
    settings, mistakes = candidate.settings, candidate.mistakes
    value = settings.smoothing_value
    order = "n" if "mean-of-orders" in mistakes else ""
    bleu = sacrebleu_metric_code(settings, "" if value is None else str(float(value)), order)
    imports = ["import sacrebleu"]
    if "flat-references" in mistakes:
        streams = "[refs[0] for refs in references]"
    elif "transposed" in mistakes:
        streams = "[list(refs) for refs in references]"
    else:
        streams = "list(zip_longest(*references))"
    if "mean-of-sentences" in mistakes:
        lines = [
            f"bleu = {bleu}",
            "pairs = zip(hypotheses, references)",
            "scores = [bleu.sentence_score(h, list(refs)).score for h, refs in pairs]",
        ]
    elif "mean-of-orders" in mistakes:
        lines = [
            f"streams = {streams}",
            f"bleus = [{bleu} for n in {_ORDERS}]",
            "scores = [bleu.corpus_score(hypotheses, streams).score for bleu in bleus]",
        ]
    else:
        lines = [
            f"streams = {streams}",
            f"bleu = {bleu}",
            "result = bleu.corpus_score(hypotheses, streams)",
        ]
    if any("zip_longest" in line for line in lines):
        imports.append("from itertools import zip_longest")
    return _Call(imports, lines, "result.score", "result.bp")


def _nltk_call(candidate: Candidate) -> _Call:
    method, mistakes = NLTK_METHODS[candidate.settings.smoothing], candidate.mistakes
    imports = ["from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu"]
    lines = [f"smooth = SmoothingFunction().method{method}", *_nltk_token_lines(candidate)]
    weights = _nltk_weights(candidate)
    score = f"corpus_bleu(references_, hypotheses_, {weights}, smooth)"
    if "mean-of-sentences" in mistakes:
        imports = ["from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu"]
        call = f"sentence_bleu(refs, h, {weights}, smooth)"
        lines.append(f"scores = [{call} for refs, h in zip(references_, hypotheses_)]")
    elif "mean-of-orders" in mistakes:
        call = "corpus_bleu(references_, hypotheses_, (1 / n,) * n, smooth)"
        lines.append(f"scores = [{call} for n in {_ORDERS}]")
    if "no-brevity-penalty" in mistakes:
        imports.append("from nltk.translate.bleu_score import brevity_penalty, closest_ref_length")
        closest = "closest_ref_length(refs, len(h))"
        lines += [
            "c = sum(map(len, hypotheses_))",
            f"r = sum({closest} for refs, h in zip(references_, hypotheses_))",
            "penalty = brevity_penalty(r, c)",
        ]
    return _Call(imports, lines, score, "penalty")


def _nltk_token_lines(candidate: Candidate) -> list[str]:
    """Return the lines that define the arguments of NLTK, with the mistakes in them."""
    preprocessing = candidate.preprocessing
    lower = ".lower()" if preprocessing.lowercase else ""

    def tokens(name: str) -> str:
        if preprocessing.tokenizer == "whitespace":
            return f"{name}{lower}.split()"
        return f"TOKENIZERS[{preprocessing.tokenizer!r}]({name}{lower})"

    hypothesis, references = tokens("h"), f"[{tokens('r')} for r in refs]"
    match preprocessing.mistake:
        case "lines":
            return [
                f"hypotheses_ = [[h{lower} for h in hypotheses]]",
                f"references_ = [[[r{lower} for r in column] for column in zip(*references)]]",
            ]
        case "strings":
            hypothesis, references = f"h{lower}", f"[r{lower} for r in refs]"
        case "string-hypothesis":
            hypothesis = f"h{lower}"
        case "string-references":
            references = f"[r{lower} for r in refs]"
        case "not-nested":
            references = tokens("refs[0]")
        case "strings-not-nested":
            hypothesis, references = f"h{lower}", f"refs[0]{lower}"
    return [
        f"hypotheses_ = [{hypothesis} for h in hypotheses]",
        f"references_ = [{references} for refs in references]",
    ]


def _nltk_weights(candidate: Candidate) -> str:
    settings = candidate.settings
    if "weights-of-0.33" in candidate.mistakes:
        # A fourth weight of 0 changes the number only if orders are mixed with the next one.
        is_mixed = settings.smoothing.endswith("-last") and not settings.weights
        return "(0.33, 0.33, 0.33)" if is_mixed else "(0.33, 0.33, 0.33, 0)"
    return nltk_weights_code(settings)


def _bleu_call(candidate: Candidate) -> _Call:
    settings, mistakes = candidate.settings, candidate.mistakes
    defaults = convention_settings(candidate.convention)
    arguments = {"convention": repr(candidate.convention)}
    arguments |= changed_settings_code(settings, defaults, _ARGUMENTS)
    if "mean-of-orders" in mistakes:
        arguments["max_order"] = "n"
    keywords = ", ".join(f"{name}={value}" for name, value in arguments.items())
    call = f"bleu.corpus_bleu(hypotheses, references, {keywords})"
    lines = []
    if "lines" in mistakes:
        # The library refuses whole lines as tokens unless they are in tuples.
        lower = ".lower()" if settings.lowercase else ""
        lines = [
            f"tokens = [(h{lower},) for h in hypotheses]",
            f"columns = [[(r{lower},) for r in column] for column in zip(*references)]",
        ]
        call = f"bleu.corpus_bleu([tokens], [columns], {keywords})"
    if "mean-of-sentences" in mistakes:
        sentence = f"bleu.sentence_bleu(h, list(refs), {keywords}).value"
        lines.append(f"scores = [{sentence} for h, refs in zip(hypotheses, references)]")
    elif "mean-of-orders" in mistakes:
        lines.append(f"scores = [{call}.value for n in {_ORDERS}]")
    else:
        lines.append(f"result = {call}")
    return _Call(["import bleu"], lines, "result.value", "result.brevity_penalty")

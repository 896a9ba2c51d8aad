"""Code that prints a number as a candidate has it, mistakes included: NLTK, sacreBLEU, or ours."""

from collections.abc import Sequence
from shlex import quote
from typing import Final

from bleu.analysis.preprocessing import NLTK_CALL_MISTAKES
from bleu.analysis.snippets import NLTK_METHODS
from bleu.analysis.which import MAX_ORDER, Candidate
from bleu.core.conventions import convention_settings
from bleu.core.settings import SETTING_NAMES

_INSTALL: Final = {
    "nltk": "pip install nltk",
    "sacrebleu": "pip install sacrebleu",
}
_TEXT: Final = ("tokenizer", "lowercase", "case")


def file_reading_code(hypotheses: str, references: Sequence[str]) -> str:
    """Lines of code that read `hypotheses`, and `references` as one list for each segment.

    >>> print(file_reading_code("system.txt", ["one.txt", "two.txt"]))
    def lines(name):
        with open(name, encoding="utf-8", newline="\\n") as file:
            return [line.rstrip("\\r\\n") for line in file]
    <BLANKLINE>
    hypotheses = lines('system.txt')
    references = list(zip(lines('one.txt'), lines('two.txt')))
    """
    others = ", ".join(f"lines({name!r})" for name in references)
    return (
        "def lines(name):\n"
        '    with open(name, encoding="utf-8", newline="\\n") as file:\n'
        '        return [line.rstrip("\\r\\n") for line in file]\n\n'
        f"hypotheses = lines({hypotheses!r})\n"
        f"references = list(zip({others}))"
    )


def literal_text_code(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> str:
    """Lines of code that hold the texts themselves.

    >>> print(literal_text_code(["a b"], [("a c",)]))
    hypotheses = ['a b']
    references = [['a c']]
    """
    return f"hypotheses = {list(hypotheses)!r}\nreferences = {list(map(list, references))!r}"


def candidate_library(candidate: Candidate) -> str:
    """What the code calls: NLTK or sacreBLEU where they are what is called, else this library."""
    name = candidate.convention
    theirs = name.startswith("sacrebleu") and not name.startswith("sacrebleu-r")
    if theirs and "lines" not in candidate.mistakes:
        return "sacrebleu"
    return "nltk" if name.startswith("nltk-") else "bleu"


def candidate_code(candidate: Candidate, texts: str, source: str = ".") -> str:
    """Python that prints the value on its scale; `texts` are lines that make the two lists.

    It calls the `candidate_library`; `source` is what pip installs ours from, a dot for a folder with a copy
    of the project.
    """
    imports, body = {"sacrebleu": _sacrebleu, "nltk": _nltk, "bleu": _ours}[
        candidate_library(candidate)
    ](candidate)
    before = _preparation_lines(candidate)
    whole = "\n".join([*before, *body])
    needed = [candidate_library(candidate)]
    if "TOKENIZERS" in whole:
        imports.append("from bleu import TOKENIZERS")
        needed = list(dict.fromkeys([*needed, "bleu"]))
    ours = f"pip install {quote(source)}"
    if source == ".":
        ours += "  (in a folder with a copy of this project)"
    install = [f"# {_INSTALL.get(name, ours)}" for name in needed]
    return "\n".join([*install, "", *sorted(imports), "", texts, whole])


def _preparation_lines(candidate: Candidate) -> list[str]:
    """Lines that make of the texts what is handed over, whichever library gets them."""
    reading, lines = candidate.preprocessing, []
    if reading.reference:
        lines.append(f"references = [[own[{reading.reference - 1}]] for own in references]")
    if reading.mistake == "swapped":
        lines.append(
            "hypotheses, references = [own[0] for own in references], [[h] for h in hypotheses]"
        )
    if reading.mistake == "tokenized-twice":
        before = f"TOKENIZERS[{reading.pretokenizer!r}]"
        lines += [
            f'hypotheses = [" ".join({before}(h)) for h in hypotheses]',
            f'references = [[" ".join({before}(r)) for r in own] for own in references]',
        ]
    if reading.mistake == "one-segment":
        lines += [
            'references = [[" ".join(column) for column in zip(*references)]]',
            'hypotheses = [" ".join(hypotheses)]',
        ]
    return lines


def _print_line(score: str, candidate: Candidate, *, of: int, penalty: str = "") -> str:
    """The line that prints a score, of 1 or 100, on the candidate's scale."""
    if "one-minus" in candidate.mistakes:
        score = f"{of} - {score}"
    if "no-brevity-penalty" in candidate.mistakes:
        score = f"{score} / {penalty}"
    if of != candidate.scale:
        score = f"100 * ({score})" if of == 1 else f"({score}) / 100"
    return f"print({score})"


def _sacrebleu(candidate: Candidate) -> tuple[list[str], list[str]]:
    settings, reading = candidate.settings, candidate.preprocessing
    tokenizer = "none" if reading.tokenizer == "whitespace" else reading.tokenizer
    value = settings.smoothing_value
    order = "n" if "mean-of-orders" in candidate.mistakes else str(settings.max_order)
    arguments = [
        f"tokenize={tokenizer!r}",
        f"smooth_method={settings.smoothing!r}",
        *([] if value is None else [f"smooth_value={float(value)}"]),
        *(["lowercase=True"] if reading.lowercase else []),
        f"max_ngram_order={order}",
        f"effective_order={settings.effective_order}",
        "force=True",
    ]
    bleu = f"sacrebleu.BLEU({', '.join(arguments)})"
    streams = "list(zip_longest(*references))"
    if reading.mistake == "flat-references":
        streams = "[own[0] for own in references]"
    elif reading.mistake == "transposed":
        streams = "[list(own) for own in references]"
    imports = ["import sacrebleu"]
    if "zip_longest" in streams:
        imports.append("from itertools import zip_longest")
    lines = [f"streams = {streams}"]
    if "mean-of-sentences" in candidate.mistakes:
        lines = [
            f"bleu = {bleu}",
            "pairs = zip(hypotheses, references)",
            "scores = [bleu.sentence_score(h, list(own)).score for h, own in pairs]",
        ]
        score = "sum(scores) / len(scores)"
        imports = ["import sacrebleu"]
    elif "mean-of-orders" in candidate.mistakes:
        lines += [
            f"bleus = [{bleu} for n in range(1, {MAX_ORDER + 1})]",
            "scores = [bleu.corpus_score(hypotheses, streams).score for bleu in bleus]",
        ]
        score = "sum(scores) / len(scores)"
    else:
        lines += [f"bleu = {bleu}", "result = bleu.corpus_score(hypotheses, streams)"]
        score = "result.score"
    return imports, [*lines, _print_line(score, candidate, of=100, penalty="result.bp")]


def _nltk(candidate: Candidate) -> tuple[list[str], list[str]]:
    settings, reading, mistakes = candidate.settings, candidate.preprocessing, candidate.mistakes
    lower = ".lower()" if reading.lowercase else ""
    split = "{}.split()" if reading.tokenizer == "whitespace" else (
        f"TOKENIZERS[{reading.tokenizer!r}]({{}})"
    )  # fmt: skip
    own, first = "[{} for r in own]", split.format(f"own[0]{lower}")
    tokens, text = split.format(f"r{lower}"), f"r{lower}"
    hypothesis = split.format(f"h{lower}")
    references = own.format(tokens)
    if reading.mistake in NLTK_CALL_MISTAKES:
        if reading.mistake in {"strings", "string-hypothesis", "strings-not-nested"}:
            hypothesis = f"h{lower}"
        if reading.mistake in {"strings", "string-references"}:
            references = own.format(text)
        if reading.mistake == "not-nested":
            references = first
        if reading.mistake == "strings-not-nested":
            references = f"own[0]{lower}"
    imports = ["from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu"]
    lines = [
        f"smooth = SmoothingFunction().method{NLTK_METHODS[settings.smoothing]}",
        f"hypotheses_ = [{hypothesis} for h in hypotheses]",
        f"references_ = [{references} for own in references]",
    ]
    if reading.mistake == "lines":
        lines[1:] = [
            f"hypotheses_ = [[h{lower} for h in hypotheses]]",
            f"references_ = [[[r{lower} for r in column] for column in zip(*references)]]",
        ]
    weights = settings.weights or (1 / settings.max_order,) * settings.max_order
    shown = f"[{', '.join(str(float(weight)) for weight in weights)}]"
    if "weights-of-0.33" in mistakes:
        # a fourth weight has no part in the number, but where orders are mixed with the next one
        mixed = settings.smoothing.endswith("-last") and not settings.weights
        shown = "(0.33, 0.33, 0.33)" if mixed else "(0.33, 0.33, 0.33, 0)"
    if "mean-of-sentences" in mistakes:
        imports = ["from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu"]
        call = f"sentence_bleu(own, h, {shown}, smooth)"
        lines.append(f"scores = [{call} for own, h in zip(references_, hypotheses_)]")
        score = "sum(scores) / len(scores)"
    elif "mean-of-orders" in mistakes:
        call = "corpus_bleu(references_, hypotheses_, (1 / n,) * n, smooth)"
        lines.append(f"scores = [{call} for n in range(1, {MAX_ORDER + 1})]")
        score = "sum(scores) / len(scores)"
    else:
        score = f"corpus_bleu(references_, hypotheses_, {shown}, smooth)"
    penalty = "penalty"
    if "no-brevity-penalty" in mistakes:
        imports.append("from nltk.translate.bleu_score import brevity_penalty, closest_ref_length")
        closest = "closest_ref_length(own, len(h))"
        lines += [
            "c = sum(map(len, hypotheses_))",
            f"r = sum({closest} for own, h in zip(references_, hypotheses_))",
            "penalty = brevity_penalty(r, c)",
        ]
    return imports, [*lines, _print_line(score, candidate, of=1, penalty=penalty)]


def _ours(candidate: Candidate) -> tuple[list[str], list[str]]:
    settings, mistakes = candidate.settings, candidate.mistakes
    default = convention_settings(candidate.convention)
    wanted = [
        name for name in (*_TEXT, "max_order") if getattr(settings, name) != getattr(default, name)
    ]
    arguments = [f"convention={candidate.convention!r}"]
    arguments += [f"{name}={getattr(settings, name)!r}" for name in SETTING_NAMES if name in wanted]
    if "mean-of-orders" in mistakes:
        arguments = [one for one in arguments if not one.startswith("max_order")]
        arguments.append("max_order=n")
    chosen = ", ".join(arguments)
    call = f"bleu.corpus_bleu(hypotheses, references, {chosen})"
    lines: list[str] = []
    if "lines" in mistakes:
        lines = ["columns = [list(column) for column in zip(*references)]"]
        call = f"bleu.corpus_bleu([hypotheses], [columns], {chosen})"
    if "mean-of-sentences" in mistakes:
        one = f"bleu.sentence_bleu(h, list(own), {chosen}).value"
        lines.append(f"scores = [{one} for h, own in zip(hypotheses, references)]")
        score = "sum(scores) / len(scores)"
    elif "mean-of-orders" in mistakes:
        lines.append(f"scores = [{call}.value for n in range(1, {MAX_ORDER + 1})]")
        score = "sum(scores) / len(scores)"
    else:
        lines.append(f"result = {call}")
        score = "result.value"
    return ["import bleu"], [
        *lines,
        _print_line(score, candidate, of=1, penalty="result.brevity_penalty"),
    ]

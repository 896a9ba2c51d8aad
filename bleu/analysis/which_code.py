"""Code that prints the value of a candidate, with NLTK, sacreBLEU or this library."""

from collections.abc import Sequence
from shlex import quote
from typing import Final

from bleu.analysis.calls import MAX_ORDER, MISTAKES, OLD_NLTK
from bleu.analysis.libraries import IMPORTS, LIBRARIES
from bleu.analysis.snippets import (
    changed_settings_code,
    nltk_weights_code,
    sacrebleu_metric_code,
)
from bleu.analysis.which import Candidate
from bleu.core.conventions import convention_settings, get_convention
from bleu.core.tokenizers import sacrebleu_name, token_unit
from bleu.metric.smoothings import SMOOTHINGS

_ARGUMENTS: Final = ("tokenizer", "lowercase", "max_order", "case")
"""The settings in which a candidate may differ from its convention."""


def file_reading_code(hypothesis_file: str, reference_files: Sequence[str]) -> str:
    """Return code that reads these files into `hypotheses` and `references[segment][number]`.

    >>> print(file_reading_code("system.txt", ["one.txt", "two.txt"]))
    def lines(name):
        with open(name, encoding="utf-8", newline="\\n") as file:
            return [line.rstrip("\\r\\n") for line in file]
    <BLANKLINE>
    hypotheses = lines('system.txt')
    references = list(zip(lines('one.txt'), lines('two.txt')))
    """
    columns = ", ".join(f"lines({name!r})" for name in reference_files)
    return (
        "def lines(name):\n"
        '    with open(name, encoding="utf-8", newline="\\n") as file:\n'
        '        return [line.rstrip("\\r\\n") for line in file]\n\n'
        f"hypotheses = lines({hypothesis_file!r})\n"
        f"references = list(zip({columns}))"
    )


def repair_code(repairs: Sequence[str]) -> str:
    """Return code that undoes these faults in `hypotheses` and `references`, or ""."""
    if not repairs:
        return ""
    names = list(repairs)
    return (
        "\nimport bleu\n"
        f"hypotheses, references = bleu.repair_corpus(hypotheses, references, {names!r})"
    )


def literal_text_code(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> str:
    """Return code with the texts as literals.

    >>> print(literal_text_code(["a b"], [("a c",)]))
    hypotheses = ['a b']
    references = [['a c']]
    """
    return f"hypotheses = {list(hypotheses)!r}\nreferences = {list(map(list, references))!r}"


def candidate_library(candidate: Candidate) -> str:
    """Return the library that `candidate_code` calls: `nltk`, `sacrebleu` or `bleu`.

    The code calls `bleu` for every other tool, and instead of sacreBLEU if lines were taken as
    tokens or sacreBLEU does not have the tokenizer.
    """
    library = get_convention(candidate.convention).library
    if library == "sacrebleu":
        lacks_tokenizer = not sacrebleu_name(candidate.settings.tokenizer)
        return "bleu" if "lines" in candidate.mistakes or lacks_tokenizer else "sacrebleu"
    return "nltk" if library == "nltk" else "bleu"


def candidate_code(candidate: Candidate, texts: str, source: str = ".") -> str:
    """Return Python code that prints the candidate's value on its scale.

    `texts` is code that defines the lists `hypotheses` and `references`. `source` is what pip
    installs this library from; a dot stands for a folder with a copy of the project.
    """
    library, mistakes = candidate_library(candidate), candidate.mistakes
    record, values = LIBRARIES[library], _template_values(candidate)
    call = next((mistake for mistake in mistakes if mistake in record.calls), "")
    score, scale = record.score, record.scale
    if call.startswith("mean-of-"):
        score = "sum(scores) / len(scores)"
    if "one-minus" in mistakes:
        score = f"{scale} - {score}"
    if "no-brevity-penalty" in mistakes:
        score = f"{score} / {record.penalty}"
    if scale != candidate.scale:
        score = f"100 * ({score})" if scale == 1 else f"({score}) / 100"
    templates = [
        *_preparation_templates(candidate, library),
        *record.calls[call],
        f"print({score})",
    ]
    body = "\n".join(template.format(**values) for template in templates)
    function = "sentence_bleu" if call == "mean-of-sentences" else "corpus_bleu"
    imports = [line for name, line in IMPORTS.items() if name in body]
    imports.append(record.imported.format(function=function))
    libraries = dict.fromkeys([library, *(["bleu"] if "TOKENIZERS" in body else [])])
    remark = "  (in a folder with a copy of this project)" if source == "." else ""
    packages = {"bleu": f"{quote(source)}{remark}"}
    install = [f"# pip install {packages.get(name, name)}" for name in libraries]
    return "\n".join([*install, "", *sorted(imports), "", texts, body])


def _preparation_templates(candidate: Candidate, library: str) -> list[str]:
    """Return the lines before the call: changes of the texts, and the arguments of NLTK."""
    preprocessing, lines = candidate.preprocessing, []
    if preprocessing.reference:
        index = preprocessing.reference - 1
        lines.append(f"references = [[refs[{index}]] for refs in references]")
    mistake = MISTAKES[preprocessing.mistake]
    lines += mistake.code
    if library == "nltk":
        method = SMOOTHINGS[candidate.settings.smoothing].nltk_method
        hypotheses, references = mistake.nltk
        smooth = f"SmoothingFunction().method{method}"
        if OLD_NLTK in candidate.mistakes:
            smooth = "lambda p_n, **_: [p for p in p_n if p]  # as NLTK 3.2 to 3.2.5 did"
        lines += [
            f"smooth = {smooth}",
            f"hypotheses_ = {hypotheses}",
            f"references_ = {references}",
        ]
    return lines


def _template_values(candidate: Candidate) -> dict[str, str]:
    """Return the code for each name in the templates."""
    settings, preprocessing = candidate.settings, candidate.preprocessing
    lower = ".lower()" if preprocessing.lowercase else ""

    def tokens(text: str) -> str:
        if token_unit(preprocessing.tokenizer) == "spaces":
            return f"{text}{lower}.split()"
        return f"TOKENIZERS[{preprocessing.tokenizer!r}]({text}{lower})"

    value = settings.smoothing_value
    smooth_value = "" if value is None else str(float(value))
    keywords = {"convention": repr(candidate.convention)}
    keywords |= changed_settings_code(
        settings, convention_settings(candidate.convention), _ARGUMENTS
    )
    order = ""
    if "mean-of-orders" in candidate.mistakes:
        order = keywords["max_order"] = "n"
    return {
        "h": f"h{lower}",
        "h_tokens": tokens("h"),
        "r": f"r{lower}",
        "r_tokens": tokens("r"),
        "first": f"refs[0]{lower}",
        "first_tokens": tokens("refs[0]"),
        "pretokenize": f"TOKENIZERS[{preprocessing.pretokenizer!r}]",
        "orders": f"range(1, {MAX_ORDER + 1})",
        "streams": MISTAKES[preprocessing.mistake].streams,
        "metric": sacrebleu_metric_code(settings, smooth_value, order),
        "weights": _nltk_weights(candidate),
        "keywords": ", ".join(f"{name}={code}" for name, code in keywords.items()),
    }


def _nltk_weights(candidate: Candidate) -> str:
    settings = candidate.settings
    if "weights-of-0.33" in candidate.mistakes:
        # With these smoothings, a fourth weight of 0 would change the number.
        is_mixed = SMOOTHINGS[settings.smoothing].by_last_segment and not settings.weights
        return "(0.33, 0.33, 0.33)" if is_mixed else "(0.33, 0.33, 0.33, 0)"
    return nltk_weights_code(settings)

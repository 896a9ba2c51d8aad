"""The search for the BLEU variant that gives a number: requests, job, and results as HTML."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from html import escape
from operator import truediv
from typing import Final

from app.state.file_settings import FileInputs, file_settings
from app.state.inputs import (
    OPEN_MODELS,
    Inputs,
    menu_value,
    scored_references,
    todo_text,
    with_convention,
)
from bleu.analysis.which import (
    Candidate,
    NumberTooLargeError,
    WhichResult,
    iter_which,
    parse_reported_score,
)
from bleu.analysis.which_code import (
    candidate_code,
    candidate_library,
    file_reading_code,
    literal_text_code,
    repair_code,
)
from bleu.core.progress import map_progress
from bleu.document.blocks import Row
from bleu.document.writing import isolate
from bleu.explanation.phrases import escape_invisible
from bleu.explanation.which import MAX_ROWS, displayed_candidates, ways_table
from bleu.metric.numerics import decimal
from bleu.render import html

MAX_QUOTED_CHARACTERS: Final = 60
"""The largest number of characters of the input that an error message quotes."""


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """The input of a search: the texts that a number belongs to.

    - `hypotheses`, `references`: the segments; `references[i]` are those of `hypotheses[i]`.
    - `code`: lines of Python that define both.
    - `is_applicable`: returns whether the settings on the page can give a candidate's score.
    """

    hypotheses: Sequence[str]
    references: Sequence[Sequence[str]]
    code: str
    is_applicable: Callable[[Candidate], bool]


def request_from_form(inputs: Inputs) -> SearchRequest:
    """Return the request for the texts of the form.

    Raises ValueError if a text is missing.

    >>> request_from_form(Inputs("a", ("b", ""))).references
    [['b']]
    """
    if todo := todo_text(inputs):
        raise ValueError(todo)
    hypotheses, references = [inputs.hypothesis], [scored_references(inputs)]
    code = literal_text_code(hypotheses, references)
    return SearchRequest(hypotheses, references, code, is_applicable_to_form)


def request_from_files(
    names: Sequence[str], hypotheses: Sequence[str], references: Sequence[Sequence[str]]
) -> SearchRequest:
    """Return the request for a system; `names` are the names of its file and of the references.

    >>> request = request_from_files(["a.txt", "r.txt"], ["x"], [["y"]])
    >>> request.code.splitlines()[0]
    '# files with one segment per line, in UTF-8; save pasted lines as files first'
    """
    system, *reference_names = map(escape_invisible, names)
    code = "# files with one segment per line, in UTF-8; save pasted lines as files first\n"
    code += file_reading_code(system, reference_names)
    return SearchRequest(hypotheses, references, code, is_applicable_to_files)


def search(request: SearchRequest, number: str) -> Generator[float, None, WhichResult]:
    """Search for the ways in which the texts give a number; yield the share done, in [0, 1].

    Raises ValueError if the number is not a score.

    >>> next(search(request_from_form(Inputs("a", ("a",))), "x"))
    Traceback (most recent call last):
    ValueError: “x” is not a score. Type one number, such as 26.60, 0.266 or 26,6 %.
    """
    quoted = escape_invisible(number.strip()[:MAX_QUOTED_CHARACTERS])
    try:
        reported = parse_reported_score(number)
    except NumberTooLargeError:
        raise ValueError(f"{isolate(quoted)} is too large: BLEU goes up to 100.") from None
    except ValueError:
        problem = f"“{quoted}” is not a score." if quoted else "There is no number yet."
        hint = "Type one number, such as 26.60, 0.266 or 26,6 %."
        raise ValueError(f"{problem} {hint}") from None
    models = list(OPEN_MODELS.values())
    steps = iter_which(reported, request.hypotheses, request.references, models)
    return (yield from map_progress(steps, truediv))


def is_applicable_to_form(candidate: Candidate) -> bool:
    """Return whether the settings of the form can give a candidate's score."""
    return not candidate.mistakes and not candidate.preprocessing.reference


def is_applicable_to_files(candidate: Candidate) -> bool:
    """Return whether the settings for files, which have no weights, give the candidate's score."""
    if not is_applicable_to_form(candidate):
        return False
    return file_settings(candidate_file_inputs(candidate), Inputs()) == candidate.settings


def result_html(
    result: WhichResult, request: SearchRequest, name: str = "which", source: str = "."
) -> str:
    """Return a table of candidates with buttons that apply their settings, and the code of each.

    `name` is the prefix of ids and commands; `source` is what pip installs this library from.
    """
    # A repair is no setting of the form.
    is_applicable = (lambda _: False) if result.repairs else request.is_applicable
    table = ways_table(result, is_applicable, f"{name}-apply")
    texts_code = request.code + repair_code(result.repairs)
    candidates = displayed_candidates(result)[:MAX_ROWS]
    # The first cells of these rows become labels, so they must not hold buttons.
    rows = ways_table(result, lambda _: False).rows
    snippets = "".join(
        f'<details class="snippet"><summary>Code for {escape(label := _code_label(row, candidate))}'
        f'</summary><div><pre tabindex="0" translate="no"><code id="snippet-{name}-{number}">'
        f"{html.isolate_strings(candidate_code(candidate, texts_code, source))}"
        f'</code></pre><button type="button" data-command="copy-code:{name}-{number}" '
        f'aria-label="Copy the code for {escape(label)}">Copy the code</button></div></details>'
        for number, (candidate, row) in enumerate(zip(candidates, rows, strict=True))
    )
    return html.table(table) + snippets


def _code_label(row: Row, candidate: Candidate) -> str:
    uses_bleu = candidate_library(candidate) == "bleu" and candidate.convention != "default"
    return f"{row.cells[0]}{', with this library' if uses_bleu else ''}"


def apply_candidate(inputs: Inputs, candidate: Candidate) -> Inputs:
    """Return the form with the settings of one way to compute the number.

    >>> from bleu.analysis.which import which
    >>> texts = Inputs("A b c d", ("a b c d",))
    >>> result = which(parse_reported_score("100"), [texts.hypothesis], [texts.references])
    >>> applied = apply_candidate(texts, result.found[0])
    >>> applied.convention, applied.lowercase
    ('sacrebleu-sentence', True)
    """
    settings = candidate.settings
    return replace(
        with_convention(inputs, candidate.convention),
        tokenizer=menu_value(settings.tokenizer),
        lowercase=settings.lowercase,
        max_order=str(settings.max_order),
        weights="; ".join(map(decimal, settings.weights or ())),
    )


def candidate_file_inputs(candidate: Candidate) -> FileInputs:
    """Return a candidate's settings as inputs of the Files view.

    >>> from bleu.analysis.which import which
    >>> result = which(parse_reported_score("100"), ["A b c d"], [["a b c d"]])
    >>> candidate_file_inputs(result.found[0])
    FileInputs(convention='sacrebleu-sentence', tokenizer='13a', max_order='4', lowercase=True)
    """
    settings = candidate.settings
    tokenizer, order = menu_value(settings.tokenizer), str(settings.max_order)
    return FileInputs(candidate.convention, tokenizer, order, settings.lowercase)

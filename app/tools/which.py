"""Which BLEU is a number that was typed: for texts in boxes or files, in slices, and as HTML."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from html import escape
from operator import truediv

from app.state.file_settings import FileInputs, file_settings, with_file_convention
from app.state.form import FormError, Inputs, scored_references, todo_text, with_convention
from bleu.analysis.reported import parse_reported_score
from bleu.analysis.which import Candidate, WhichResult, iter_which
from bleu.analysis.which_code import (
    candidate_code,
    candidate_library,
    file_reading_code,
    literal_text_code,
)
from bleu.core.numerics import NumberTooLargeError, decimal
from bleu.core.progress import map_progress
from bleu.document.blocks import Row
from bleu.explanation.phrases import escape_invisible
from bleu.explanation.which import MAX_ROWS, displayed_candidates, ways_table
from bleu.render import html

SearchJob = Generator[float, None, WhichResult]
"""The search: yields the share that is done."""


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """The segments that a number is said to be of.

    - `references[i]` are those of `hypotheses[i]`.
    - `candidate_code`: lines of code that hold or read them.
    - `is_applicable`: whether settings that can be chosen give what a candidate gives.
    """

    hypotheses: Sequence[str]
    references: Sequence[Sequence[str]]
    code: str
    is_applicable: Callable[[Candidate], bool]


def request_from_form(inputs: Inputs) -> SearchRequest:
    """The texts in the boxes.

    Raises FormError, in the form's own words, where one is missing.

    >>> request_from_form(Inputs("a", ("b", ""))).references
    [['b']]
    """
    if todo := todo_text(inputs):
        raise FormError("", todo)
    hypotheses, references = [inputs.hypothesis], [scored_references(inputs)]
    return SearchRequest(
        hypotheses, references, literal_text_code(hypotheses, references), is_applicable_to_form
    )


def request_from_files(
    names: Sequence[str], hypotheses: Sequence[str], references: Sequence[Sequence[str]]
) -> SearchRequest:
    """Return the request for a system's file; `names` are those of its file and the references.

    >>> request = request_from_files(["a.txt", "r.txt"], ["x"], [["y"]])
    >>> request.code.splitlines()[0]
    '# files with one segment per line, in UTF-8; save pasted lines as such'
    """
    system, *reference_names = map(escape_invisible, names)
    comment = "# files with one segment per line, in UTF-8; save pasted lines as such\n"
    return SearchRequest(
        hypotheses,
        references,
        comment + file_reading_code(system, reference_names),
        is_applicable_to_files,
    )


def search(request: SearchRequest, number: str) -> SearchJob:
    """Look for a number among all that these texts can give.

    Raises FormError where what was typed is no score.

    >>> next(search(request_from_form(Inputs("a", ("a",))), "x"))
    Traceback (most recent call last):
    app.state.form.FormError: “x” is not a score. Type one number, such as 26.60, 0.266 or 26,6 %.
    """
    typed = number.strip()
    try:
        wanted = parse_reported_score(number)
    except NumberTooLargeError:
        raise FormError(
            "", f"{escape_invisible(typed[:60])} is too large: BLEU goes up to 100."
        ) from None
    except ValueError:
        shown = (
            f"“{escape_invisible(typed[:60])}” is not a score."
            if typed
            else "There is no number yet."
        )
        hint = "Type one number, such as 26.60, 0.266 or 26,6 %."
        raise FormError("", f"{shown} {hint}") from None
    return (
        yield from map_progress(iter_which(wanted, request.hypotheses, request.references), truediv)
    )


def is_applicable_to_form(candidate: Candidate) -> bool:
    """Whether the form's settings alone give this number."""
    return not candidate.mistakes and not candidate.preprocessing.reference


def is_applicable_to_files(candidate: Candidate) -> bool:
    """Whether the settings for whole files alone give this number: they have no weights."""
    if not is_applicable_to_form(candidate):
        return False
    return (
        file_settings(apply_candidate_to_files(FileInputs(), candidate), Inputs())
        == candidate.settings
    )


def result_html(
    answer: WhichResult, request: SearchRequest, name: str = "which", source: str = "."
) -> str:
    """The ways as a table whose buttons apply the settings, and the code of each.

    `name` is that of the box: its commands and ids begin with it. `source` is what pip installs
    this library from.
    """
    table = ways_table(answer, request.is_applicable, f"{name}-apply")
    snippets = "".join(
        f'<details class="snippet"><summary>Code for {escape(_called(row, one))}</summary><div>'
        f'<pre tabindex="0"><code id="snippet-{name}-{number}">'
        f"{escape(candidate_code(one, request.code, source))}"
        f'</code></pre><button type="button" data-command="copy-code:{name}-{number}">'
        "Copy the code</button></div></details>"
        for number, (one, row) in enumerate(
            zip(
                displayed_candidates(answer)[:MAX_ROWS],
                ways_table(answer, lambda _: False).rows,
                strict=True,
            )
        )
    )
    return html.table(table) + snippets


def _called(row: Row, candidate: Candidate) -> str:
    ours = candidate_library(candidate) == "bleu" and candidate.convention != "default"
    return f"{row.cells[0]}{', with this library' if ours else ''}"


def apply_candidate(inputs: Inputs, candidate: Candidate) -> Inputs:
    """The form with the settings of a candidate.

    >>> from bleu.analysis.which import which
    >>> texts = Inputs("A b c d", ("a b c d",))
    >>> found = which(parse_reported_score("100"), [texts.hypothesis], [texts.references]).found[0]
    >>> apply_candidate(texts, found).convention, apply_candidate(texts, found).lowercase
    ('sacrebleu-sentence', True)
    """
    chosen = with_convention(inputs, candidate.convention)
    settings = candidate.settings
    return replace(
        chosen,
        tokenizer=settings.tokenizer,
        lowercase=settings.lowercase,
        max_order=str(settings.max_order),
        weights="; ".join(map(decimal, settings.weights or ())),
    )


def apply_candidate_to_files(own: FileInputs, candidate: Candidate) -> FileInputs:
    """The settings for whole files with those of a candidate.

    >>> from bleu.analysis.which import which
    >>> found = which(parse_reported_score("100"), ["A b c d"], [["a b c d"]]).found[0]
    >>> apply_candidate_to_files(FileInputs(), found)
    FileInputs(convention='sacrebleu-sentence', tokenizer='13a', max_order='4', lowercase=True)
    """
    settings = candidate.settings
    return replace(
        with_file_convention(own, candidate.convention, Inputs()),
        tokenizer=settings.tokenizer,
        max_order=str(settings.max_order),
        lowercase=settings.lowercase,
    )

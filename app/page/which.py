"""Which BLEU is a number that was typed: for texts in boxes or files, in slices, and as HTML."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from html import escape
from operator import truediv

from app.page.corpus import Texts
from app.page.file_settings import FileInputs, file_settings, with_file_convention
from app.page.form import FormError, Inputs, counted_references, missing, with_convention
from bleu.analysis.stated import stated
from bleu.analysis.which import Answer, Candidate, iter_which
from bleu.analysis.which_code import code, from_files, from_texts, library
from bleu.core.numerics import decimal
from bleu.core.progressive import told_as
from bleu.document.blocks import Row
from bleu.explanation.which import SHOWN, listed, ways_table
from bleu.explanation.words import visible
from bleu.render import html

Work = Generator[float, None, Answer]
"""The search: yields the share that is done."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The segments that a number is said to be of.

    - `references[i]` are those of `hypotheses[i]`.
    - `code`: lines of code that hold or read them.
    - `fits`: whether settings that can be chosen give what a candidate gives.
    """

    hypotheses: Sequence[str]
    references: Sequence[Sequence[str]]
    code: str
    fits: Callable[[Candidate], bool]


def of_boxes(inputs: Inputs) -> Asked:
    """The texts in the boxes.

    Raises FormError, in the form's own words, where one is missing.

    >>> of_boxes(Inputs("a", ("b", ""))).references
    [['b']]
    """
    if todo := missing(inputs):
        raise FormError("", todo)
    hypotheses, references = [inputs.hypothesis], [counted_references(inputs)]
    return Asked(hypotheses, references, from_texts(hypotheses, references), applicable)


def of_files(texts: Texts) -> Asked:
    """The first system of files, and its references.

    >>> from app.page.uploads import Source
    >>> asked = of_files(Texts((Source("a.txt", ["x"]),), (Source("r.txt", ["y"]),)))
    >>> asked.hypotheses, asked.references, asked.code.splitlines()[0]
    (['x'], [('y',)], '# files with one segment per line, in UTF-8; save pasted lines as such')
    """
    system = texts.systems[0]
    names = [visible(one.name) for one in (system, *texts.references)]
    about = "# files with one segment per line, in UTF-8; save pasted lines as such\n"
    return Asked(
        system.lines,
        list(zip(*(one.lines for one in texts.references), strict=True)),
        about + from_files(names[0], names[1:]),
        applicable_to_files,
    )


def search(asked: Asked, number: str) -> Work:
    """Look for a number among all that these texts can give.

    Raises FormError where what was typed is no score.

    >>> next(search(of_boxes(Inputs("a", ("a",))), "x"))
    Traceback (most recent call last):
    app.page.form.FormError: “x” is not a score. Type one number, such as 26.60, 0.266 or 26,6 %.
    """
    typed = number.strip()
    try:
        wanted = stated(number)
    except ValueError as error:
        words = str(error)
        if "no BLEU" in words:
            raise FormError(
                "", f"{visible(typed[:60])} is too large: BLEU goes up to 100."
            ) from None
        shown = f"“{visible(typed[:60])}” is not a score." if typed else "There is no number yet."
        hint = "Type one number, such as 26.60, 0.266 or 26,6 %."
        raise FormError("", f"{shown} {hint}") from None
    return (yield from told_as(iter_which(wanted, asked.hypotheses, asked.references), truediv))


def applicable(candidate: Candidate) -> bool:
    """Whether the form's settings alone give this number."""
    return not candidate.mistakes and not candidate.reading.reference


def applicable_to_files(candidate: Candidate) -> bool:
    """Whether the settings for whole files alone give this number: they have no weights."""
    if not applicable(candidate):
        return False
    return file_settings(applied_to_files(FileInputs(), candidate), Inputs()) == candidate.settings


def result(answer: Answer, asked: Asked, name: str = "which", source: str = ".") -> str:
    """The ways as a table whose buttons apply the settings, and the code of each.

    `name` is that of the box: its commands and ids begin with it. `source` is what pip installs
    this library from.
    """
    table = ways_table(answer, asked.fits, f"{name}-apply")
    snippets = "".join(
        f'<details class="snippet"><summary>Code for {escape(_called(row, one))}</summary><div>'
        f'<pre tabindex="0"><code id="snippet-{name}-{number}">'
        f"{escape(code(one, asked.code, source))}"
        f'</code></pre><button type="button" data-command="copy-code:{name}-{number}">'
        "Copy the code</button></div></details>"
        for number, (one, row) in enumerate(
            zip(listed(answer)[:SHOWN], ways_table(answer, lambda _: False).rows, strict=True)
        )
    )
    return html.table(table) + snippets


def _called(row: Row, candidate: Candidate) -> str:
    ours = library(candidate) == "bleu" and candidate.convention != "default"
    return f"{row.cells[0]}{', with this library' if ours else ''}"


def applied(inputs: Inputs, candidate: Candidate) -> Inputs:
    """The form with the settings of a candidate.

    >>> from bleu.analysis.which import which
    >>> texts = Inputs("A b c d", ("a b c d",))
    >>> found = which(stated("100"), [texts.hypothesis], [texts.references]).found[0]
    >>> applied(texts, found).convention, applied(texts, found).lowercase
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


def applied_to_files(own: FileInputs, candidate: Candidate) -> FileInputs:
    """The settings for whole files with those of a candidate.

    >>> from bleu.analysis.which import which
    >>> found = which(stated("100"), ["A b c d"], [["a b c d"]]).found[0]
    >>> applied_to_files(FileInputs(), found)
    FileInputs(convention='sacrebleu-sentence', tokenizer='13a', max_order='4', lowercase=True)
    """
    settings = candidate.settings
    return replace(
        with_file_convention(own, candidate.convention, Inputs()),
        tokenizer=settings.tokenizer,
        max_order=str(settings.max_order),
        lowercase=settings.lowercase,
    )

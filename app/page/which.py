"""Which BLEU is a number that was typed: for the texts in the boxes, in slices, and as HTML."""

from collections.abc import Generator
from dataclasses import replace
from html import escape
from operator import truediv

from app.page.form import FormError, Inputs, counted_references, missing, with_convention
from bleu.analysis.stated import stated
from bleu.analysis.which import Answer, Candidate, iter_which
from bleu.analysis.which_code import code, from_texts
from bleu.core.numerics import decimal
from bleu.core.progressive import told_as
from bleu.explanation.which import SHOWN, listed, verdict, ways_table
from bleu.explanation.words import visible
from bleu.render import html

Work = Generator[float, None, Answer]
"""The search: yields the share that is done."""


def search(inputs: Inputs, number: str) -> Work:
    """Look for a number among all that these texts can give.

    Raises FormError, in the form's own words, where a text is missing or what was typed is no
    score.

    >>> next(search(Inputs("a", ("a",)), "x"))
    Traceback (most recent call last):
    app.page.form.FormError: “x” is not a score. Type one number, such as 26.60, 0.266 or 26,6 %.
    """
    if todo := missing(inputs):
        raise FormError("", todo)
    typed = number.strip()
    try:
        wanted = stated(number)
    except ValueError as error:
        words = str(error)
        if "no BLEU" in words:
            raise FormError("", f"{visible(typed[:60])} is more than any BLEU: 100.") from None
        shown = f"“{visible(typed[:60])}” is not a score." if typed else "There is no number yet."
        hint = "Type one number, such as 26.60, 0.266 or 26,6 %."
        raise FormError("", f"{shown} {hint}") from None
    steps = iter_which(wanted, [inputs.hypothesis], [counted_references(inputs)])
    return (yield from told_as(steps, truediv))


def status(answer: Answer) -> str:
    """What was found, in a sentence."""
    return verdict(answer)


def applicable(candidate: Candidate) -> bool:
    """Whether the form's settings alone give this number."""
    return not candidate.mistakes and not candidate.reading.reference


def result(answer: Answer, inputs: Inputs) -> str:
    """The ways as a table whose buttons apply the settings, and the code of each."""
    texts = from_texts([inputs.hypothesis], [counted_references(inputs)])
    snippets = "".join(
        f'<details class="snippet"><summary>Code for {escape(name)}</summary><div>'
        f'<pre tabindex="0"><code id="snippet-which-{number}">{escape(code(one, texts))}</code>'
        f'</pre><button type="button" data-command="copy-code:which-{number}">Copy the code'
        "</button></div></details>"
        for number, (one, name) in enumerate(_named(answer))
    )
    return html.table(ways_table(answer, applicable)) + snippets


def _named(answer: Answer) -> list[tuple[Candidate, str]]:
    rows = ways_table(answer, lambda _: False).rows
    names = [str(row.cells[0]) for row in rows]
    return list(zip(listed(answer)[:SHOWN], names, strict=True))


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

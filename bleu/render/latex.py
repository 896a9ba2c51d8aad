"""Documents as LaTeX files that compile with pdflatex, xelatex and lualatex."""

import re
from collections.abc import Iterable
from typing import Final, assert_never

from bleu.document import blocks as doc
from bleu.metric.expressions import Equation
from bleu.render import text
from bleu.render.html import KIND_LABELS
from bleu.render.latex_math import equation, formula
from bleu.render.latex_text import escape
from bleu.render.numbers import both_scales

PREAMBLE: Final = r"""\documentclass{article}
\usepackage{iftex}
% \code writes a character as its code point; \uni, as itself where the font has it.
\newcommand{\code}[1]{{\footnotesize\texttt{U+#1}}\allowbreak}
\ifPDFTeX
  \usepackage[T1]{fontenc}
  \usepackage[utf8]{inputenc}
  \usepackage{textcomp}
  \IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}
  \newcommand{\uni}[1]{\code{#1}}
\else
  \usepackage{fontspec} % for other scripts, choose a font that has them: \setmainfont{...}
  \newcommand{\uni}[1]{\iffontchar\font"#1 \char"#1 \else\code{#1}\fi}
\fi
\usepackage[a4paper, margin=2cm]{geometry}
\usepackage{amsmath}
\usepackage{array}
\usepackage{longtable}
\newcommand{\credited}[1]{\textbf{#1}$^{+}$}
\newcommand{\clipped}[1]{\emph{#1}$^{\circ}$}
\newcommand{\unmatched}[1]{#1$^{\times}$}
\newcommand{\chosen}[1]{\textbf{#1} $\leftarrow$}
\newcommand{\blank}{\rule{0pt}{4ex}\rule[-0.6ex]{4em}{0.4pt}} % high enough for handwriting
\newcommand{\blankline}{\rule{0pt}{4ex}\hrulefill}
\newcommand{\longchoice}[1]{\fbox{\phantom{x}}~#1}
\newcommand{\choice}[1]{\mbox{\longchoice{#1}}\quad\allowbreak}
\newcommand{\ratio}[1]{\makebox[6em][l]{\rule{#1em}{1.2ex}}}
\allowdisplaybreaks
\setlength{\LTcapwidth}{\linewidth}
\setlength{\tabcolsep}{4pt}
\setlength{\parindent}{0pt}
\setlength{\parskip}{1ex}
\sloppy
"""

MAX_NUMBER_COLUMNS: Final = 6
"""The number of columns that fit beside the first; the others follow in further tables."""

MAX_INLINE_CHOICE_CHARACTERS: Final = 30
"""The largest number of characters of a choice that shares a line with others."""

_LONG_LINE: Final = re.compile(r"(.{80,}?) ")


def render(document: doc.Document) -> str:
    """Render the whole document as a LaTeX file in which all input text is escaped.

    A character that the engine or its font does not have is printed as its code point.

    >>> from bleu import derive, explain
    >>> source = render(explain(derive("50% {a}", ["a"], max_order=1)))
    >>> source.splitlines()[0], "50% {a}" in source, escape("50% {a}") in source
    ('\\\\documentclass{article}', False, False)
    """
    return _file([_summary(document.summary), *map(_step, document.steps)])


def worksheet(content: doc.Worksheet) -> str:
    """Render exercises or solutions as a LaTeX file, with blanks as rules and choices as boxes."""
    title = rf"\section*{{{escape(content.title)}}}"
    return _file([title, *map(_block, content.intro), *map(_exercise, content.steps)])


def _file(parts: Iterable[str]) -> str:
    body = _LONG_LINE.sub(r"\1\n", "\n\n".join(parts))
    return f"{PREAMBLE}\\begin{{document}}\n\n{body}\n\n\\end{{document}}\n"


def _summary(summary: doc.Summary) -> str:
    score_100, score_1 = map(escape, both_scales(summary.value))
    facts = (rf"\item {escape(fact.label)}: {_span(fact.value)}" for fact in summary.facts)
    marks = ", ".join(_marked(kind, label) for kind, label in KIND_LABELS.items())
    return "\n\n".join(
        [
            rf"\section*{{{escape(summary.name)} = {score_100}}}",
            f"{score_1} on the 0{escape('–')}1 scale. {escape(summary.check)}",
            *map(_paragraph, summary.remarks),
            "\n".join([r"\begin{itemize}", *facts, r"\end{itemize}"]),
            _table(summary.table),
            rf"Signature: {escape(summary.signature)}",
            *([_paragraph(summary.interpretation)] if summary.interpretation else []),
            f"Tokens and n-grams are marked: {marks}.",
        ]
    )


def _step(step: doc.Step) -> str:
    citation = [rf"\emph{{{escape(step.citation.label)}}}"] if step.citation else []
    title = rf"\subsection*{{{escape(step.title)}}}"
    return "\n\n".join([title, *map(_block, step.blocks), *citation])


def _exercise(step: doc.Step) -> str:
    """Render a step of a worksheet; only the first exercise and solutions may break anywhere."""
    blocks = (
        _table(block, "tabular") if isinstance(block, doc.Table) else _block(block)
        for block in step.blocks
    )
    # Exercises need space to work in; solutions do not, and may break between their lines.
    is_exercise = step.anchor.startswith("exercise-")
    space = [r"\vspace{2cm}"] if is_exercise else []
    start = r"\filbreak" if is_exercise and step.anchor != "exercise-1" else ""
    return "\n\n".join([rf"{start}\subsection*{{{escape(step.title)}}}", *blocks, *space])


def _block(block: doc.Block) -> str:
    match block:
        case doc.Paragraph():
            return _paragraph(block)
        case Equation():
            return equation(block)
        case doc.TokenList():
            return _token_list(block)
        case doc.Table():
            return _table(block)
        case doc.MarkableTokens():
            return _token_list(block.plain)
        case _:
            assert_never(block)


def _paragraph(paragraph: doc.Paragraph) -> str:
    text = "".join(map(_span, paragraph.spans))
    return f"\\begin{{quote}}\n{text}\n\\end{{quote}}" if paragraph.note else text


def _token_list(content: doc.TokenList) -> str:
    tokens = [_marked(kind, escape(token)) for token, kind in content.tokens_with_kinds]
    more = [f"and {content.hidden:,} more"] if content.hidden else []
    items = f" {escape('|')}\n".join(tokens + more)
    return f"\\textbf{{{escape(content.title)}}}\n\n{items}".rstrip()


def _marked(kind: str, source: str) -> str:
    return rf"\{kind}{{{source}}}" if kind in KIND_LABELS or kind == "chosen" else source


def _table(table: doc.Table, environment: str = "longtable") -> str:
    starts = range(1, len(table.headers), MAX_NUMBER_COLUMNS)
    parts = [_partial_table(table, start, environment) for start in starts]
    if table.hidden:
        parts.append(f"and {escape(table.hidden_rows_text)}")
    return "\n\n".join(parts)


def _partial_table(table: doc.Table, start: int, environment: str) -> str:
    """Render the first column of a table, and as many others from `start` as fit beside it.

    `environment` is "longtable", which can be split across pages, or "tabular", which cannot.
    """
    columns = slice(start, start + MAX_NUMBER_COLUMNS)
    has_quotes = any(isinstance(row.cells[0], doc.Quote) for row in table.rows)
    first_format = r">{\raggedright\arraybackslash}p{0.35\linewidth}" if has_quotes else "l"
    columns_format = first_format + "r" * len(table.headers[columns])
    caption = escape(table.caption) + ("" if start == 1 else ", continued")
    head = [r"\hline", _row(doc.Row(table.headers), columns), r"\hline"]
    foot = [_row(table.foot, columns), r"\hline"] if table.foot else []
    rows = [*(_row(row, columns) for row in table.rows), r"\hline", *foot]
    if environment == "longtable":
        command = r"\caption" if start == 1 else r"\caption*"
        head = [rf"{command}{{{caption}}} \\", *head, r"\endfirsthead", *head, r"\endhead"]
        caption = ""
    title = rf"\textbf{{{caption}}}\par\nopagebreak" if caption else ""
    begin = rf"\begin{{{environment}}}{{{columns_format}}}"
    return "\n".join([title, begin, *head, *rows, rf"\end{{{environment}}}"]).lstrip()


def _row(row: doc.Row, columns: slice) -> str:
    first = _marked(row.visible_kind, _span(row.cells[0]))
    return " & ".join([first, *map(_span, row.cells[columns])]) + r" \\"


def _span(span: doc.Cell) -> str:
    match span:
        case str():
            return escape(span)
        case doc.Quote(content):
            return escape("“") + escape(content) + escape("”")
        case doc.Choice() | doc.ChoiceList() | doc.Score100():
            return escape(text.span(span))
        case doc.Term(content):
            return rf"\emph{{{escape(content)}}}"
        case doc.Strong(content):
            return rf"\textbf{{{escape(content)}}}"
        case doc.Blank(name=name, options=()):
            return r"\blankline{}" if name.endswith((".text", "name")) else r"\blank{}"
        case doc.Blank(options=options):
            if max(map(len, options)) <= MAX_INLINE_CHOICE_CHARACTERS:
                return "".join(rf"\choice{{{escape(option)}}}" for option in options)
            return "\\\\\n".join(rf"\longchoice{{{escape(option)}}}" for option in options)
        case doc.Meter(value):
            return rf"{escape(text.span(span))} \ratio{{{6 * min(1, float(value)):.4f}}}"
        case _:
            return f"${formula(span)}$"

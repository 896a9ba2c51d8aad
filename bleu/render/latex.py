"""Documents, formulas and texts as LaTeX that compiles with pdflatex, xelatex and lualatex."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from typing import Final, assert_never

from bleu.document import blocks as doc
from bleu.metric import expressions as ex
from bleu.metric.expressions import Equation
from bleu.render import numbers, text
from bleu.render.html import KIND_LABELS

GREEK: Final = {"α": r"\alpha", "δ": r"\delta", "ε": r"\varepsilon", "π": r"\pi"}
"""The commands for the Greek letters used as symbols."""

TIMES: Final = r" \cdot "
SIGNS: Final = {"=": "=", "≈": r"\approx"}
MAX_INLINE_TERMS: Final = 20
"""The number of terms above which a sum within a formula is split into lines."""


def equation(content: ex.Equation) -> str:
    """Render a displayed equation: symbols, numbers and result, in lines if it is long.

    >>> print(equation(ex.Equation(ex.Sym("BP", 1.0), ex.Call("exp", (1 - ex.Num(1),)))))
    \\[ \\mathrm{BP} = \\exp\\left(1 - 1\\right) = 1 \\]
    """
    left = formula(content.left)
    if len(text.equation(content)) <= numbers.MAX_LINE_CHARACTERS:
        right = " ".join(f"{SIGNS[sign]} {side}" for sign, side in numbers.sides(content, formula))
        return rf"\[ {left} {right} \]"
    lines = " \\\\\n".join(
        f"&{SIGNS[sign]} {side}" for sign, side in numbers.sides(content, _in_lines)
    )
    return f"\\begin{{align*}}\n{left} {lines}\n\\end{{align*}}"


def formula(expr: ex.Expr) -> str:
    """Render a formula for math mode.

    >>> from fractions import Fraction
    >>> formula(ex.Pow(ex.Num(Fraction(3, 4)), ex.Sym("w", index="2")))
    '\\\\left(\\\\frac{3}{4}\\\\right)^{w_{2}}'
    """
    match expr:
        case ex.Num(value, decimal):
            return _number(value, decimal=decimal)
        case ex.Sym():
            return _symbol(expr)
        case ex.Add(terms) if len(terms) > MAX_INLINE_TERMS:
            parts = _chunks(terms, MAX_INLINE_TERMS)
            lines = " + \\\\ ".join(formula(ex.Add(part)) for part in parts)
            return rf"\begin{{gathered}} {lines} \end{{gathered}}"
        case ex.Add(terms):
            return " + ".join(_grouped(term, numbers.is_negative) for term in terms)
        case ex.Sub(left, right):
            return f"{formula(left)} - {_grouped(right)}"
        case ex.Mul(factors):
            return TIMES.join(map(_grouped, factors))
        case ex.Div(numerator, denominator):
            return rf"\frac{{{formula(numerator)}}}{{{formula(denominator)}}}"
        case ex.Pow(base, exponent):
            plain_base = formula(base)
            grouped = not numbers.is_atom(base) or TIMES in plain_base
            return f"{_parentheses(plain_base) if grouped else plain_base}^{{{formula(exponent)}}}"
        case ex.Root(radicand, 1):
            return formula(radicand)
        case ex.Root(radicand, 2):
            return rf"\sqrt{{{formula(radicand)}}}"
        case ex.Root(radicand, degree):
            return rf"\sqrt[{degree}]{{{formula(radicand)}}}"
        case ex.Call("abs", (argument,)):
            return rf"\left|{formula(argument)}\right|"
        case ex.Call("ln", ((ex.Num() | ex.Sym() | ex.Div(ex.Num(), ex.Num())) as argument,)):
            inner = formula(argument)
            return rf"\ln{_parentheses(inner) if TIMES in inner else f' {inner}'}"
        case ex.Call(function, arguments):
            inner = ", ".join(map(formula, arguments))
            return rf"\{function}" + _parentheses(inner)
        case ex.Sum(body):
            return rf"\sum_{{n=1}}^{{N}} {formula(body)}"
        case ex.Product(body):
            return rf"\prod_{{n=1}}^{{N}} {formula(body)}"
        case _:
            assert_never(expr)


def _symbol(symbol: ex.Sym) -> str:
    name = GREEK.get(symbol.name, symbol.name)
    index = symbol.index if len(symbol.index) == 1 else _upright(symbol.index)
    return (
        (name if symbol.name in GREEK or len(name) == 1 else _upright(name))
        + (f"_{{{index}}}" if index else "")
        + ("'" if symbol.is_primed else "")
    )


def _upright(word: str) -> str:
    return rf"\mathrm{{{word}}}" if word else ""


def _number(value: ex.Value | int, *, decimal: bool) -> str:
    if numbers.is_shown_as_fraction(value) and not decimal:
        sign = "-" if value < 0 else ""
        return rf"{sign}\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"
    plain = (numbers.decimal_text(value) if decimal else numbers.number_text(value)).replace(
        "−", "-"
    )
    mantissa, _, exponent = plain.replace("∞", r"\infty").partition("e")
    return f"{mantissa}{TIMES}10^{{{int(exponent)}}}" if exponent else mantissa


def _in_lines(expr: ex.Expr) -> str:
    match expr:
        case ex.Add(terms):
            return _join_lines(" + ", [formula(ex.Add(part)) for part in _chunks(terms)])
        case ex.Mul(factors):
            return _join_lines(TIMES, [formula(ex.Mul(part)) for part in _chunks(factors)])
        case _:
            return formula(expr)


def _chunks(
    operands: tuple[ex.Expr, ...], size: int = numbers.OPERANDS_PER_LINE
) -> Iterable[tuple[ex.Expr, ...]]:
    return (operands[start : start + size] for start in range(0, len(operands), size))


def _join_lines(sign: str, lines: Iterable[str]) -> str:
    return f" \\\\\n&\\qquad{sign}".join(lines)


def _grouped(
    expr: ex.Expr, needs_parentheses: Callable[[ex.Expr], bool] = numbers.needs_factor_parentheses
) -> str:
    return _parentheses(formula(expr)) if needs_parentheses(expr) else formula(expr)


def _parentheses(inner: str) -> str:
    return rf"\left({inner}\right)"


BREAK_INTERVAL: Final = 20
"""The number of characters of a word after which a line may break."""

ESCAPES: Final = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "^": r"\textasciicircum{}", "_": r"\_", "~": r"\textasciitilde{}", "%": r"\%",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}", '"': r"\textquotedbl{}", "[": "{[}", "]": "{]}", "*": "{*}",
    "‘": r"\textquoteleft{}", "’": r"\textquoteright{}",
    "“": r"\textquotedblleft{}", "”": r"\textquotedblright{}",
    "–": r"\textendash{}", "—": r"\textemdash{}", "…": r"\ldots{}",
    "⟨": r"$\langle$", "⟩": r"$\rangle$", "−": "$-$", "·": r"$\cdot$", "×": r"$\times$",
    "∞": r"$\infty$", "√": r"$\surd$", "≈": r"$\approx$",
    **{index: f"$_{digit}$" for digit, index in enumerate("₀₁₂₃₄₅₆₇₈₉")},
    **{power: f"$^{base}$" for power, base in zip("⁰¹²³⁴⁵⁶⁷⁸⁹ⁿⁱᵏ", "0123456789nik", strict=True)},
    "⁻": "$^-$", "′": "$'$",
    **{letter: f"${command}$" for letter, command in GREEK.items()},
}  # fmt: skip
"""The LaTeX source of each character that LaTeX would interpret or some engine cannot print."""

PRINTABLE_LATIN: Final = frozenset(
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿ¡¿«»£§"
    "ĂăĄąĆćČčĎďĐđĘęĚěĞğİıĹĺĽľŁłŃńŇňŊŋŐőŒœŔŕŘřŚśŞşŠšŢţŤťŮůŰűŸŹźŻżŽž"
)
"""The characters outside ASCII that pdflatex, xelatex and lualatex print unescaped."""

_JOINERS: Final = "\u200c\u200d"
_LIGATURE: Final = re.compile(r"([-,])(?=[-,])")
_SPACES: Final = re.compile(r" {2,}")


def escape(text: str) -> str:
    """Escape text so that every character prints and none is a command; long words may break.

    >>> escape("50% of_a"), escape("é 猫 \\x00")
    ('50\\\\% of\\\\_a', 'é \\\\uni{732B} \\\\code{0000}')
    """
    return " ".join(map(_escape_word, _SPACES.sub(" ", text).split(" ")))


def _escape_word(word: str) -> str:
    starts = range(0, len(word), BREAK_INTERVAL)
    pieces = ("".join(map(_escape_character, word[i : i + BREAK_INTERVAL])) for i in starts)
    return "\\allowbreak%\n".join(_LIGATURE.sub(r"\1\\/", piece) for piece in pieces)


def _escape_character(character: str) -> str:
    if character in ESCAPES:
        return ESCAPES[character]
    if character in PRINTABLE_LATIN or " " < character <= "~":
        return character
    hidden = unicodedata.category(character)[0] in "CZ" and character not in _JOINERS
    return rf"\{'code' if hidden else 'uni'}{{{ord(character):04X}}}"


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
    score_100, score_1 = map(escape, numbers.both_scales(summary.value))
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

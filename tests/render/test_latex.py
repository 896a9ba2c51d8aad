"""LaTeX: it compiles where an engine is installed, and everywhere a small checker reads it."""

import re
import shutil
import subprocess

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bleu import CONVENTIONS, EXAMPLES, derive, explain
from bleu.document.expressions import Add, Div, Equation, Mul, Num, Pow, Sym
from bleu.explanation.exercises import worksheet
from bleu.explanation.phrases import MAX_TOKEN_CHARACTERS, token_text
from bleu.learn.generation import exercises
from bleu.render import latex
from bleu.render.latex import PREAMBLE, render
from bleu.render.latex_math import equation, formula
from bleu.render.latex_text import ESCAPES, PRINTABLE_LATIN, escape
from tests.support.strategies import HOSTILE, hostile_segments, segments, settings

ALLOWED = {
    *("section*", "subsection*", "begin", "end", "item", "caption", "caption*", "hline"),
    *("endfirsthead", "endhead", "raggedright", "arraybackslash", "linewidth", "\\", "[", "]"),
    *("textbf", "emph", "credited", "clipped", "unmatched", "chosen", "ratio"),
    *("frac", "sqrt", "left", "right", "exp", "ln", "max", "sum", "prod", "cdot", "approx"),
    *(
        "infty",
        "surd",
        "blank",
        "choice",
        "mathrm",
        "qquad",
        "alpha",
        "delta",
        "varepsilon",
        "pi",
        "langle",
        "rangle",
    ),
    *("times", "code", "uni", "allowbreak", "/", "ldots", "{", "}", "$", "&", "#", "_", "%"),
    *(f"text{name}" for name in ("backslash", "asciicircum", "asciitilde", "less", "greater")),
    *(f"text{name}" for name in ("bar", "asciigrave", "quotesingle", "quotedbl", "endash")),
    *(f"text{name}" for name in ("emdash", "quoteleft", "quoteright", "quotedblleft")),
    "textquotedblright",
}
"""Every command that the body may hold; none of them reads, writes or defines anything."""

ENVIRONMENTS = {"itemize", "quote", "longtable", "align*", "gathered"}
MATHS = {"$", "\\[", "align*", "gathered"}
TOKEN = re.compile(r"\\(?P<name>[A-Za-z]+\*?|.)|(?P<blank>\n\s*\n)|(?P<other>.|\n)", re.DOTALL)
ENGINES = ("pdflatex", "xelatex", "lualatex", "tectonic")


class Checker:
    """Reads a body of LaTeX as TeX would, and complains where it is not well-formed."""

    def __init__(self, body):
        self.body, self.place = body, 0
        self.open = []
        self.superscript = []

    def fail(self, why):
        raise AssertionError(f"{why} near {self.body[max(0, self.place - 60) : self.place + 20]!r}")

    def close(self, kind):
        if not self.open or self.open.pop() != kind:
            self.fail(f"{kind} closes what is not open")

    def check(self):
        for token in TOKEN.finditer(self.body):
            self.place = token.start()
            if token["name"] is not None:
                self.command(token["name"], token.end())
            elif token["blank"]:
                if set(self.open) & ({"{"} | MATHS):
                    self.fail("a paragraph ends inside a group")
            else:
                self.character(token["other"], token.end())
        if self.open:
            self.fail(f"{self.open} is not closed")

    def command(self, name, end):
        if name not in ALLOWED:
            self.fail(f"\\{name} is not a command that is written")
        if name in {"begin", "end"}:
            match = re.compile(r"\{([a-z*]+)\}").match(self.body, end)
            if not match or match[1] not in ENVIRONMENTS:
                self.fail("an unknown environment")
            if name == "begin":
                self.open.append(match[1])
            else:
                self.close(match[1])
        elif name == "[":
            self.open.append("\\[")
        elif name == "]":
            self.close("\\[")
        elif name == "left":
            self.open.append("left")
        elif name == "right":
            self.close("left")

    def character(self, character, end):
        maths = bool(set(self.open) & MATHS)
        if character == "{":
            self.superscript.append(self.body[self.place - 1 : self.place] == "^")
            self.open.append("{")
        elif character == "}":
            self.close("{")
            if self.superscript.pop() and self.body[end : end + 1] == "^":
                self.fail("a double superscript")
        elif character == "$":
            if self.open and self.open[-1] == "$":
                self.open.pop()
            elif maths:
                self.fail("$ within a display")
            else:
                self.open.append("$")
        elif character == "&":
            if not self.open or self.open[-1] not in {"longtable", "align*"}:
                self.fail("& outside a table")
        elif character in "^_":
            if not maths:
                self.fail(f"{character} outside a formula")
        elif character == "%":
            if self.body[end : end + 1] != "\n":
                self.fail("a comment")
        elif character in "#~" or not (
            " " <= character <= "~" or character in PRINTABLE_LATIN | {"\n"}
        ):
            self.fail(f"{character!r} as it is")


def body_of(source):
    """The body of a LaTeX file whose preamble is the one that is always written."""
    begin, end = "\\begin{document}\n", "\\end{document}\n"
    assert source.startswith(PREAMBLE + begin)
    assert source.endswith(end)
    return source.removeprefix(PREAMBLE + begin).removesuffix(end)


def check(source):
    body = body_of(source)
    Checker(body).check()
    assert max(map(len, body.splitlines())) < 2000  # engines read lines of limited length
    for table in tables(body):
        assert len({len(row) for row in table}) == 1


def tables(body):
    """The cells of every table, its header first, as they are written."""
    flat = re.sub(r"\s+", " ", body.replace("\\allowbreak%\n", ""))
    for table in re.findall(r"\\begin\{longtable\}(.*?)\\end\{longtable\}", flat):
        _, *lines = table.replace("\\hline ", "").replace("\\endfirsthead ", "").split(" \\\\ ")
        assert lines[0] == lines[1]
        assert lines[-1] == ""
        head, *rows = lines[1:-1]
        cells = (re.split(r"(?<!\\)&", row.removeprefix("\\endhead")) for row in (head, *rows))
        yield [[cell.strip() for cell in row] for row in cells]


PLAIN = {source: character for character, source in ESCAPES.items()} | {
    "\\allowbreak%\n": "",
    "\\/": "",
}
PIECES = re.compile(
    "|".join(map(re.escape, sorted(PLAIN, key=len, reverse=True)))
    + r"|\\(?:uni|code)\{([0-9A-F]+)\}"
)


def unescape(latex):
    """The text that `escape` was given."""
    return PIECES.sub(lambda m: chr(int(m[1], 16)) if m[1] else PLAIN[m[0]], latex)


@given(hostile_segments, settings())
@example((list(HOSTILE), [list(HOSTILE)]), {"max_order": 3})
@example((" ".join(HOSTILE).split(), [[""]]), {"max_order": 3})
def test_the_readers_text_is_never_a_command(segment, choices):
    check(render(explain(derive(*segment, **choices))))


@given(st.text())
@example("".join(map(chr, range(0x250))))
@example("".join(ESCAPES))
@example("x" * 100 + "--" * 20)
def test_text_is_escaped_and_comes_back(text):
    Checker(escape(text)).check()
    assert unescape(escape(text)) == re.sub(" +", " ", text)


def test_hyphens_stay_apart_and_a_joiner_has_no_box():
    assert escape("a--b,,") == r"a-\/-b,\/,"
    assert escape("\u200d\u200b") == r"\uni{200D}\code{200B}"


@given(segments, settings())
def test_every_token_is_printed(segment, choices):
    derivation = derive(*segment, **choices)
    body = render(explain(derivation))
    for tokens in (derivation.hypothesis, *derivation.references):
        if tokens:
            listed = " \\textbar{}\n".join(escape(token_text(token)) for token in tokens)
            assert re.sub(r"\s+", " ", listed) in re.sub(r"\s+", " ", body)


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_every_convention_is_well_formed(convention):
    for hypothesis in ("the cat is on mat ok", "a b c d e f g h a", "a", ""):
        references = ["the cat is a b c on the mat"]
        try:
            derivation = derive(hypothesis, references, convention=convention)
        except ValueError:
            continue
        check(render(explain(derivation)))


@pytest.mark.parametrize("solutions", [False, True])
def test_worksheets_are_well_formed(solutions):
    for by_hand in (True, False):
        chosen = exercises("latex", count=21, by_hand=by_hand)
        check(latex.worksheet(worksheet(chosen, solutions=solutions, name_line=True)))


def test_a_very_long_token_is_cut_and_says_so():
    assert escape(token_text("x" * MAX_TOKEN_CHARACTERS)) == escape("x" * MAX_TOKEN_CHARACTERS)
    assert escape(token_text("x" * 100_000)).endswith(escape("⟨99,500 more characters⟩"))
    source = render(explain(derive(["{" * 100_000, "猫" * 100_000], [["}"]], max_order=2)))
    check(source)
    assert len(source) < 200_000


def test_what_is_long_stays_well_formed():
    words = [f"w{n % 3000}\\" for n in range(10_000)]
    check(render(explain(derive(words, [words[:9000]] * 3))))
    wide = render(explain(derive("a b", ["a"] * 300, reference_length="average")))
    check(wide)
    assert all(len(table[0]) <= 7 for table in tables(body_of(wide)))
    assert r"\begin{gathered}" in wide


def test_a_token_is_marked_by_more_than_its_look():
    source = render(explain(derive("the the cat dog", ["the cat"], max_order=1)))
    tokens = re.search(r"token by token\}\s+(.*?)\n\n", source, re.DOTALL)
    assert tokens
    assert tokens[1].split() == [
        *(r"\credited{the}", r"\textbar{}", r"\clipped{the}", r"\textbar{}"),
        *(r"\credited{cat}", r"\textbar{}", r"\unmatched{dog}"),
    ]
    legend = r"\credited{credited}, \clipped{clipped}, \unmatched{no match}"
    assert legend in source.replace("\n", " ")
    for kind in ("credited", "clipped", "unmatched"):
        assert re.search(rf"newcommand\{{\\{kind}\}}\[1\]\{{.*\$\^\{{.+\}}\$\}}", PREAMBLE)


@pytest.mark.parametrize(
    ("expr", "written"),
    [
        (Pow(Sym("p", index="1", prime=True), Num(2)), "p_{1}'^{2}"),
        (Pow(Num(1.5e-9), Num(2)), r"\left(1.5 \cdot 10^{-9}\right)^{2}"),
        (Mul((Num(-1), Add((Num(1), Num(-2))))), r"\left(-1\right) \cdot "
         r"\left(1 + \left(-2\right)\right)"),
        (Div(Sym("ε", 0.1), Sym("matched", 3, "12")),
         r"\frac{\varepsilon}{\mathrm{matched}_{\mathrm{12}}}"),
        (Num(float("-inf")), r"-\infty"),
    ],
)  # fmt: skip
def test_formulas(expr, written):
    assert formula(expr) == written


def test_a_long_equation_stands_in_lines():
    left = Sym("r", 20)
    shown = equation(Equation(left, Add(tuple(Num(2) for _ in range(20)))))
    assert shown.startswith("\\begin{align*}\nr &= 2 + 2 + 2 + 2 \\\\\n&\\qquad + 2 + 2")
    Checker(shown).check()


@pytest.mark.parametrize(
    "wrong",
    [
        "{", "}", "a_b", "a^b", "#", "~", "50% of", "$x", "\\input{x}", "\\begin{quote}",
        "\\begin{verbatim}\\end{verbatim}", "a & b", "猫", "\x00", "\\textbf{a\n\nb}",
        "$x^{2}^{3}$", "\\[ \\left( \\]", "\\[ $x$ \\]", "\\end{quote}\\begin{quote}",
    ],
)  # fmt: skip
def test_the_checker_sees_what_is_wrong(wrong):
    with pytest.raises(AssertionError):
        Checker(wrong).check()


def documents():
    """One document for every way in which a file could fail to compile."""
    words = " ".join(HOSTILE)
    for example_ in EXAMPLES.values():
        yield derive(example_.hypothesis, example_.references, **example_.settings)
    yield derive(words, [words, "猫"], max_order=9, smoothing="floor")
    yield derive([*HOSTILE, "[", "*", "-", "{" * 9999, "a  \n\n b", ""], [["[", "*", "x"]])
    alphabet = (
        *map(chr, range(1, 0x250)),
        *PRINTABLE_LATIN,
        *ESCAPES,
        "\uffff",
        "\U0010ffff",
        "\ue000",
    )
    yield derive("".join(alphabet), ["".join(alphabet[::-1])], max_order=1)
    yield derive("a b", ["a"] * 300, reference_length="average")
    for convention in ("nltk-method0", "nltk-method5", "nltk-method6", "coco-caption"):
        yield derive("a b c d e f g h a", ["the cat is a b c on the mat"], convention=convention)


@pytest.mark.host
@pytest.mark.parametrize("engine", ENGINES)
def test_it_compiles(engine, tmp_path):
    if not shutil.which(engine):
        pytest.skip(f"{engine} is not installed")
    bodies = [body_of(render(explain(one))) for one in documents()]
    begin, end = "\\begin{document}\n", "\\end{document}\n"
    whole = PREAMBLE + begin + "\n\\clearpage\n".join(bodies) + end
    (tmp_path / "all.tex").write_text(whole, encoding="utf-8")
    options = [] if engine == "tectonic" else ["-halt-on-error", "-interaction=nonstopmode"]
    for _ in range(1 if engine == "tectonic" else 2):  # the second reads what the first measured
        done = subprocess.run(
            [engine, *options, "all.tex"], cwd=tmp_path, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stdout.decode(errors="replace")[-3000:]
    assert (tmp_path / "all.pdf").stat().st_size > 10_000

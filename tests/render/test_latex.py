"""LaTeX output: a small checker reads it, and every installed engine compiles it."""

import re
import shutil
import subprocess

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bleu import CONVENTIONS, EXAMPLES, derive, explain
from bleu.explanation.exercises import worksheet
from bleu.explanation.phrases import MAX_TOKEN_CHARACTERS, token_text
from bleu.learn.generation import exercises
from bleu.metric.expressions import Add, Div, Equation, Mul, Num, Pow, Sym
from bleu.render import latex
from bleu.render.latex import ESCAPES, PREAMBLE, PRINTABLE_LATIN, equation, escape, formula, render
from tests.support.case_selection import fast_and_slow
from tests.support.strategies import HOSTILE, hostile_segments, segments, settings

ALLOWED_COMMANDS = {
    *("section*", "subsection*", "begin", "end", "item", "caption", "caption*", "hline"),
    *("endfirsthead", "endhead", "raggedright", "arraybackslash", "linewidth", "\\", "[", "]"),
    *("textbf", "emph", "credited", "clipped", "unmatched", "chosen", "ratio"),
    *("frac", "sqrt", "left", "right", "exp", "ln", "max", "sum", "prod", "cdot", "approx"),
    *(
        "infty",
        "surd",
        "blank",
        "blankline",
        "choice",
        "longchoice",
        "filbreak",
        "vspace",
        "par",
        "nopagebreak",
        "mathrm",
        "qquad",
        "langle",
        "rangle",
    ),
    *("alpha", "delta", "varepsilon", "pi"),
    *("times", "code", "uni", "allowbreak", "/", "ldots", "{", "}", "$", "&", "#", "_", "%"),
    *(f"text{name}" for name in ("backslash", "asciicircum", "asciitilde", "less", "greater")),
    *(f"text{name}" for name in ("bar", "asciigrave", "quotesingle", "quotedbl", "endash")),
    *(f"text{name}" for name in ("emdash", "quoteleft", "quoteright", "quotedblleft")),
    "textquotedblright",
}
"""The commands allowed in the body; none of them reads, writes or defines anything."""

ENVIRONMENTS = {"itemize", "quote", "longtable", "tabular", "align*", "gathered"}
MATH_GROUPS = {"$", "\\[", "align*", "gathered"}
TOKEN = re.compile(r"\\(?P<name>[A-Za-z]+\*?|.)|(?P<blank>\n\s*\n)|(?P<other>.|\n)", re.DOTALL)
ENGINES = ("pdflatex", "xelatex", "lualatex", "tectonic")


class Checker:
    """A reader of LaTeX that raises AssertionError if the source is not well-formed."""

    def __init__(self, body):
        self.body, self.position = body, 0
        self.open = []
        self.is_superscript = []

    def fail(self, reason):
        context = self.body[max(0, self.position - 60) : self.position + 20]
        raise AssertionError(f"{reason} near {context!r}")

    def close(self, kind):
        if not self.open or self.open.pop() != kind:
            self.fail(f"{kind} is closed but not open")

    def check(self):
        for token in TOKEN.finditer(self.body):
            self.position = token.start()
            if token["name"] is not None:
                self.command(token["name"], token.end())
            elif token["blank"]:
                if set(self.open) & ({"{"} | MATH_GROUPS):
                    self.fail("a paragraph ends inside a group")
            else:
                self.character(token["other"], token.end())
        if self.open:
            self.fail(f"{self.open} is not closed")

    def command(self, name, end):
        if name not in ALLOWED_COMMANDS:
            self.fail(f"\\{name} is not allowed")
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
        in_math = bool(set(self.open) & MATH_GROUPS)
        if character == "{":
            self.is_superscript.append(self.body[self.position - 1 : self.position] == "^")
            self.open.append("{")
        elif character == "}":
            self.close("{")
            if self.is_superscript.pop() and self.body[end : end + 1] == "^":
                self.fail("a double superscript")
        elif character == "$":
            if self.open and self.open[-1] == "$":
                self.open.pop()
            elif in_math:
                self.fail("$ within a display")
            else:
                self.open.append("$")
        elif character == "&":
            if not self.open or self.open[-1] not in {"longtable", "tabular", "align*"}:
                self.fail("& outside a table")
        elif character in "^_":
            if not in_math:
                self.fail(f"{character} outside a formula")
        elif character == "%":
            if self.body[end : end + 1] != "\n":
                self.fail("a comment")
        elif character in "#~" or not (
            " " <= character <= "~" or character in PRINTABLE_LATIN | {"\n"}
        ):
            self.fail(f"{character!r} is not escaped")


def body_of(source):
    """Return the body of a LaTeX file after checking its preamble."""
    begin, end = "\\begin{document}\n", "\\end{document}\n"
    assert source.startswith(PREAMBLE + begin)
    assert source.endswith(end)
    return source.removeprefix(PREAMBLE + begin).removesuffix(end)


def check_latex(source):
    """Assert that a LaTeX file is well-formed and that its tables are rectangular."""
    body = body_of(source)
    Checker(body).check()
    assert max(map(len, body.splitlines())) < 2000  # Engines limit the length of lines.
    for table in tables(body):
        assert len({len(row) for row in table}) == 1


def tables(body):
    """Yield the cells of every table that can be split, header first, as LaTeX source."""
    flat = re.sub(r"\s+", " ", body.replace("\\allowbreak%\n", ""))
    for table in re.findall(r"\\begin\{longtable\}(.*?)\\end\{longtable\}", flat):
        _, *lines = table.replace("\\hline ", "").replace("\\endfirsthead ", "").split(" \\\\ ")
        assert lines[0] == lines[1]
        assert lines[-1] == ""
        head, *rows = lines[1:-1]
        cells = (re.split(r"(?<!\\)&", row.removeprefix("\\endhead")) for row in (head, *rows))
        yield [[cell.strip() for cell in row] for row in cells]


UNESCAPED = {source: character for character, source in ESCAPES.items()} | {
    "\\allowbreak%\n": "",
    "\\/": "",
}
ESCAPE = re.compile(
    "|".join(map(re.escape, sorted(UNESCAPED, key=len, reverse=True)))
    + r"|\\(?:uni|code)\{([0-9A-F]+)\}"
)


def unescape(latex):
    """Return the argument of `escape` from its result."""
    return ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else UNESCAPED[m[0]], latex)


@given(hostile_segments, settings())
@example((list(HOSTILE), [list(HOSTILE)]), {"max_order": 3})
@example((" ".join(HOSTILE).split(), [[""]]), {"max_order": 3})
def test_input_text_is_never_a_command(segment, choices):
    check_latex(render(explain(derive(*segment, **choices))))


@given(st.text())
@example("".join(map(chr, range(0x250))))
@example("".join(ESCAPES))
@example("x" * 100 + "--" * 20)
def test_escaped_text_is_well_formed_and_can_be_unescaped(text):
    Checker(escape(text)).check()
    assert unescape(escape(text)) == re.sub(" +", " ", text)


def test_superscripts_and_primes_are_mathematics():
    assert escape("1/2ⁿ · 2ᵏ · 10⁻¹² p′") == "1/2$^n$ $\\cdot$ 2$^k$ $\\cdot$ 10$^-$$^1$$^2$ p$'$"


def test_hyphens_form_no_ligatures_and_joiners_are_kept():
    assert escape("a--b,,") == r"a-\/-b,\/,"
    assert escape("\u200d\u200b") == r"\uni{200D}\code{200B}"


@given(segments, settings())
def test_all_tokens_are_printed(segment, choices):
    derivation = derive(*segment, **choices)
    body = render(explain(derivation))
    for tokens in (derivation.hypothesis, *derivation.references):
        if tokens:
            expected = " \\textbar{}\n".join(escape(token_text(token)) for token in tokens)
            assert re.sub(r"\s+", " ", expected) in re.sub(r"\s+", " ", body)


@pytest.mark.parametrize("convention", fast_and_slow(12, CONVENTIONS))
def test_derivations_of_every_convention_are_well_formed(convention):
    for hypothesis in ("the cat is on mat ok", "a b c d e f g h a", "a", ""):
        references = ["the cat is a b c on the mat"]
        try:
            derivation = derive(hypothesis, references, convention=convention)
        except ValueError:
            continue
        check_latex(render(explain(derivation)))


@pytest.mark.parametrize("solutions", [False, True])
def test_worksheets_are_well_formed(solutions):
    for by_hand in (True, False):
        items = exercises("latex", count=21, by_hand=by_hand)
        check_latex(latex.worksheet(worksheet(items, solutions=solutions, name_line=True)))


def test_exercises_stand_on_one_page_and_long_choices_in_lines_of_their_own():
    items = exercises("latex", ("whole", "trust"), count=4)
    source = latex.worksheet(worksheet(items, name_line=True)).partition(r"\begin{document}")[2]
    # A first exercise that moved to the next page would leave this one nearly empty.
    assert source.count(r"\filbreak\subsection*") == source.count(r"\subsection*") - 1 == 3
    assert r"\filbreak" not in latex.worksheet(worksheet(items, solutions=True))
    assert r"\begin{tabular}" in source
    assert "longtable" not in source
    claims = [item for item in items if item.kind == "claim"]
    options = sum(len(item.fields[0].options) for item in claims)
    assert source.count(r"\longchoice{") == options
    assert len(re.findall(r"\\\n\\longchoice", source)) == options - len(claims)


def test_column_of_quotations_has_lines_and_that_of_names_has_not():
    source = latex.render(explain(derive("the cat", ["the dog"], max_order=1)))
    formats = re.findall(r"begin\{longtable\}\{(.*)\}", source)
    assert [len(column) > 10 for column in formats].count(True) == 1
    assert all(column.startswith(("l", ">")) for column in formats)


def test_very_long_token_is_abbreviated():
    assert escape(token_text("x" * MAX_TOKEN_CHARACTERS)) == escape("x" * MAX_TOKEN_CHARACTERS)
    assert escape(token_text("x" * 100_000)).endswith(escape("⟨99,500 more characters⟩"))
    source = render(explain(derive(["{" * 100_000, "猫" * 100_000], [["}"]], max_order=2)))
    check_latex(source)
    assert len(source) < 200_000


def test_long_texts_and_many_references_are_well_formed():
    tokens = [f"w{n % 3000}\\" for n in range(10_000)]
    check_latex(render(explain(derive(tokens, [tokens[:9000]] * 3))))
    source = render(explain(derive("a b", ["a"] * 300, reference_length="average")))
    check_latex(source)
    assert all(len(table[0]) <= 7 for table in tables(body_of(source)))
    assert r"\begin{gathered}" in source
    captions = re.findall(r"\\caption(\*?)\{1-grams.*?candidate(.*?)\}", source)
    assert captions == [("", ""), *[("*", ", continued")] * (len(captions) - 1)]
    assert len(captions) == 51


def test_bars_of_precisions_above_1_are_not_longer_than_6em():
    derivation = derive("a b c d e f", ["a b c d e f"], smoothing="average-last")
    assert derivation.score.precisions[0] > 1
    lengths = re.findall(r"\\ratio\{(.*?)\}", body_of(render(explain(derivation))))
    assert lengths
    assert max(map(float, lengths)) == 6


def test_tokens_are_marked_with_symbols():
    source = render(explain(derive("the the cat dog", ["the cat"], max_order=1)))
    tokens = re.search(r"token by token\}\s+(.*?)\n\n", source, re.DOTALL)
    assert tokens
    assert tokens[1].split() == [
        *(r"\clipped{the}", r"\textbar{}", r"\credited{the}", r"\textbar{}"),
        *(r"\credited{cat}", r"\textbar{}", r"\unmatched{dog}"),
    ]
    legend = r"\credited{credited}, \clipped{cut off}, \unmatched{no match}"
    assert legend in source.replace("\n", " ")
    for kind in ("credited", "clipped", "unmatched"):
        assert re.search(rf"newcommand\{{\\{kind}\}}\[1\]\{{.*\$\^\{{.+\}}\$\}}", PREAMBLE)


@pytest.mark.parametrize(
    ("expr", "source"),
    [
        (Pow(Sym("p", index="1", is_primed=True), Num(2)), "p_{1}'^{2}"),
        (Pow(Num(1.5e-9), Num(2)), r"\left(1.5 \cdot 10^{-9}\right)^{2}"),
        (Mul((Num(-1), Add((Num(1), Num(-2))))), r"\left(-1\right) \cdot "
         r"\left(1 + \left(-2\right)\right)"),
        (Div(Sym("ε", 0.1), Sym("matched", 3, "12")),
         r"\frac{\varepsilon}{\mathrm{matched}_{\mathrm{12}}}"),
        (Num(float("-inf")), r"-\infty"),
    ],
)  # fmt: skip
def test_formula_in_latex(expr, source):
    assert formula(expr) == source


def test_long_equation_is_split_into_lines():
    source = equation(Equation(Sym("r", 40), Add((Num(2),) * 20)))
    assert source.startswith("\\begin{align*}\nr &= 2 + 2 + 2 + 2 \\\\\n&\\qquad + 2 + 2")
    Checker(source).check()


@pytest.mark.parametrize(
    "source",
    [
        "{", "}", "a_b", "a^b", "#", "~", "50% of", "$x", "\\input{x}", "\\begin{quote}",
        "\\begin{verbatim}\\end{verbatim}", "a & b", "猫", "\x00", "\\textbf{a\n\nb}",
        "$x^{2}^{3}$", "\\[ \\left( \\]", "\\[ $x$ \\]", "\\end{quote}\\begin{quote}",
    ],
)  # fmt: skip
def test_checker_rejects_malformed_source(source):
    with pytest.raises(AssertionError):
        Checker(source).check()


def hostile_derivations():
    """Yield derivations whose documents are hard to compile."""
    text = " ".join(HOSTILE)
    for worked in EXAMPLES.values():
        yield derive(worked.hypothesis, worked.references, **worked.settings)
    yield derive(text, [text, "猫"], max_order=9, smoothing="floor")
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


def compile_latex(engine, source, folder):
    """Compile a file once, and return the exit code and the output of the engine."""
    (folder / "all.tex").write_text(source, encoding="utf-8")
    options = [] if engine == "tectonic" else ["-halt-on-error", "-interaction=nonstopmode"]
    command = [engine, *options, "all.tex"]
    result = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    return result.returncode, result.stdout.decode(errors="replace")


def skip_unless_usable(engine):
    """Skip the test if the engine is not installed or cannot load fonts."""
    if not shutil.which(engine):
        pytest.skip(f"{engine} is not installed")
    if engine == "lualatex" and shutil.which("kpsewhich"):
        # Debian's texlive-latex-base has lualatex, but not the font loader that it needs.
        command = ["kpsewhich", "-progname=lualatex", "luaotfload-main.lua"]
        if subprocess.run(command, capture_output=True, check=False).returncode != 0:
            pytest.skip("lualatex cannot load luaotfload; install texlive-luatex")


@pytest.mark.host
@pytest.mark.parametrize("engine", ENGINES)
def test_documents_compile(engine, tmp_path):
    skip_unless_usable(engine)
    bodies = [body_of(render(explain(derivation))) for derivation in hostile_derivations()]
    begin, end = "\\begin{document}\n", "\\end{document}\n"
    source = PREAMBLE + begin + "\n\\clearpage\n".join(bodies) + end
    # The second run of TeX reads the column widths that the first one wrote.
    for _ in range(1 if engine == "tectonic" else 2):
        exit_code, output = compile_latex(engine, source, tmp_path)
        assert exit_code == 0, output[-3000:]
    assert (tmp_path / "all.pdf").stat().st_size > 10_000

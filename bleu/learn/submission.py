"""A learner's code: found in a file, and called in the ways in which people call BLEU.

The command line runs this module as a script, in a process that gets arguments and no right score;
the page runs it in slices. It imports nothing of the project.
"""

import __future__

import ast
import inspect
import io
import json
import math
import re
import sys
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from decimal import localcontext
from itertools import product
from time import perf_counter
from traceback import walk_tb
from types import ModuleType
from typing import Any, Final, NamedTuple

MODULE: Final = "submission"
"""The module name under which a submission runs."""
MAX_STEPS: Final = 100_000
"""Loop passes and function calls in one call, or one statement of a file, before it is stopped."""
CAUGHT_STEPS: Final = 20
"""The steps that an error counts for that is caught."""
MAX_NUMBERS: Final = 8
"""The numbers that are taken from one result."""
SUFFIXES: Final = (".py", ".ipynb")
MAX_FILES: Final = 500
"""The submissions that are read from one archive."""
MAX_BYTES: Final = 2_000_000
"""The size of a file up to which it is read."""
MAX_OUTPUT_CHARACTERS: Final = 2000
"""The length up to which printed text is kept."""
MAX_MEMORY_BYTES: Final = 4 << 30
"""The address space of the process that runs a submission; NumPy alone reserves one or two GB."""
MAX_ERROR_CHARACTERS: Final = 300
"""The length up to which the message of an error is shown."""
LIBRARIES: Final = ("nltk", "sacrebleu", "bleu")
"""The libraries with a BLEU of their own, whose import is reported."""
TRIED_FIRST: Final = 8
"""The cases after which a style without a number is given up."""

ENDLESS: Final = "it took more than"
"""How the error of code without an end begins."""
_PLACE: Final = "line"
"""How the names begin under which the code is compiled."""
_NO_TEXT: Final = "^(?!.*(?:file|path|dict|len|count|gram))"
_REFERENCES: Final = re.compile(f"{_NO_TEXT}.*(?:ref|target|gold|truth)")
_CANDIDATES: Final = re.compile(f"{_NO_TEXT}.*(?:cand|hyp|pred|sys|trans|output)")
_SCORES: Final = re.compile("bleu|score|value|result")
_METHODS: Final = re.compile("bleu|score|compute|calc|eval|call")
_CLAIM_WORDS: Final = (
    "bleu|scorer?|value|metric|function|func|sentence|sent|segment|corpus|level|system|document|"
    "dataset|overall|total|final|full|whole|compute|calculate|calc|get|evaluate|eval|call|my|the|of|"
    "on|for"
)
_MAGIC: Final = re.compile(r"^(\s*)(?:[\w, ]+=\s*)?[%!?].*$|^(\s*)[\w.]+\?+$", re.MULTILINE)

Outcome = list[float] | str
"""The numbers of one call, the likely score first, or why there are none."""


class Style(NamedTuple):
    """A way to call a function; `references` is "one", "list" or "streams" (one per reference)."""

    is_corpus: bool
    references_first: bool
    takes_tokens: bool
    references: str


class Texts(NamedTuple):
    """The arguments of a case as `texts` and as `tokens`: hypotheses, and references of each."""

    texts: tuple[list[str], list[list[str]]]
    tokens: tuple[list[list[str]], list[list[list[str]]]]


class EndlessError(BaseException):
    """Code took too many steps; no `except Exception` of a submission catches it."""


class _Steps(ast.NodeTransformer):
    """Counts the passes of loops, the calls of functions and the errors that are caught."""

    def __init__(self, limit: int = MAX_STEPS) -> None:
        self.limit, self.taken = limit, 0

    def step(self, cost: int = 1) -> bool:
        self.taken += cost
        if self.taken > self.limit:
            raise EndlessError(f"{ENDLESS} {self.limit:,} steps: does a loop never end?")
        return True

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        cost: list[ast.expr] = []
        if isinstance(node, ast.ExceptHandler):
            # CPython takes the longer for an error the more errors were caught before it.
            cost.append(ast.Constant(CAUGHT_STEPS))
        call = ast.Call(ast.Name("__step__", ast.Load()), cost, [])
        if isinstance(node, ast.comprehension):
            node.ifs.insert(0, call)
        elif isinstance(node, ast.Lambda):
            node.body = ast.IfExp(call, node.body, ast.Constant(None))
        elif isinstance(node, (ast.For, ast.While, ast.FunctionDef, ast.ExceptHandler)):
            has_docstring = isinstance(node, ast.FunctionDef) and ast.get_docstring(node)
            node.body.insert(1 if has_docstring else 0, ast.Expr(call))
        if isinstance(node, ast.Try) and node.finalbody:
            node.finalbody.insert(0, ast.Expr(call))
        return ast.fix_missing_locations(node)


def read_cells(data: bytes, *, is_notebook: bool) -> list[str]:
    """Return the code of a file, or of each cell of a notebook, without magics.

    Raises ValueError if a notebook is none.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    sources = [text]
    if is_notebook:
        try:
            cells = json.loads(text)["cells"]
            sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        except (ValueError, KeyError, TypeError):
            raise ValueError("this is no notebook; save it again as .ipynb") from None
    return [_without_magics(source) for source in sources]


def _without_magics(source: str) -> str:
    """Return code with magics replaced by `pass`, unless it is Python as it is.

    >>> _without_magics("!pip install x"), _without_magics("(5\\n% 3)"), _without_magics("%%bash")
    ('pass', '(5\\n% 3)', '')
    """
    with suppress(SyntaxError, ValueError):
        ast.parse(source)
        return source
    source = re.sub(r"\A\s*%%(?:time|timeit|capture)\b.*", "pass", source)
    if source.lstrip().startswith("%%"):
        return ""
    return _MAGIC.sub(lambda found: f"{found[1] or found[2] or ''}pass", source)


def is_submission(path: str) -> bool:
    """Return whether a path in a folder or archive is that of Python code or of a notebook.

    >>> [is_submission(path) for path in ("Ann_1/bleu.py", "__MACOSX/._bleu.py", "bleu.pdf")]
    [True, False, False]
    """
    *_, name = parts = path.split("/")
    return name.endswith(SUFFIXES) and not any(part.startswith((".", "__")) for part in parts)


def unpacked(data: bytes) -> dict[str, bytes]:
    """Return the submissions in a ZIP archive by name, such as one of Moodle's downloads.

    Raises ValueError if it is no ZIP archive.
    """
    from zipfile import BadZipFile, ZipFile

    try:
        with ZipFile(io.BytesIO(data)) as archive:
            found = [
                each
                for each in archive.infolist()
                if is_submission(each.filename) and each.file_size <= MAX_BYTES
            ]
            return {each.filename: archive.read(each) for each in found[:MAX_FILES]}
    except (BadZipFile, EOFError, NotImplementedError, RuntimeError) as error:
        raise ValueError(f"this ZIP file is broken ({error}); unpack it first") from None


class _Output(io.StringIO):
    """The beginning of what code prints."""

    def write(self, text: str) -> int:
        return super().write(text[: max(0, MAX_OUTPUT_CHARACTERS - self.tell())])


class Submission:
    """The names that a learner's code defines; a statement that fails is left out.

    `errors` are those of its statements, `output` is what was printed. `builtins` replaces Python's
    own, to keep code from more than the standard library.
    """

    def __init__(self, cells: Sequence[str], file: str = "", builtins: Any = None) -> None:
        self.steps = _Steps()
        self.errors: list[BaseException] = []
        self.output = _Output()
        module = ModuleType(MODULE)
        sys.modules[MODULE] = module  # Data classes look their module up.
        self.names = module.__dict__
        self.names.update(
            __file__=file,
            __step__=self.steps.step,
            display=print,
            **({"__builtins__": builtins} if builtins else {}),
        )
        for number, cell in enumerate(cells, 1):
            place = f"{_PLACE}{f' of cell {number}' if len(cells) > 1 else ''}"
            try:
                statements = ast.parse(cell, place).body
            except (SyntaxError, ValueError) as error:
                self.errors.append(error)
                continue
            for statement in statements:
                self._run(statement, place)

    def _run(self, statement: ast.stmt, place: str) -> None:
        module = ast.Module([self.steps.visit(statement)], [])
        self.steps.taken = 0
        try:
            flags = __future__.annotations.compiler_flag
            with _kept_apart(self.output):
                exec(compile(module, place, "exec", flags, dont_inherit=True), self.names)
        except BaseException as error:
            self.errors.append(error)

    def functions(self, name: str, max_order: int) -> dict[str, Callable[..., Any]]:
        """Return the function `name` or, if that is "", those that may compute BLEU, by name.

        Raises ValueError or the first error of the code if there is none.
        """
        found = {key: value for key, value in self.names.items() if _is_defined_here(value)}
        if name and not callable(self.names.get(name)):
            existing = ", ".join(found) or "none"
            raise ValueError(f"there is no function {name}; the file defines {existing}")
        if not name and not found:
            if self.errors:
                raise self.errors[0]
            raise ValueError("there is no function; define one that computes BLEU")
        has_bleu = any("bleu" in key.lower() for key in found)
        likely = [key for key in found if "bleu" in key.lower() or claims_bleu(key, max_order)]
        chosen = [name] if name else likely if has_bleu else list(found)
        return {
            path: function
            for key in chosen
            for path, function in _callables(key, self.names[key], max_order)
        }

    def iter_outcomes(
        self, function: Callable[..., Any], cases: Sequence[Texts], max_order: int
    ) -> Iterator[tuple[Style, list[Outcome]]]:
        """Yield the outcomes of each style, and an empty list between two calls.

        The outcomes of all cases end with that of the first one, called again.
        """
        positional, orders, tokens, extra = _parameters(function, max_order)
        forms = product((False, True), orders, tokens, ("list", "one", "streams"))
        for style in (Style(*form) for form in forms):
            if style.references == "streams" and not style.is_corpus:
                continue
            outcomes: list[Outcome] = []
            for case in (*cases, cases[0]):
                if len(case.texts[0]) > 1 and not style.is_corpus:
                    outcomes.append("")
                    continue
                self.steps.taken = 0
                outcome = call(positional, arguments(case, style), extra, self.output)
                outcomes.append(outcome)
                yield style, []
                if isinstance(outcome, str) and ENDLESS in outcome:
                    break
                if len(outcomes) == TRIED_FIRST and all(isinstance(o, str) for o in outcomes):
                    break
            yield style, outcomes


def _is_defined_here(value: Any) -> bool:
    owner = getattr(value, "func", value)  # a partial function's
    return callable(value) and getattr(owner, "__module__", "") == MODULE


def claims_bleu(path: str, max_order: int) -> bool:
    """Return whether a function's name says that it computes BLEU of a sentence or a corpus.

    It has BLEU in it, or a corpus and a score, and otherwise only words such as `compute` or `my`;
    the name of a method's class may be a part of it. Each other word says that a function computes
    something else, and `_` at the start that it is private.

    >>> [claims_bleu(name, 4) for name in ("bleu", "computeCorpusBLEU", "Bleu.score", "bleu4")]
    [True, True, True, True]
    >>> [claims_bleu(name, 4) for name in ("bleu_1", "bleu_old", "mean_bleu", "plot_bleu", "_bleu")]
    [False, False, False, False, False]
    """
    owner, _, name = path.lower().rpartition(".")
    if re.match("_[^_]", name):
        return False
    return any(
        re.fullmatch(f"(?:{_CLAIM_WORDS}|{max_order}|_)+", text)
        and re.search("bleu|corpus", text)
        and _METHODS.search(text)
        for text in (name, owner + name)
    )


def _callables(name: str, value: Any, max_order: int) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield a function, or the methods of a class that may compute BLEU."""
    if not isinstance(value, type):
        yield name, value
        return
    methods = [key for key in vars(value) if key == "__call__" or not key.startswith("_")]
    likely = [
        key
        for key in methods
        if _METHODS.search(key.lower()) or claims_bleu(f"{name}.{key}", max_order)
    ]
    for key in likely or ["__call__"]:
        for initial in ((), (max_order,)):
            with suppress(Exception):
                yield f"{name}.{key}", getattr(value(*initial), key)
                break
        else:
            yield f"{name}.{key}", lambda *texts, key=key: getattr(value(*texts), key)()


def _parameters(
    function: Callable[..., Any], max_order: int
) -> tuple[Callable[..., Any], tuple[bool, ...], tuple[bool, ...], tuple[Any, ...]]:
    """Return a function of two arguments, and the arguments that follow them.

    Between them stands whether references may come first, and whether tokens may be given.
    """
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # Some functions in C have no signature.
        return function, (False, True), (True, False), ()
    declares_text = any(each.annotation in {str, "str"} for each in parameters[:2])
    tokens = (False,) if declares_text else (True, False)
    positional = [each for each in parameters if each.kind <= each.POSITIONAL_OR_KEYWORD]
    keywords = [each for each in parameters if each.kind == each.KEYWORD_ONLY]
    wrapped = function
    if not positional and len(keywords) > 1:
        positional = keywords
        names = [each.name for each in keywords]
        wrapped = lambda *values: function(**dict(zip(names, values, strict=False)))  # noqa: E731
    elif len(positional) == 1 and any(each.kind == each.VAR_POSITIONAL for each in parameters):
        wrapped = lambda first, others: function(first, *others)  # noqa: E731
        return wrapped, (False,), tokens, ()
    elif len(positional) == 1:
        wrapped = lambda *both: function(list(zip(*both, strict=False)))  # noqa: E731
    extra = tuple(
        [1 / max_order] * max_order
        if "weight" in each.name.lower()
        else max_order
        if not re.search("smooth|verbose|lower|print|debug", each.name.lower())
        else False
        for each in positional[2:]
        if each.default is each.empty
    )
    names = [each.name.lower() for each in positional[:2]]
    for pattern, is_reference in ((_REFERENCES, True), (_CANDIDATES, False)):
        first, second = (bool(pattern.search(name)) for name in (*names, "", "")[:2])
        if first != second:
            return wrapped, (first == is_reference,), tokens, extra
    return wrapped, (False, True), tokens, extra


def arguments(case: Texts, style: Style) -> list[Any]:
    """Return fresh arguments of a call, so that a function may change them."""
    hypotheses, references = json.loads(
        json.dumps(case.tokens if style.takes_tokens else case.texts)
    )
    if style.references == "one":
        references = [texts[0] for texts in references]
    elif style.references == "streams":
        count = max(map(len, references))  # A repeated reference changes no score.
        references = [[texts[min(k, len(texts) - 1)] for texts in references] for k in range(count)]
    both = [hypotheses, references] if style.is_corpus else [hypotheses[0], references[0]]
    return both[::-1] if style.references_first else both


def call(
    function: Callable[..., Any], values: Sequence[Any], extra: Sequence[Any], output: Any
) -> Outcome:
    """Call a function, and keep its output; return the numbers of its result, or the error."""
    try:
        with _kept_apart(output):
            result = function(*values, *extra)
            numbers = _numbers(result)
    except BaseException as error:
        return error_text(error)
    if result is None:
        return "it returned None, so its last line needs a return"
    if not numbers or not all(map(math.isfinite, numbers)):
        return f"it returned {printable(repr(result)[:60])}"
    return numbers


@contextmanager
def _kept_apart(output: Any) -> Iterator[None]:
    """Keep what code prints, and undo its changes to warnings and to decimal numbers."""
    with (
        redirect_stdout(output),
        redirect_stderr(output),
        warnings.catch_warnings(action="ignore"),
        localcontext(),
    ):
        yield


def _numbers(result: Any) -> list[float]:
    """Return the numbers in a result, those that a name calls the score first."""
    if isinstance(result, str):
        return [float(result.strip().rstrip("%"))]
    if isinstance(result, dict):
        keys = sorted(result, key=lambda key: not _SCORES.search(str(key).lower()))
        values = [result[key] for key in keys]
    elif isinstance(result, (tuple, list)):
        values = list(result)
    elif hasattr(result, "__float__"):
        values = [result]
    else:
        names = [name for name in dir(result) if _SCORES.search(name.lower())]
        values = [getattr(result, name) for name in names]
    found = [value for value in values if hasattr(value, "__float__")]
    return [float(value) for value in found[:MAX_NUMBERS]]


def error_text(error: BaseException) -> str:
    """Return the type, message and line of an error, shortened between words."""
    message = error.msg if isinstance(error, SyntaxError) else str(error)
    text = message if isinstance(error, EndlessError) else f"{type(error).__name__}: {message}"
    text = printable(text.removesuffix(": "))
    if len(text) > MAX_ERROR_CHARACTERS:
        text = f"{text[: MAX_ERROR_CHARACTERS - 2].rpartition(' ')[0]} …"
    return f"{text}{_line_text(error)}"


def _line_text(error: BaseException) -> str:
    """Return the last line of the submission that an error passed, in brackets, or ""."""
    places = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
    if isinstance(error, SyntaxError):
        places = [(error.filename or "", error.lineno or 0)]
    for place, line in reversed(places):
        if place.startswith(_PLACE):
            return f" (line {line}{place.removeprefix(_PLACE)})"
    return ""


def printable(text: str) -> str:
    """Return text with a space for each character that is none, such as a terminal's codes."""
    return "".join(char if char.isprintable() else " " for char in text)


def iter_results(
    cells: Sequence[str],
    function: str,
    cases: Sequence[Texts],
    max_order: int,
    file: str = "",
    builtins: Any = None,
    max_seconds: float = math.inf,
    progress: Any = None,
) -> Generator[Any, None, dict[str, Any]]:
    """Run a submission call by call, and yield `progress` between; return its outcomes as data.

    `function` is the name of the function to assess, or "" for those that may compute BLEU.
    """
    end = perf_counter() + max_seconds
    try:
        submission = Submission(cells, file, builtins)
        functions = submission.functions(function, max_order)
    except BaseException as error:
        return {"error": error_text(error).removeprefix("ValueError: ")}
    found = []
    for name, called in functions.items():
        for style, outcomes in submission.iter_outcomes(called, cases, max_order):
            if outcomes:
                found.append((name, style, outcomes))
            elif perf_counter() > end:
                return {"error": f"the code took more than {max_seconds:g} s"}
            else:
                yield progress
    libraries = [name for name in LIBRARIES if name in sys.modules]
    errors = [error_text(error) for error in submission.errors[:1]]
    output = submission.output.getvalue()
    return {"found": found, "libraries": libraries, "errors": errors, "output": output}


def result_of(results: Generator[Any, None, dict[str, Any]]) -> dict[str, Any]:
    """Return what `iter_results` returns."""
    while True:
        try:
            next(results)
        except StopIteration as stop:
            return dict(stop.value)


def main(arguments: Sequence[str]) -> None:
    """Run the submission of a request, and write its outcomes into a file, both as JSON."""
    request_file, result_file = arguments
    with open(request_file, encoding="utf-8") as source:
        request = json.load(source)
    with suppress(ImportError, OSError, ValueError):
        import resource  # not on Windows

        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    sys.path.insert(0, request.pop("folder"))  # for a helper module beside the file
    request["cases"] = [Texts(*case) for case in request["cases"]]
    result = result_of(iter_results(**request))
    with open(result_file, "w", encoding="utf-8") as target:
        json.dump(result, target)


if __name__ == "__main__":
    main(sys.argv[1:])

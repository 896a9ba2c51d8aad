"""The command that assesses submissions: `python -m bleu assess submission.py --function bleu`."""

import argparse
import ast
import csv
import io
import json
import pickle
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout, suppress
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final

from bleu.cli.options import SETTING_OPTIONS, Options, parse_settings
from bleu.cli.terminal import Parser, print_json, print_text, show_progress
from bleu.core.settings import Settings

TIMEOUT: Final = 20.0
"""The default time limit of a submission, in seconds."""
MODULE: Final = "submission"
"""The module name under which a submission runs."""
LIBRARIES: Final = frozenset({"nltk", "sacrebleu", "bleu"})
"""The libraries with a BLEU of their own, whose import is marked."""
USUAL_NAMES: Final = ("bleu", "sentence_bleu", "corpus_bleu")
"""The names of functions that are taken if several may compute BLEU."""

DESCRIPTION: Final = (
    "Assess Python files or notebooks with a function that computes BLEU of a candidate and\n"
    "references. Each file runs in a process of its own with a time limit, and can do whatever a\n"
    "program can: this is no sandbox. The right scores are those of the chosen settings."
)
OPTIONS: Final[Options] = {
    "paths": {"nargs": "+", "metavar": "PATH", "help": "a .py or .ipynb file, or a folder of them"},
    "--function": {"metavar": "NAME", "help": "by default, the one with BLEU in its name"},
    "--timeout": {
        "type": float,
        "default": TIMEOUT,
        "metavar": "S",
        "help": f"seconds for each file, default {TIMEOUT:g}",
    },
    "--format": {
        "choices": ("text", "json", "csv"),
        "default": "text",
        "help": "default text; csv has a line for each file",
    },
    **SETTING_OPTIONS,
}
COLUMNS: Final = ("file", "passed", "agreeing", "total", "misconceptions", "remarks", "case")
"""The columns of the CSV."""


def main(parser: Parser, arguments: Sequence[str]) -> int:
    """Print the assessment of each file; return 0 if all pass, or 1."""
    options = parser.parse(arguments)
    settings = parse_settings(parser, options)
    try:
        files = [file for path in options.paths for file in _submissions(Path(path))]
    except (ValueError, OSError) as error:
        parser.error(str(error))
    results: list[dict[str, Any]] = []
    first_files: dict[str, str] = {}
    for file in files:
        show_progress(f"{len(results) + 1} of {len(files)}: {file.name}")
        result = {"file": str(file), **_assess_file(file, settings, options)}
        code, marks = _code_and_marks(file)
        first = first_files.setdefault(code, file.name)
        if first != file.name:
            marks.append(f"the same code as {first}")
        results.append({**result, "marks": marks})
    show_progress("")
    if options.format == "json":
        print_json(results)
    elif options.format == "csv":
        output = io.StringIO()
        csv.writer(output, lineterminator="\n").writerows([COLUMNS, *map(_row, results)])
        print_text(output.getvalue())
    elif len(results) > 1:
        print_text("".join(map(_line, results)))
    else:
        [result] = results
        print_text(
            "".join(f"{line}\n" for line in (result["report"], *_sentences(result["marks"])))
        )
    return 0 if all(result["passed"] for result in results) else 1


def _submissions(path: Path) -> list[Path]:
    if path.is_dir():
        if files := sorted([*path.glob("*.py"), *path.glob("*.ipynb")]):
            return files
        raise ValueError(f"there is no Python file in {path}; name a file, or another folder")
    if not path.is_file():
        raise ValueError(f"there is no file {path}; name a file or a folder")
    return [path]


def _assess_file(file: Path, settings: Settings, options: argparse.Namespace) -> dict[str, Any]:
    """Assess one file in a separate process, and return the assessment as data."""
    command = [sys.executable, "-m", __name__, str(file), options.function or ""]
    try:
        process = subprocess.run(
            command, input=pickle.dumps(settings), capture_output=True, timeout=options.timeout
        )
        result: dict[str, Any] = json.loads(process.stdout)
    except subprocess.TimeoutExpired:
        return _failure(f"The file took more than {options.timeout:g} s.")
    except ValueError:
        lines = process.stderr.decode("utf-8", "replace").splitlines() or ["no reason given"]
        line = textwrap.shorten(lines[-1], 300, placeholder=" …")
        return _failure(f"The file ended with exit code {process.returncode}: {line}")
    return result


def _failure(reason: str) -> dict[str, Any]:
    return {"passed": False, "error": reason, "report": reason}


def _code_and_marks(file: Path) -> tuple[str, list[str]]:
    """Return a file's code without comments and layout, and the libraries that it imports."""
    code, modules = "", set[str]()
    with suppress(OSError, ValueError, SyntaxError):  # Its assessment has the reason.
        for cell in _cells(file):
            tree = ast.parse(cell)
            code += ast.dump(tree)
            for node in ast.walk(tree):
                if isinstance(node, ast.Import):
                    modules |= {alias.name.partition(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and not node.level:
                    modules.add(str(node.module).partition(".")[0])
    imported = sorted(
        name for name in modules & LIBRARIES if not file.with_name(f"{name}.py").exists()
    )
    return code or str(file), [f"it imports {name}" for name in imported]


def _sentences(marks: Sequence[str]) -> list[str]:
    return [f"{mark[0].upper()}{mark[1:]}." for mark in marks]


def _remarks(result: dict[str, Any]) -> str:
    parts = [result.get("error") or result.get("explanation"), result.get("remark")]
    return " ".join(filter(None, [*parts, *_sentences(result["marks"])]))


def _row(result: dict[str, Any]) -> list[Any]:
    """Return the values of `COLUMNS`."""
    names = " ".join(result.get("misconceptions", ()))
    numbers = [result.get(name, "") for name in ("agreeing", "total")]
    case = result.get("smallest_case", "")
    return [result["file"], result["passed"], *numbers, names, _remarks(result), case]


def _line(result: dict[str, Any]) -> str:
    """Return file, verdict, misconceptions and the smallest case that does not agree."""
    agreeing = f" {result['agreeing']}/{result['total']}" if "total" in result else ""
    verdict = f"{'passed' if result['passed'] else 'not passed'}{agreeing}"
    names = ", ".join(result.get("misconceptions", ()))
    remarks = _remarks({**result, "explanation": ""} if names else result)
    parts = [verdict, names, result.get("smallest_case", ""), remarks]
    return f"{result['file']}: {'; '.join(filter(None, parts))}\n"


def run_submission(file: str, name: str, settings: Settings) -> dict[str, Any]:
    """Run a file, ignore its output, and return the assessment of its function as data."""
    from bleu.learn.assessment import assess, error_text

    try:
        with redirect_stdout(io.StringIO()):
            names = _run(Path(file))
        assessment = assess(_function(names, name, settings.max_order), settings)
    except (Exception, SystemExit) as error:
        return _failure(error_text(error))
    failing = next((str(case) for case in assessment.cases if not case.agrees), "")
    return {**assessment.to_dict(), "smallest_case": failing, "report": str(assessment)}


def _cells(file: Path) -> list[str]:
    """Return the code of a file, or of each cell of a notebook without magics."""
    text = file.read_text("utf-8-sig")
    if file.suffix != ".ipynb":
        return [text]
    notebook = json.loads(text)
    sources = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    return [
        re.sub(r"^(\s*)[%!?].*$", r"\1pass", source, flags=re.MULTILINE)
        for source in sources
        if not source.lstrip().startswith("%%")
    ]


def _run(file: Path) -> dict[str, Any]:
    """Run a file and return the names that it defines; a failing cell of a notebook is left out.

    Raises the error of a file, and the first error of a notebook that defines no function.
    """
    module = ModuleType(MODULE)
    module.__dict__.update(__file__=str(file), display=print)
    sys.modules[MODULE] = module  # Data classes look their module up.
    sys.path.insert(0, str(file.parent.resolve()))  # for a helper module beside the file
    errors: list[BaseException] = []
    for cell in _cells(file):
        try:
            exec(compile(cell, str(file), "exec"), module.__dict__)
        except (Exception, SystemExit) as error:
            errors.append(error)
    if errors and (file.suffix != ".ipynb" or not _functions(module.__dict__)):
        raise errors[0]
    return module.__dict__


def _functions(names: dict[str, Any]) -> dict[str, Callable[..., Any]]:
    """Return the functions and classes that a submission defines."""
    return {
        key: value
        for key, value in names.items()
        if isinstance(value, (FunctionType, type)) and value.__module__ == MODULE
    }


def _function(names: dict[str, Any], name: str, max_order: int) -> Callable[..., Any]:
    """Return the function `name` or, if that is "", the one that may compute BLEU.

    Raises ValueError if there is none, or if there are several and none has a usual name.
    """
    functions = _functions(names)
    if name:
        if not callable(names.get(name)):
            existing = ", ".join(functions) or "none"
            raise ValueError(f"there is no function {name}; the file defines {existing}")
        return _method(names[name], max_order)
    if not functions:
        raise ValueError("there is no function; define one that computes BLEU")
    likely = [key for key in functions if "bleu" in key.lower()] or list(functions)
    usual = [key for key in USUAL_NAMES for each in likely if each.lower() == key]
    if len(likely) > 1 and not usual:
        raise ValueError(
            f"functions that may compute BLEU are {', '.join(likely)}; choose one with --function"
        )
    chosen = next(key for key in likely if not usual or key.lower() == usual[0])
    return _method(functions[chosen], max_order)


def _method(function: Callable[..., Any], max_order: int) -> Callable[..., Any]:
    """Return a function, or the likely method of a class: BLEU in its name, else a usual name."""
    if not isinstance(function, type):
        return function
    try:
        instance = function()
    except TypeError:
        instance = function(max_order)
    methods = [name for name in vars(function) if not name.startswith("_")]
    likely = [name for name in methods if "bleu" in name.lower()]
    likely += [name for name in methods if re.search("score|compute|calc|eval", name.lower())]
    return getattr(instance, [*likely, "__call__"][0])  # type: ignore[no-any-return]


if __name__ == "__main__":
    print(json.dumps(run_submission(sys.argv[1], sys.argv[2], pickle.load(sys.stdin.buffer))))

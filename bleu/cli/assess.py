"""The command that assesses submissions: `python -m bleu assess submission.py --function bleu`."""

import argparse
import contextlib
import io
import json
import pickle
import runpy
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any, Final

from bleu.cli.help import Parser
from bleu.cli.options import FORMAT_OPTION, SETTING_OPTIONS, Options, parse_settings
from bleu.cli.run import print_json, print_text, show_progress
from bleu.core.settings import Settings

TIMEOUT: Final = 20.0
"""The default time limit of a submission, in seconds."""
MODULE: Final = "submission"
"""The module name under which a submission runs."""

DESCRIPTION: Final = (
    "Assess Python files with a function that computes BLEU of a candidate and references.\n"
    "Each file runs in a process of its own with a time limit, and can do whatever a program "
    "can: this is no sandbox. The right scores are those of the chosen settings."
)
OPTIONS: Final[Options] = {
    "paths": {"nargs": "+", "metavar": "PATH", "help": "a file, or a folder of files"},
    "--function": {"metavar": "NAME", "help": "by default, the one with BLEU in its name"},
    "--timeout": {
        "type": float,
        "default": TIMEOUT,
        "metavar": "S",
        "help": f"seconds for each file, default {TIMEOUT:g}",
    },
    **FORMAT_OPTION,
    **SETTING_OPTIONS,
}


def main(parser: Parser, arguments: Sequence[str]) -> int:
    """Print the assessment of each file; return 0 if all pass, or 1."""
    options = parser.parse(arguments)
    settings = parse_settings(parser, options)
    try:
        files = [file for path in options.paths for file in _python_files(Path(path))]
    except (ValueError, OSError) as error:
        parser.error(str(error))
    results: list[dict[str, Any]] = []
    for file in files:
        show_progress(f"{len(results) + 1} of {len(files)}: {file.name}")
        results.append({"file": str(file), **_assess_file(file, settings, options)})
    show_progress("")
    if options.format == "json":
        print_json(results)
    else:
        print_text(_table(results) if len(results) > 1 else f"{results[0]['report']}\n")
    return 0 if all(result["passed"] for result in results) else 1


def _python_files(path: Path) -> list[Path]:
    if path.is_dir():
        if files := sorted(path.glob("*.py")):
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
        return _failure(f"The file ended with exit code {process.returncode}: {lines[-1]:.150}")
    return result


def _failure(reason: str) -> dict[str, Any]:
    return {"passed": False, "error": reason, "report": reason}


def _table(results: Sequence[dict[str, Any]]) -> str:
    width = max(len(result["file"]) for result in results)
    lines = []
    for result in results:
        agreeing = f"{result['agreeing']}/{result['total']}" if "total" in result else ""
        verdict = "passed" if result["passed"] else ", ".join(result.get("misconceptions", ()))
        remark = verdict or result.get("error") or result["explanation"] or "not passed"
        lines.append(f"{result['file']:<{width}}  {agreeing:>7}  {remark}\n")
    return "".join(lines)


def run_submission(file: str, name: str, settings: Settings) -> dict[str, Any]:
    """Run a file, ignore its output, and return the assessment of its function as data."""
    from bleu.learn.assessment import assess

    try:
        with contextlib.redirect_stdout(io.StringIO()):
            names = runpy.run_path(file, run_name=MODULE)
        assessment = assess(_function(names, name), settings)
    except (Exception, SystemExit) as error:
        return _failure(f"{type(error).__name__}: {error}"[:200])
    return {**assessment.to_dict(), "report": str(assessment)}


def _function(names: dict[str, Any], name: str) -> Callable[..., Any]:
    """Return the function `name` or, if that is "", the only one that may compute BLEU.

    Raises ValueError if there is none, or if there are several.
    """
    functions = {
        key: value
        for key, value in names.items()
        if isinstance(value, FunctionType) and value.__module__ == MODULE
    }
    if name:
        if not callable(names.get(name)):
            existing = ", ".join(functions) or "none"
            raise ValueError(f"there is no function {name}; the file defines {existing}")
        return names[name]  # type: ignore[no-any-return]
    if not functions:
        raise ValueError("there is no function; define one that computes BLEU")
    likely = [key for key in functions if "bleu" in key.lower()] or list(functions)
    if len(likely) > 1:
        raise ValueError(
            f"functions that may compute BLEU are {', '.join(likely)}; choose one with --function"
        )
    return functions[likely[0]]


if __name__ == "__main__":
    print(json.dumps(run_submission(sys.argv[1], sys.argv[2], pickle.load(sys.stdin.buffer))))

"""The command that assesses submissions: `python -m bleu assess submission.py --function bleu`."""

import argparse
import ast
import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from subprocess import DEVNULL
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from bleu.cli.options import SETTING_OPTIONS, Options, parse_settings
from bleu.cli.terminal import Parser, print_json, print_text, show_progress
from bleu.core.settings import Settings
from bleu.render import csv

TIMEOUT: Final = 20.0
"""The default time limit of a submission, in seconds."""
MAX_RESULT_BYTES: Final = 1 << 20
"""The size up to which the numbers of a submission are read."""

DESCRIPTION: Final = (
    "Assess Python files or notebooks with a function that computes BLEU of a candidate and\n"
    "references. Each file runs in a process of its own with a time limit, and can do whatever a\n"
    "program can: this is no sandbox. The right scores are those of the chosen settings."
)
OPTIONS: Final[Options] = {
    "paths": {
        "nargs": "+",
        "metavar": "PATH",
        "help": "a .py or .ipynb file, or a folder or .zip of them",
    },
    "--function": {"metavar": "NAME", "help": "by default, each whose name says that it is BLEU"},
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


class _File(NamedTuple):
    """A submission: its name as printed, its content, and its folder, "" in an archive."""

    name: str
    data: bytes
    folder: str = ""


def main(parser: Parser, arguments: Sequence[str]) -> int:
    """Print the assessment of each file; return 0 if all pass, or 1."""
    options = parser.parse(arguments)
    settings = parse_settings(parser, options)
    from bleu.learn import assessment

    try:
        files = [file for path in options.paths for file in _files(Path(path))]
    except (ValueError, OSError) as error:
        parser.error(str(error))
    results: list[dict[str, Any]] = []
    first_files: dict[str, str] = {}
    for file in files:
        show_progress(f"{len(results) + 1} of {len(files)}: {file.name}")
        result = {"file": file.name, **_assess_file(file, settings, options)}
        marks = [f"it imports {name}" for name in result.pop("libraries", ())]
        first = first_files.setdefault(_code(file), file.name)
        if first != file.name:
            marks.append(f"the same code as {os.path.basename(first)}")
        results.append({**result, "marks": marks})
    show_progress("")
    if options.format == "json":
        print_json(results)
    elif options.format == "csv":
        print_text(csv.table([assessment.COLUMNS, *map(assessment.table_row, results)]))
    elif len(results) > 1:
        print_text("".join(map(_line, results)))
    else:
        [result] = results
        lines = (result["report"], assessment.remarks({"marks": result["marks"]}))
        print_text("".join(f"{line}\n" for line in lines if line))
    return 0 if all(result["passed"] for result in results) else 1


def _files(path: Path) -> list[_File]:
    """Return the submission of a path, or those of a folder or an archive, at any depth."""
    from bleu.learn.submission import is_submission, unpacked

    if path.is_dir():
        paths = [each for each in sorted(path.rglob("*")) if each.is_file()]
        paths = [each for each in paths if is_submission(each.relative_to(path).as_posix())]
        files = [_File(str(each), each.read_bytes(), str(each.parent)) for each in paths]
    elif not path.is_file():
        raise ValueError(f"there is no file {path}; name a file or a folder")
    elif path.suffix.lower() == ".zip":
        found = unpacked(path.read_bytes())
        files = [_File(name, data) for name, data in sorted(found.items())]
    else:
        files = [_File(str(path), path.read_bytes(), str(path.parent))]
    if not files:
        raise ValueError(f"there is no Python file in {path}; name a file, or another folder")
    return files


def _assess_file(file: _File, settings: Settings, options: argparse.Namespace) -> dict[str, Any]:
    """Run one file in a process that gets arguments only, and assess the numbers it returns."""
    from bleu.learn import submission
    from bleu.learn.assessment import failure, verdict
    from bleu.learn.cases import assessed_texts

    try:
        cells = submission.read_cells(file.data, is_notebook=file.name.endswith(".ipynb"))
    except ValueError as error:
        return failure(str(error))
    request = {
        "cells": cells,
        "file": file.name,
        "folder": os.path.abspath(file.folder) if file.folder else "",
        "function": options.function or "",
        "max_order": settings.max_order,
        "cases": assessed_texts(settings),
    }
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        request_file, result_file = Path(folder, "request.json"), Path(folder, "result.json")
        request_file.write_text(json.dumps(request), "utf-8")
        command = [sys.executable, "-P", submission.__file__, str(request_file), str(result_file)]
        process = subprocess.Popen(
            command, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, start_new_session=True
        )
        try:
            code = process.wait(options.timeout)
        except subprocess.TimeoutExpired:
            return failure(f"the file took more than {options.timeout:g} s")
        finally:
            _kill_group(process)
        try:
            with result_file.open("rb") as source:
                result = json.loads(source.read(MAX_RESULT_BYTES))
        except (OSError, ValueError, RecursionError):
            return failure(f"the file ended with exit code {code} and without a result")
    return verdict(result, settings)


def _kill_group(process: "subprocess.Popen[bytes]") -> None:
    """End a process and those that it started."""
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()
    process.wait()


def _code(file: _File) -> str:
    """Return a file's code without comments and layout, to find copies; or else its name."""
    from bleu.learn.submission import read_cells

    with suppress(ValueError, SyntaxError):
        cells = read_cells(file.data, is_notebook=file.name.endswith(".ipynb"))
        return "".join(ast.dump(ast.parse(cell)) for cell in cells) or file.name
    return file.name


def _line(result: dict[str, Any]) -> str:
    """Return file, verdict, misconceptions and the smallest case that does not agree."""
    from bleu.learn.assessment import remarks

    agreeing = f" {result['agreeing']}/{result['total']}" if "total" in result else ""
    verdict = f"{'passed' if result['passed'] else 'not passed'}{agreeing}"
    names = ", ".join(result.get("misconceptions", ()))
    text = remarks({**result, "explanation": ""} if names else result)
    parts = [verdict, names, result.get("smallest_case", ""), text]
    return f"{result['file']}: {'; '.join(filter(None, parts))}\n"

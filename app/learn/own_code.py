"""A learner's own code in the page: what it may use, and its verdict as HTML and CSV."""

import builtins
import importlib
import re
from collections.abc import Generator, Mapping, Sequence
from html import escape
from random import Random
from types import ModuleType
from typing import Any, Final

from app.components import button
from app.learn.exercise_html import explanation_link
from app.learn.small_numpy import numpy_module
from bleu.core.settings import Settings
from bleu.learn.assessment import COLUMNS, failure, remarks, table_row, verdict
from bleu.learn.cases import assessed_texts
from bleu.learn.submission import iter_results, read_cells
from bleu.render import csv, html

MAX_SECONDS: Final = 10
"""The time after which the code of a file is stopped, between two calls."""
MODULES: Final = (
    *("abc", "collections", "collections.abc", "copy", "dataclasses", "decimal", "enum"),
    *("fractions", "functools", "heapq", "itertools", "json", "math", "operator", "random"),
    *("re", "statistics", "string", "textwrap", "time", "typing", "unicodedata", "warnings"),
)
"""The modules that code may import."""
_HIDDEN: Final = {"attrgetter", "methodcaller", "Formatter", "get_type_hints", "sleep"}
_REFUSED: Final = ("open", "exec", "eval", "compile", "breakpoint", "input", "globals", "vars")


def page_builtins() -> dict[str, Any]:
    """Return Python's builtins without files, and with copies of harmless modules to import.

    So honest code cannot touch the page by mistake; this is no prison for code that means harm.
    """
    copies: dict[str, ModuleType] = {}
    for name in MODULES:
        copy = copies[name] = ModuleType(name)
        copy.__dict__.update(
            (key, value)
            for key, value in vars(importlib.import_module(name)).items()
            if key[0] != "_" and key not in _HIDDEN and not isinstance(value, ModuleType)
        )
    fresh = Random()  # Code that sets a seed leaves that of the page alone.
    copies["random"].__dict__.update(
        (name, getattr(fresh, name)) for name in dir(fresh) if name in vars(copies["random"])
    )
    copies["numpy"] = numpy_module()
    copies["collections"].abc = copies["collections.abc"]  # type: ignore[attr-defined]

    def import_copy(
        name: str, _: Any = None, __: Any = None, fromlist: Any = (), level: int = 0
    ) -> ModuleType:
        if level or name not in copies:
            raise ModuleNotFoundError(f"there is no module {name} in this page; use plain Python")
        return copies[name if fromlist else name.partition(".")[0]]

    own = {key: value for key, value in vars(builtins).items() if key not in _REFUSED}
    return {**own, "__import__": import_copy}


def iter_verdict(
    name: str, data: bytes, done: tuple[int, int] | None = None
) -> Generator[tuple[int, int] | None, None, dict[str, Any]]:
    """Assess a file call by call, with `done` yielded between two; return its verdict as data."""
    settings = Settings()
    try:
        cells = read_cells(data, is_notebook=name.endswith(".ipynb"))
    except ValueError as error:
        return {**failure(str(error)), "file": name}
    result = yield from iter_results(
        cells,
        "",
        assessed_texts(settings),
        settings.max_order,
        builtins=page_builtins(),
        max_seconds=MAX_SECONDS,
        progress=done,
    )
    found = verdict({**result, "libraries": []}, settings)
    if "error" in found and any("numpy" in cell for cell in cells):
        found["error"] += " This page knows only a part of NumPy."
    return {**found, "file": name, "output": str(result.get("output", ""))}


def results_html(results: Sequence[Mapping[str, Any]]) -> str:
    """Return the verdict on a single file, or a table of several."""
    if not results:
        return "There is no code in this archive."
    return verdict_html(results[0]) if len(results) == 1 else verdicts_html(results)


def verdict_html(result: Mapping[str, Any]) -> str:
    """Return the verdict on one file: pass or not, why, and the smallest case that fails."""
    parts = []
    if "total" not in result:
        parts = [f'<p><b class="is-wrong">✗ No score.</b> {html.prose(result["error"])}</p>']
    else:
        is_right = result["passed"]
        sign, word, kind = ("✓", "Passed", "right") if is_right else ("✗", "Not yet", "wrong")
        parts.append(
            f'<p><b class="is-{kind}">{sign} {word}.</b> {result["agreeing"]} of '
            f"{result['total']} cases agree, called as {html.prose(result['call'])}.</p>"
        )
        if text := remarks(result):
            parts.append(f"<p>{html.prose(text)}</p>")
        if result["anchor"] and not is_right:
            parts.append(f"<p>{explanation_link(result['anchor'])}</p>")
        wrong = [case for case in result["cases"] if not is_right]
        parts += map(_case_html, wrong[:1])
    if output := result.get("output", ""):
        parts.append(
            f'<details><summary>Printed</summary><pre translate="no">{escape(output)}</pre>'
            "</details>"
        )
    return "".join(parts)


def _case_html(case: Mapping[str, Any]) -> str:
    """Return the texts of a case, the right score with its parts, and the score that differs."""
    actual = escape(case["error"]) if case["actual"] is None else f"{case['actual']:.4f}"
    parts = re.sub(r"p(\d)", lambda found: f"p{'₀₁₂₃₄'[int(found[1])]}", case["parts"])
    rows = [
        (label, html.prose(f"“{text}”") if text else "(empty)")
        for hypothesis, references in zip(case["hypotheses"], case["references"], strict=True)
        for label, text in (("Candidate", hypothesis), *(("Reference", r) for r in references))
    ]
    rows += [
        ("Right", f"{case['expected']:.4f}: {html.prose(parts)}"),
        ("Yours", f'<b class="is-wrong">{actual}</b>'),
    ]
    items = "".join(f"<dt>{label}</dt><dd>{text}</dd>" for label, text in rows)
    return f'<h4>The smallest case that differs</h4><dl class="code-case">{items}</dl>'


def verdicts_html(results: Sequence[Mapping[str, Any]]) -> str:
    """Return a table with a row for each file."""
    passed = sum(result["passed"] for result in results)
    rows = "".join(
        f'<tr><th scope="row">{escape(result["file"])}</th>'
        f'<td class="is-{"right" if result["passed"] else "wrong"}">'
        f"{'✓' if result['passed'] else '✗'} {result.get('agreeing', 0)}/{result.get('total', 0)}"
        f"</td><td>{html.prose(remarks(result))}</td></tr>"
        for result in results
    )
    return (
        f"<p><b>{passed} of {len(results)} passed.</b></p>"
        '<div class="table code-files" role="group" tabindex="0" aria-label="Verdicts"><table>'
        '<thead><tr><th scope="col">File</th><th scope="col">Cases</th><th scope="col">Why</th>'
        f"</tr></thead><tbody>{rows}</tbody></table></div>"
        f'<p class="buttons">{button("learn:code-save", "Download as CSV")}</p>'
    )


def verdicts_csv(results: Sequence[Mapping[str, Any]]) -> str:
    """Return the verdicts as CSV, as the command line gives them."""
    return csv.table([COLUMNS, *map(table_row, results)])

"""The code of the metric behind each step, with the values of the texts beside its lines."""

import re
import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from html import escape
from inspect import getsourcelines
from math import isclose
from operator import attrgetter
from types import FrameType
from typing import Any, Final

from app.state.form import PageSnapshot
from app.state.inputs import scored_references
from bleu.core.api import method_of
from bleu.metric import method, rules, smoothings
from bleu.metric.method import bleu, count
from bleu.render.html import isolate_strings
from bleu.render.numbers import number_text

Function = Callable[..., Any]

MODULES: Final = (method, rules, smoothings)
"""The modules whose functions are shown."""
MAX_TOKENS: Final = 300
"""The largest number of tokens of all texts that the definition counts, too."""
MAX_CHARACTERS: Final = 90
"""The length at which values are cut."""
PARTS: Final[dict[str, tuple[str | tuple[Function, set[str]], ...]]] = {
    "tokens": ((count, {"segments"}),),
    "precision": ((count, {"grams", "matched", "total"}), "ngrams", "credit"),
    "smoothing": ((bleu, {"is_smoothed", "pairs"}), "smooth"),
    "brevity-penalty": ((count, {"c", "r"}), "length", "penalty", (bleu, {"penalty"})),
    "score": ((bleu, {"p"}), "mean", (bleu, {"mean", "return"})),
}
"""The code of each step: stages, and lines of a function, by the names that they assign."""
_lengths: Final = attrgetter("hypothesis_length", "reference_length")
_ASSIGNED: Final = re.compile(r"\s*(?:(return)\b|([*\w, ]+)(?:\[.*?\])? \+?= )")


class StepCode:
    """The code of the steps of a result: the metric runs again, and its lines are recorded."""

    def __init__(self, snapshot: PageSnapshot) -> None:
        derivation, inputs = snapshot.derivation, snapshot.inputs
        settings, statistics = derivation.settings, derivation.statistics
        self.method = method_of(settings)
        self.runs: dict[Function, dict[int, list[tuple[object, str]]]] = {}
        sizes = map(len, (derivation.hypothesis, *derivation.references))
        self.has_counted, self.agrees = sum(sizes) <= MAX_TOKENS, True
        if self.has_counted:
            texts = [inputs.hypothesis], [scored_references(inputs)]
            counts = self._record(count, self.method, *texts, settings.max_order)
            fast = statistics.matched, statistics.total, *_lengths(statistics)
            self.agrees = (tuple(counts.matched), tuple(counts.total), *_lengths(counts)) == fast
        value = self._record(bleu, self.method, statistics, settings.shares)
        self.agrees &= isclose(value, derivation.score.value, rel_tol=1e-12)

    def _record(self, function: Function, *arguments: Any) -> Any:
        """Call a function and return its result; record what the lines of each function assign.

        `runs` has, for the first call of a function, by line, the n of its loop and the values.
        """
        previous = sys.gettrace()
        sys.settrace(self._on_call)
        try:
            return function(*arguments)
        finally:
            sys.settrace(previous)

    def _on_call(self, frame: FrameType, _event: str, _result: object) -> Any:
        function: Any = frame.f_globals.get(frame.f_code.co_name)
        is_known = getattr(function, "__code__", None) is frame.f_code and function not in self.runs
        if not is_known or sys.modules[function.__module__] not in MODULES:
            return None
        lines, start = getsourcelines(function)
        runs = self.runs[function] = {start: [(None, _values_text(frame.f_locals))]}
        line = 0

        def on_line(frame: FrameType, event: str, result: object) -> Any:
            nonlocal line
            if line and (event == "return" or frame.f_lineno != line):
                values, names = {**frame.f_locals, "return": result}, _assigned(lines[line - start])
                text = _values_text({name: values[name] for name in names if name in values}, names)
                runs.setdefault(line, []).append((values.get("n"), text))
            line = frame.f_lineno
            return on_line

        return on_line

    def html(self, anchor: str) -> str:
        """Return the code of a step, with a sentence on how it was run."""
        step, _, order = anchor.rpartition("-") if anchor[-1].isdigit() else (anchor, "", "0")
        listings = []
        for part in PARTS[step]:
            if not isinstance(part, str):
                listings.append(self._listing(*part, int(order)))
            elif part == "smooth":  # the rule, and what it calls
                of_rule = [each for each in self.runs if each.__module__ == smoothings.__name__]
                listings += [
                    self._listing(each) for each in of_rule if "let" in each.__code__.co_varnames
                ]
            elif int(order) < 2:
                listings.append(self._listing(getattr(self.method, part)))
        ran = "ran on your texts, and agree with the fast code of the page."
        if not self.agrees:
            ran = "do not agree with the fast code of the page: please report it as a bug."
        elif not self.has_counted and step in {"tokens", "precision"}:
            ran = f"did not run: for more than {MAX_TOKENS} tokens, fast code counts."
        elif not self.has_counted:
            ran = "ran on the counts of the page’s fast code, and agree with its score."
        code = "".join(f'<pre translate="no">{listing}</pre>' for listing in listings)
        return f"{code}<p>These lines {ran}</p>"

    def _listing(self, function: Function, names: set[str] | None = None, order: int = 0) -> str:
        """Return the lines of a function, or those that assign `names`, in the loop over an order.

        Docstrings and lines that did not run are dimmed.
        """
        lines, start = getsourcelines(function)
        runs = self.runs.get(function, {})
        place = f"{function.__module__.replace('.', '/')}.py"
        if names:
            place += f", in {function.__name__}()" + (f", where n is {order}" if order else "")
        markup = f'<span class="line idle"># {place}\n</span>'
        for number, line in enumerate(lines, start):
            texts = [text for n, text in runs.get(number, ()) if order in {0, n}]
            if names and (not names & {*_assigned(line)} or (runs and not texts)):
                continue
            chain = " → ".join(dict.fromkeys(texts))
            text = chain if len(chain) <= MAX_CHARACTERS else texts[-1]
            samp = f" <samp># {isolate_strings(text)}</samp>" if text else ""
            source = line.strip() if names else line.rstrip()
            kind = f"in-{len(source) - len(source.lstrip())}" + " idle" * bool(runs and not texts)
            markup += f'<span class="line {kind}">{escape(source)}{samp}\n</span>'
        return markup


def _assigned(line: str) -> list[str]:
    """Return the names that a line of code assigns; `return` stands for a returned value."""
    match = _ASSIGNED.match(line)
    return re.findall(r"\w+", match[1] or match[2]) if match else []


def _values_text(values: Mapping[str, object], names: list[str] | None = None) -> str:
    """Return values with their names, or alone if a line assigns one name."""
    texts = {name: value_text(value) for name, value in values.items() if name != "_"}
    if names and len(names) == 1:
        return "".join(texts.values())
    return ", ".join(f"{name} = {text}" for name, text in texts.items() if text)


def value_text(value: object) -> str:
    """Return a number, a text or a collection of these as text, cut if it is long, else "".

    >>> value_text({("the", "cat"): 2}), value_text([Fraction(3, 4), 0.123456])
    ("{'the cat': 2}", '[3/4, 0.1235]')
    """
    text = ""
    match value:
        case bool() | str():
            text = repr(value)
        case Fraction() if len(str(value)) < 10:
            text = str(value)
        case int() | float() | Fraction():
            text = number_text(value)
        case dict():  # n-grams
            counts = (f"{' '.join(map(str, gram))!r}: {value[gram]}" for gram in value)
            text = f"{{{', '.join(counts)}}}"
        case list() | tuple():
            items = ", ".join(map(value_text, value[:MAX_CHARACTERS]))
            text = f"[{items}]" if isinstance(value, list) else f"({items})"
    return text if len(text) <= MAX_CHARACTERS else f"{text[: MAX_CHARACTERS - 1]}…"

"""The code of the steps: its lines are those of the metric, and its values those of the step."""

import inspect
import re
import sys
from dataclasses import replace
from html import unescape

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.build.stdlib import WITH_SOURCE
from app.score.html import build_snapshot
from app.state.inputs import Inputs, with_convention
from app.steps import code_html
from app.steps.code_html import MAX_TOKENS, MODULES, PARTS, StepCode, value_text
from bleu import CONVENTIONS, SMOOTHINGS
from bleu.core.api import method_of
from bleu.metric import smoothings
from bleu.metric.method import (
    brevity_penalty,
    clip,
    closest,
    consecutive,
    count,
    geometric_mean,
)
from bleu.render.numbers import number_text

EXAMPLE = Inputs("the the cat is on mat", ("the cat is on the mat", "a cat sat"))
AGREES = "These lines ran on your texts, and agree with the fast code of the page."


def lines(code: StepCode, anchor: str) -> list[tuple[str, str]]:
    """Return the source of each line of a step's code, and its values."""
    pattern = r'<span class="line[^>]*>(.*?)(?: <samp># (.*?)</samp>)?\n</span>'
    found = re.findall(pattern, re.sub("</?bdi>", "", code.html(anchor)), re.DOTALL)
    return [(unescape(source).strip(), unescape(values)) for source, values in found]


def value_after(code: StepCode, anchor: str, start: str) -> str:
    """Return the values of the last line that begins with `start`."""
    return [values for source, values in lines(code, anchor) if source.startswith(start)][-1]


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
def test_values_are_those_of_the_step(smoothing):
    snapshot = build_snapshot(replace(EXAMPLE, smoothing=smoothing, max_order="5"))
    code, score = StepCode(snapshot), snapshot.derivation.score
    assert code.agrees
    for order in range(1, 6):
        matched = value_after(code, f"precision-{order}", "matched[n - 1] +=").split(" → ")[-1]
        assert matched == value_text([*score.matched[:order], *[0] * (5 - order)])
        assert value_after(code, f"precision-{order}", "total[n - 1] +=").startswith(
            value_text(list(score.total[:order]))[:-1]
        )
    if smoothing != "none":
        rule = SMOOTHINGS[smoothing].rule
        assert any(
            source.startswith(f"def {rule.__name__}(") for source, _ in lines(code, "smoothing")
        )
        assert value_after(code, "smoothing", "pairs = method.smooth") == value_text(
            list(score.pairs)
        )
    assert value_after(code, "brevity-penalty", "c = ") == str(score.hypothesis_length)
    assert value_after(code, "brevity-penalty", "r = ") == str(score.reference_length)
    penalty, mean = number_text(score.brevity_penalty), number_text(score.geometric_mean)
    assert value_after(code, "score", "penalty, mean") == f"penalty = {penalty}, mean = {mean}"
    assert value_after(code, "score", "return let") == number_text(score.value)


WORDS = st.lists(st.sampled_from(["a", "b", "c.", "<b>", "חתול", "'", "\\", "🙂"]), max_size=8)


@given(
    WORDS,
    st.lists(WORDS, min_size=1, max_size=3),
    st.sampled_from([*CONVENTIONS]),
)
def test_every_convention_agrees_and_has_code_for_all_steps(hypothesis, references, convention):
    inputs = Inputs(" ".join(hypothesis), tuple(map(" ".join, references)))
    try:
        snapshot = build_snapshot(with_convention(inputs, convention))
    except ValueError:
        assume(False)
    code = StepCode(snapshot)
    assert code.agrees
    for anchor, markup in snapshot.view.steps.by_anchor.items():
        assert ('data-command="code:' in markup) == (anchor != "cross-check")
        if anchor != "cross-check":
            assert AGREES in code.html(anchor)
            assert "<b>" not in code.html(anchor)
            assert len(lines(code, anchor)) > 1


def test_long_texts_are_not_counted_by_the_definition():
    text = "a b " * (MAX_TOKENS // 4)
    code = StepCode(build_snapshot(Inputs(text, (text,))))
    assert code.has_counted
    code = StepCode(build_snapshot(Inputs(text, (text + "c",))))
    assert (code.has_counted, code.agrees) == (False, True)
    assert "did not run: for more than 300 tokens, fast code counts" in code.html("precision-1")
    assert {values for _, values in lines(code, "precision-1")} == {""}
    assert "ran on the counts of the page’s fast code" in code.html("score")
    assert value_after(code, "brevity-penalty", "if c") == ""
    assert value_after(code, "score", "return let") == "0.9934"


def test_disagreement_is_shown(monkeypatch):
    monkeypatch.setattr(code_html, "isclose", lambda *_, **__: False)
    assert "please report it as a bug" in StepCode(build_snapshot(EXAMPLE)).html("score")


@pytest.mark.parametrize(
    "change",
    [{"matched": [6, 3, 2, 0]}, {"total": [6, 5, 4, 4]}, {"hypothesis_length": 5}],
)
def test_disagreement_of_counts_is_shown(monkeypatch, change):
    monkeypatch.setattr(code_html, "count", lambda *texts: replace(count(*texts), **change))
    assert "please report it as a bug" in StepCode(build_snapshot(EXAMPLE)).html("score")


def test_lines_that_did_not_run_are_dimmed():
    code = StepCode(build_snapshot(Inputs("the cat", ("the cat sat",), max_order="1")))
    idle = re.findall(r'class="line in-\d+ idle">(.*?)\n', code.html("brevity-penalty"))
    code_lines = [line.strip() for line in idle if "&quot;" not in line]  # no docstring
    assert code_lines == ["return 1"]
    assert value_after(code, "brevity-penalty", "return exp") == "0.6065"


def test_right_to_left_text_is_isolated():
    code = StepCode(build_snapshot(Inputs("חתול &", ("חתול",), max_order="1")))
    quoted = [f"&#x27;{text}&#x27;" for text in ("חתול", "&amp;")]
    assert f"{{<bdi>{quoted[0]}</bdi>: 1, {quoted[1]}: 1}}" in code.html("precision-1")


def test_code_shows_every_name_that_selects_lines():
    for parts in PARTS.values():
        for part in parts:
            if not isinstance(part, str):
                function, names = part
                source = inspect.getsource(function)
                assert all(re.search(rf"^ .*\b{name}\b.* =|return", source, re.M) for name in names)


def test_whole_functions_are_shown():
    code = StepCode(build_snapshot(replace(EXAMPLE, smoothing="length-average-last")))
    for anchor, functions in {
        "precision-1": (consecutive, clip),
        "smoothing": (smoothings.length_average, smoothings.length_exp, smoothings._averages),
        "brevity-penalty": (closest, brevity_penalty),
        "score": (geometric_mean,),
    }.items():
        sources = [source for source, _ in lines(code, anchor)]
        for function in functions:
            expected = [line.strip() for line in inspect.getsource(function).splitlines()]
            start = sources.index(expected[0])
            assert sources[start : start + len(expected)] == expected


def test_page_has_the_source_of_all_functions():
    names = {f"{module.__name__.replace('.', '/')}.py" for module in MODULES}
    assert names == set(WITH_SOURCE)
    for name in CONVENTIONS:
        inputs = with_convention(Inputs("a b c d", ("a b c e",)), name)
        snapshot = build_snapshot(inputs)
        method, code = method_of(snapshot.derivation.settings), StepCode(snapshot)
        for stage in {part for parts in PARTS.values() for part in parts if isinstance(part, str)}:
            if stage != "smooth":
                assert sys.modules[getattr(method, stage).__module__] in MODULES
        assert code.agrees


def test_trace_function_is_restored_after_an_error():
    previous, code = sys.gettrace(), StepCode(build_snapshot(EXAMPLE))
    with pytest.raises(TypeError):
        code._record(brevity_penalty, "a", 1)
    assert sys.gettrace() is previous


def test_values_are_cut():
    assert value_text("x" * 200) == f"'{'x' * 88}…"
    assert value_text([1] * 10_000).endswith("…")

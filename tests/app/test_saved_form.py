"""The initial form and the undo history: the newest text is used, and none is lost."""

import json

from hypothesis import given
from hypothesis import strategies as st

from app.state.inputs import FIRST_EXAMPLE, MAX_HISTORY_CHARACTERS, History, Inputs, example_inputs
from app.state.saved_form import (
    FIELDS_BY_CONTROL,
    apply_saved_form,
    initial_form,
    parse_saved_form,
    to_fragment,
)
from tests.app.test_form import forms

LINK = "#hypothesis=linked&reference=its+reference"


def saved_text(inputs, link="", *, whole=True, **other_values):
    """Return a form as boot.mjs saves it."""
    values = {"hypothesis": inputs.hypothesis, **other_values}
    values |= {f"reference-{n}": text for n, text in enumerate(inputs.references, 1)}
    values |= {name: getattr(inputs, field) for name, field in FIELDS_BY_CONTROL.items()}
    return json.dumps({"link": link, "values": values, "whole": whole})


@given(forms)
def test_saved_form_is_restored(inputs):
    assert initial_form("", saved_text(inputs), "").inputs == inputs
    assert initial_form("", "", saved_text(inputs)).inputs == inputs
    assert initial_form("#files", saved_text(inputs), "").inputs == inputs


@given(st.text() | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json.dumps))
def test_stored_text_from_elsewhere_is_ignored(text):
    assert parse_saved_form(text) is None
    assert initial_form("", text, text).inputs is None


control_ids = st.sampled_from(["hypothesis", "reference-1", "reference-x", *FIELDS_BY_CONTROL])
values_of_any_type = st.none() | st.integers() | st.text(max_size=3) | st.booleans()


@given(st.dictionaries(control_ids, values_of_any_type), st.booleans())
def test_saved_values_of_the_wrong_type_are_ignored(values, whole):
    saved = parse_saved_form(json.dumps({"link": 1, "values": values, "whole": whole}))
    inputs = apply_saved_form(Inputs("a", ("b",)), saved)
    assert all(isinstance(text, str) for text in (inputs.hypothesis, *inputs.references))
    assert inputs.convention == values.get("convention") or inputs.convention == "default"


def test_texts_saved_after_the_same_link_replace_it():
    saved_inputs = Inputs("saved", ("my reference",))
    initial = initial_form(LINK, saved_text(saved_inputs, LINK), "")
    assert (initial.inputs, initial.link, initial.overwritten) == (saved_inputs, LINK, None)


def test_another_link_replaces_saved_texts_and_returns_them():
    saved_inputs = Inputs("saved", ("my reference",))
    initial = initial_form(LINK, saved_text(saved_inputs, "#hypothesis=older"), "")
    assert initial.inputs == Inputs("linked", ("its reference",))
    assert (initial.link, initial.overwritten) == (LINK, saved_inputs)


def test_reload_texts_replace_saved_texts_and_link():
    saved_inputs, reload_inputs = Inputs("saved"), Inputs("reloaded", ("x", "y"))
    other_values = {"corpus-system": "a\nb", "corpus-test": "interval", "else": "no"}
    reload = saved_text(reload_inputs, LINK, **other_values)
    initial = initial_form(LINK, saved_text(saved_inputs), reload)
    assert initial.inputs == reload_inputs
    assert initial.file_controls == {"corpus-system": "a\nb", "corpus-test": "interval"}
    longer_link = "#hypothesis=a&reference=b&reference=c"
    assert initial_form(longer_link, "", saved_text(saved_inputs)).inputs == saved_inputs
    invalid_values = {"corpus-system": 7, "corpus-test": ["interval"]}
    assert initial_form("", "", saved_text(saved_inputs, **invalid_values)).file_controls == {}


def test_link_of_the_address_takes_precedence_over_the_saved_link():
    reload = saved_text(Inputs("last"), "#hypothesis=older")
    assert initial_form(LINK, "", reload).link == LINK
    assert initial_form("", "", reload).link == "#hypothesis=older"


def test_text_typed_before_python_is_ready_replaces_its_box_only():
    reload = json.dumps({"link": LINK, "values": {"reference-2": "typed"}, "whole": False})
    assert initial_form(LINK, "", reload).inputs == Inputs("linked", ("its reference", "typed"))
    example = example_inputs(FIRST_EXAMPLE)
    typed = initial_form("", "", reload.replace("reference-2", "hypothesis")).inputs
    assert typed == Inputs("typed", example.references)
    saved = saved_text(Inputs("saved", ("b",)))
    assert initial_form("", saved, reload).inputs == Inputs("saved", ("b", "typed"))


def test_fragment_without_inputs_leaves_the_form():
    initial = initial_form("#precision-2", "", "")
    assert (initial.inputs, initial.link, dict(initial.file_controls)) == (None, "", {})


@given(forms)
def test_link_fills_the_form_if_nothing_is_saved(inputs):
    fragment = "#" + to_fragment(inputs)
    initial = initial_form(fragment, "", "")
    assert (initial.inputs, initial.link) == (inputs, fragment)


def test_changes_are_undone_and_redone_in_order():
    history = History()
    first, second, third, typed = map(Inputs, ("first", "second", "third", "typed"))
    history.add("a", first, second)
    history.add("nothing", second, second)
    history.add("b", second, third)
    assert history.undo(typed) == second
    assert history.undo(second) == first
    assert (history.redo(first), history.redo(second)) == (second, typed)
    assert [change.label for change in history.past] == ["a", "b"]
    assert history.undo(typed) == second
    history.add("c", second, first)
    assert history.future == []


def test_history_is_bounded_and_keeps_the_newest_change():
    history = History()
    for number in range(5):
        history.add(str(number), Inputs(str(number) * (MAX_HISTORY_CHARACTERS // 2)), Inputs())
    assert [change.label for change in history.past] == ["3", "4"]
    history.add("all", Inputs("x" * 2 * MAX_HISTORY_CHARACTERS), Inputs())
    assert [change.label for change in history.past] == ["all"]

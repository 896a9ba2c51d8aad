"""What fills the boxes at the start, and what can be undone: the newest counts, nothing is lost."""

import json

from hypothesis import given
from hypothesis import strategies as st

from app.state.history import MAX_CHARACTERS, History
from app.state.inputs import FIRST_EXAMPLE, Inputs, example_inputs
from app.state.permalink import to_fragment
from app.state.saved_form import FIELDS_BY_CONTROL, apply_saved_form, initial_form, parse_saved_form
from tests.app.test_form import forms

LINK = "#hypothesis=linked&reference=its+reference"


def written(inputs, link="", *, whole=True, **others):
    """What the page keeps of a form."""
    values = {"hypothesis": inputs.hypothesis, **others}
    values |= {f"reference-{n}": text for n, text in enumerate(inputs.references, 1)}
    values |= {name: getattr(inputs, field) for name, field in FIELDS_BY_CONTROL.items()}
    return json.dumps({"link": link, "values": values, "whole": whole})


@given(forms)
def test_a_form_that_was_kept_comes_back(inputs):
    assert initial_form("", written(inputs), "").inputs == inputs
    assert initial_form("", "", written(inputs)).inputs == inputs
    assert initial_form("#files", written(inputs), "").inputs == inputs


@given(st.text() | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json.dumps))
def test_what_is_not_of_this_page_is_passed_over(text):
    assert parse_saved_form(text) is None
    assert initial_form("", text, text).inputs is None


@given(st.dictionaries(st.sampled_from(["hypothesis", "reference-1", "reference-x", *FIELDS_BY_CONTROL]),
                       st.none() | st.integers() | st.text(max_size=3) | st.booleans()),
       st.booleans())  # fmt: skip
def test_values_of_another_kind_are_passed_over(values, whole):
    found = parse_saved_form(json.dumps({"link": 1, "values": values, "whole": whole}))
    inputs = apply_saved_form(Inputs("a", ("b",)), found)
    assert all(isinstance(text, str) for text in (inputs.hypothesis, *inputs.references))
    assert inputs.convention == values.get("convention") or inputs.convention == "default"


def test_kept_texts_are_newer_than_the_link_after_which_they_were_kept():
    mine = Inputs("mine", ("my reference",))
    found = initial_form(LINK, written(mine, LINK), "")
    assert (found.inputs, found.link, found.overwritten) == (mine, LINK, None)


def test_another_link_is_newer_than_kept_texts_and_gives_them_back():
    mine = Inputs("mine", ("my reference",))
    found = initial_form(LINK, written(mine, "#hypothesis=older"), "")
    assert found.inputs == Inputs("linked", ("its reference",))
    assert (found.link, found.overwritten) == (LINK, mine)


def test_what_is_kept_for_one_reload_is_newer_than_all():
    mine, last = Inputs("mine"), Inputs("last", ("x", "y"))
    others = {"corpus-system": "a\nb", "corpus-test": "interval", "else": "no"}
    once = written(last, LINK, **others)
    found = initial_form(LINK, written(mine), once)
    assert found.inputs == last
    assert found.file_controls == {"corpus-system": "a\nb", "corpus-test": "interval"}
    more = "#hypothesis=a&reference=b&reference=c"
    assert initial_form(more, "", written(mine)).inputs == mine
    odd = {"corpus-system": 7, "corpus-test": ["interval"]}
    assert initial_form("", "", written(mine, **odd)).file_controls == {}


def test_what_was_typed_before_python_was_up_lies_over_what_was_there():
    once = json.dumps({"link": LINK, "values": {"reference-2": "typed"}, "whole": False})
    assert initial_form(LINK, "", once).inputs == Inputs("linked", ("its reference", "typed"))
    example = example_inputs(FIRST_EXAMPLE)
    typed = initial_form("", "", once.replace("reference-2", "hypothesis")).inputs
    assert typed == Inputs("typed", example.references)
    kept = written(Inputs("kept", ("b",)))
    assert initial_form("", kept, once).inputs == Inputs("kept", ("b", "typed"))


def test_nothing_opens_nothing():
    found = initial_form("#precision-2", "", "")
    assert (found.inputs, found.link, dict(found.file_controls)) == (None, "", {})


@given(forms)
def test_a_link_alone_is_opened(inputs):
    fragment = "#" + to_fragment(inputs)
    found = initial_form(fragment, "", "")
    assert (found.inputs, found.link) == (inputs, fragment)


def test_changes_are_undone_and_done_again_in_order():
    history = History()
    one, two, three, typed = map(Inputs, ("one", "two", "three", "typed"))
    history.add("a", one, two)
    history.add("nothing", two, two)
    history.add("b", two, three)
    assert history.undo(typed) == two
    assert history.undo(two) == one
    assert (history.redo(one), history.redo(two)) == (two, typed)
    assert [change.label for change in history.past] == ["a", "b"]
    assert history.undo(typed) == two
    history.add("c", two, one)
    assert history.future == []


def test_what_can_be_undone_has_a_bound_and_the_newest_stays():
    history = History()
    for number in range(5):
        history.add(str(number), Inputs(str(number) * (MAX_CHARACTERS // 2)), Inputs())
    assert [change.label for change in history.past] == ["3", "4"]
    history.add("all", Inputs("x" * 2 * MAX_CHARACTERS), Inputs())
    assert [change.label for change in history.past] == ["all"]

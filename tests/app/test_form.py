"""The page's pure modules: what the form means, its link, its HTML."""

import doctest
import importlib
import pkgutil
import re
from dataclasses import replace
from fractions import Fraction
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

import app
from app.build.stdlib import needs_browser
from app.components.controls import SMOOTHING_LABELS, TOKENIZER_LABELS
from app.components.text_boxes import reference_boxes
from app.score.html import build_snapshot, pinned_text
from app.state.form import (
    FormError,
    departures,
    error_location,
    form_derivation,
    form_settings,
    weights_hint,
)
from app.state.inputs import (
    CONTROLS,
    Inputs,
    apply_action,
    example_inputs,
    input_notes,
    keep_typed_text,
    swap_texts,
    with_convention,
)
from app.state.permalink import from_fragment, to_fragment
from app.template import fill_template
from app.tools.html import code_html, comparison_slices, tokenizer_lens, what_if_slices
from bleu import CONVENTIONS, EXAMPLES, SMOOTHINGS, TOKENIZERS, sentence_bleu
from bleu.core.conventions import convention_settings


def makes_sense(inputs):
    """Whether the implementation has all that is chosen."""
    try:
        return bool(form_settings(inputs))
    except FormError:
        return False


texts = st.text(alphabet=st.characters(exclude_categories=["Cs"]))
forms = st.builds(
    Inputs,
    texts,
    st.lists(texts, min_size=1, max_size=4).map(tuple),
    st.sampled_from(list(CONVENTIONS)),
    st.sampled_from(list(TOKENIZERS)),
    st.integers(1, 9).map(str),
    st.sampled_from(list(SMOOTHINGS)),
    st.just(""),
    st.booleans(),
    st.just(""),
    st.booleans(),
    st.sampled_from(["closest", "shortest", "average"]),
).filter(makes_sense)


def comparison_html(inputs):
    """The finished table of all conventions."""
    *_, markup = comparison_slices(build_snapshot(inputs))
    return markup


PURE = {
    module.name
    for module in pkgutil.walk_packages(app.__path__, "app.")
    if not needs_browser(module.name)
}


@pytest.mark.host
@pytest.mark.parametrize("name", sorted(PURE))
def test_examples_are_true(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@given(forms)
def test_a_link_restores_the_form(inputs):
    assert from_fragment("#" + to_fragment(inputs)) == inputs


@given(st.text())
def test_any_fragment_gives_a_form_that_scores_or_none(fragment):
    inputs = from_fragment(fragment)
    if inputs is not None:
        assert 0 <= form_derivation(inputs).score.value <= 1


names = st.sampled_from(["hypothesis", "reference", "convention", *CONTROLS.values()])
values = st.one_of(
    st.text(max_size=5),
    st.sampled_from([*CONVENTIONS, *SMOOTHINGS, *TOKENIZERS, "1", "9", "yes", "1e-300", "0.5,0.5"]),
)


@given(st.lists(st.tuples(names, values), max_size=6).map(urlencode))
def test_whatever_a_link_says_of_what_it_may_say_it_opens(fragment):
    inputs = from_fragment(fragment)
    if inputs is not None:
        assert form_settings(inputs)
        assert from_fragment(to_fragment(inputs)) == inputs


@pytest.mark.parametrize(
    "bad",
    ["max-order=0", "max-order=x", "smoothing=laplace", "smoothing-value=-1&smoothing=floor",
     "weights=1,1", "reference-length=longest", "lowercase=perhaps", "max-order=²"],
)  # fmt: skip
def test_bad_values_in_a_link_fall_back_and_lose_no_text(bad):
    inputs = from_fragment(f"hypothesis=a&reference=b&{bad}")
    assert inputs is not None
    assert (inputs.hypothesis, inputs.references) == ("a", ("b",))
    assert form_settings(inputs).max_order == 4


def test_weights_in_a_link_go_with_their_order():
    inputs = from_fragment("hypothesis=a&reference=a&max-order=2&weights=0.25,0.75")
    assert inputs is not None
    assert list(map(float, form_settings(inputs).weights or ())) == [0.25, 0.75]


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        (Inputs(max_order="0"), "N is '0'. Choose a whole number from 1 to 9."),
        (Inputs(max_order="four"), "'four'"),
        (
            Inputs(smoothing="floor", smoothing_value="2"),
            "ε = 2 is out of range. Type a number above 0 and at most 1",
        ),
        (
            Inputs(smoothing="add-k", smoothing_value="many"),
            "“many” is not a number. For k, type a number above 0, such as 1.",
        ),
        (Inputs(max_order="1", weights="1 0"), "2 weights for N = 1. Type 1 weight, which is 1"),
        (Inputs(weights="0.5 0.6"), "You gave 2 weights for N = 4. Type 4 weights that sum to 1"),
        (Inputs(max_order="2", weights="0.5 0.6"), "sum to 1.1"),
        (Inputs(smoothing="laplace"), "choose one of: none, floor, add-k, exp"),
    ],
)
def test_bad_settings_name_the_value_and_the_choices(inputs, message):
    with pytest.raises(ValueError, match=message):
        form_settings(inputs)


@pytest.mark.parametrize(
    ("inputs", "field"),
    [
        (Inputs(max_order="0"), "max-order"),
        (Inputs(smoothing="floor", smoothing_value="0,x"), "smoothing-value"),
        (Inputs(smoothing="floor", smoothing_value="1e-999"), "smoothing-value"),
        (Inputs(smoothing="add-k-all", smoothing_value="-1", convention="sacrebleu-r-add-k"),
         "smoothing-value"),
        (Inputs(smoothing="add-k-all", smoothing_value="0,5", convention="sacrebleu-r-add-k"),
         "smoothing-value"),
        (Inputs(weights="one; two"), "weights"),
        (Inputs(weights="-1 1 1 0"), "weights"),
        (Inputs(weights="1"), "weights"),
        (Inputs(weights="0.5 0.5", max_order="1"), "weights"),
        (Inputs("a b", ("a b",), smoothing="interpolation", max_order="2"), "max-order"),
        (Inputs("a b c", ("a b",), smoothing="interpolation"), "smoothing"),
    ],
)  # fmt: skip
def test_an_error_names_its_field_and_stands_in_the_words_of_the_form(inputs, field):
    with pytest.raises(FormError) as caught:
        form_derivation(inputs)
    named, words = error_location(caught.value)
    assert named == field
    assert re.fullmatch(r"[A-Z“ε0-9−k-].*\. (Type|Choose|Interpolation|For) .*\.", words)
    assert not re.search(r"max_order|smoothing_value|'", words) or field == "max-order"


def test_a_long_or_odd_number_is_cut_and_made_visible():
    for typed, shown in (("9" * 5000, f"“{'9' * 30}…”"), ("\u202e1", "“⟨U+202E⟩1”")):
        with pytest.raises(FormError) as caught:
            form_settings(Inputs(smoothing="floor", smoothing_value=typed))
        assert shown in str(caught.value)


def test_another_error_is_a_sentence_of_no_field():
    assert error_location(ValueError("what is wrong")) == ("", "What is wrong.")


@pytest.mark.parametrize(
    "weights", ["0,5; 0,5", "0,5;0,5", "0,5 0,5", "0,5, 0,5", "0.5, 0.5", "0.5,0.5", "1/2 1/2"]
)
def test_weights_are_read_with_decimal_commas_and_points(weights):
    assert form_settings(Inputs(max_order="2", weights=weights)).weights == (Fraction(1, 2),) * 2


def test_a_number_that_the_page_shows_is_read():
    read = form_settings(Inputs(smoothing="nltk-min-float", smoothing_value="2.225e−300"))
    assert read.smoothing_value == Fraction("2.225e-300")


def test_several_commas_in_a_number_separate_weights():
    assert form_settings(Inputs(weights="1,0,0 0")).weights == (1, 0, 0, 0)


def test_a_comma_alone_lies_between_two_whole_weights():
    assert form_settings(Inputs(max_order="2", weights="1,0")).weights == (1, 0)
    assert form_settings(Inputs(max_order="4", weights="1, 0, 0, 0")).weights == (1, 0, 0, 0)


@pytest.mark.parametrize(
    ("hypothesis", "references", "words"),
    [
        ("", ("",), "Type or paste a candidate"),
        ("a", (" ", ""), "Type or paste a reference"),
        (" \n", ("a",), "Type or paste the candidate"),
    ],
)
def test_where_a_text_is_missing_the_page_says_what_to_do_and_gives_no_verdict(
    hypothesis, references, words
):
    view = build_snapshot(Inputs(hypothesis, references)).view
    assert words in view.result
    assert "result-title" in view.result
    for verdict in ("0.00", "Cross-checked", "useless", "Why 0", "data-value"):
        assert verdict not in view.result
    assert view.figures == ""
    assert view.steps == ()
    assert words in view.contents
    assert view.spoken.startswith("No score yet")


def test_there_is_no_difference_from_a_pinned_score_while_a_text_is_missing():
    before = form_derivation(Inputs("a b c d", ("a b c d",)))
    assert pinned_text(before, None) == "Pinned: <b>100.00</b>."


def test_each_string_of_code_keeps_its_own_direction():
    shown = code_html(build_snapshot(Inputs("القطة على", ("القطة هنا",), max_order="1")))
    assert "<bdi>&#x27;القطة على&#x27;</bdi>" in shown


def test_every_order_that_fails_is_named():
    def words(inputs):
        return re.sub("<[^>]*>", "", build_snapshot(inputs).view.result)

    result = words(Inputs("the the the the", ("the cat is on the mat",)))
    assert "so p₂ = 0/3. p₃ and p₄ are 0, too." in result
    result = words(Inputs("a b", ("a b",), max_order="9"))
    assert "so it has no 3-gram and p₃ = 0. p₄ to p₉ are 0, too." in result


@pytest.mark.parametrize(
    ("weights", "hinted"),
    [("0,25,0,75,1", True), ("0,5; 0,5", False), ("0.5,0.5", False), ("0,5 0,5", False)],
)
def test_semicolons_are_asked_for_where_commas_alone_stand(weights, hinted):
    with pytest.raises(FormError) as error:
        form_settings(Inputs(weights=weights))
    assert ("Put semicolons between" in str(error.value)) == hinted


@pytest.mark.parametrize(
    ("texts", "convention", "words"),
    [
        (("a b c d", "a b c d"), "nltk-method5", "</strong>: It can exceed the full score"),
        (("a b c x", "a b c d"), "nltk-method5", ""),
        (("a b", "b a"), "coco-caption", "on the 0–1 scale stands for 0."),
        (("a b", "b a"), "nltk-method0", ""),
        (("a b c d", "a b c d"), "coco-caption", ""),
    ],
)
def test_a_caution_stands_where_it_concerns_the_texts(texts, convention, words):
    chosen = with_convention(Inputs(texts[0], (texts[1],)), convention)
    result = build_snapshot(chosen).view.result
    assert words in result
    if not words:
        assert "Caution" not in result
        assert "stands for 0" not in result


def test_changed_settings_have_no_caution_about_the_convention():
    inputs = with_convention(Inputs("a b c d", ("a b c d",)), "nltk-method5")
    assert "Caution" in build_snapshot(inputs).view.result
    result = build_snapshot(replace(inputs, reference_length="shortest")).view.result
    assert "NLTK method 5, but" in result
    assert "Caution" not in result


@pytest.mark.parametrize("order", range(1, 10))
def test_the_hint_for_weights_is_a_list_that_is_taken(order):
    *_, such = weights_hint(order).split("such as ")
    weights = such if order > 1 else "1"
    assert form_settings(Inputs(max_order=str(order), weights=weights)).order_weights


def test_a_score_of_0_is_one_box_and_each_button_gives_the_number_beside_it():
    inputs = Inputs("hello world", ("hello world",))
    result = build_snapshot(inputs).view.result
    assert result.count("Why 0?") == 1
    assert "NLTK, without smoothing, prints 1.5e−154 for it." in result
    found = re.findall(r"<b>([\d.]+)</b> with <button[^>]* data-command=\"apply:([^\"]+)\"", result)
    assert [action for _, action in found] == [
        "smoothing:floor", "smoothing:add-k", "effective_order:True", "max_order:2",
    ]  # fmt: skip
    for number, action in found:
        value = form_derivation(apply_action(inputs, action)).score.value
        assert f"{value * 100:.2f}" == number


def test_a_score_of_0_that_nothing_helps_offers_nothing():
    result = build_snapshot(Inputs("a b", ("c d",))).view.result
    assert "NLTK prints 0, too." in result
    assert "apply:" not in result


def test_an_empty_reference_box_does_not_count_while_another_has_text():
    inputs = Inputs("a b", ("a b", " ", ""))
    assert form_derivation(inputs).references == (("a", "b"),)
    assert input_notes(inputs) == [
        "Reference 2 is empty and does not count.",
        "Reference 3 is empty and does not count.",
    ]
    assert form_derivation(Inputs("a", ("", ""))).references == ((),)
    assert input_notes(Inputs("a", ("",))) == []


def test_a_long_text_is_scored_whole_and_says_so():
    words = "word " * 10_001
    assert form_derivation(Inputs(words, (words,))).score.hypothesis_length == 10_001
    assert [line for line in input_notes(Inputs(words, (words,))) if "50,005" in line]


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_fills_the_form_so_that_it_scores_as_it_must(name):
    assert form_derivation(example_inputs(name)).score.value == pytest.approx(EXAMPLES[name].value)
    assert from_fragment(to_fragment(example_inputs(name))) == example_inputs(name)


@pytest.mark.parametrize("name", CONVENTIONS)
def test_every_convention_fills_the_form_and_its_link_so_that_it_scores_as_in_the_library(name):
    text = "the cat is on mat near the dog", "the cat is on the mat"
    inputs = with_convention(Inputs(text[0], text[1:]), name)
    assert from_fragment(to_fragment(inputs)) == inputs
    assert form_settings(inputs) == convention_settings(name)
    expected = sentence_bleu(*text[:1], text[1:], convention=name)
    assert form_derivation(inputs).score.value == expected.value
    assert build_snapshot(inputs).derivation.score == expected
    *_, worth = what_if_slices(build_snapshot(inputs), [])
    assert "Each word removed in turn" in worth


def test_what_is_typed_over_a_link_with_more_references_leaves_the_others():
    built, link = Inputs("a", ("b",)), Inputs("c", ("d", "e", "f"))
    assert keep_typed_text(link, built, Inputs("a", ("x",))) == Inputs("c", ("x", "e", "f"))
    assert keep_typed_text(link, built, built) == link


@pytest.mark.parametrize("value", ["perhaps", "", "True", "1"])
def test_a_choice_of_yes_or_no_that_is_neither_is_as_the_convention_has_it(value):
    inputs = from_fragment(f"hypothesis=A&convention=papineni&lowercase={value}")
    assert inputs is not None
    assert inputs.lowercase is True
    assert from_fragment("hypothesis=A&convention=papineni&lowercase=no").lowercase is False


def test_swapping_twice_is_nothing():
    inputs = Inputs("a", ("b", "c"))
    assert swap_texts(swap_texts(inputs)) == inputs != swap_texts(inputs)


def test_boxes_are_numbered_and_escaped():
    boxes = reference_boxes(("a", "</textarea><script>"))
    assert 'id="reference-2"' in boxes
    assert "<script>" not in boxes
    assert "remove:" not in reference_boxes(("a",))


def test_the_page_carries_the_first_example():
    shown = fill_template("<!--build:result--><!--build:derivation-->")
    assert "57.89" in shown
    for anchor in ("tokens", "precision-4", "brevity-penalty", "score-step", "cross-check"):
        assert f'id="{anchor}"' in shown
    ids = re.findall(r' id="([^"]+)"', shown)
    assert len(ids) == len(set(ids))
    assert build_snapshot(example_inputs("partial-match")).view.result in shown


def test_a_menu_offers_all_there_is_and_no_two_entries_have_one_name():
    for labels, names in (SMOOTHING_LABELS, SMOOTHINGS), (TOKENIZER_LABELS, TOKENIZERS):
        assert set(labels) == set(names)
        assert len(set(labels.values())) == len(labels)


def test_the_lens_shows_the_tokenizers_that_differ_with_their_scores():
    inputs = Inputs("It's 5€, yes.", ("It's 5€ yes.", "", "yes"))
    lens = tokenizer_lens(inputs)
    titles = re.findall("<h3>([^<]+)</h3>", lens)
    assert titles[0].startswith("white space (chosen): BLEU 0.00")
    for title in titles[1:]:
        name = title.split(" and ")[0].split(",")[0].split(":")[0]
        value = sentence_bleu("It's 5€, yes.", ["It's 5€ yes.", "yes"], tokenizer=name).value
        assert title.endswith(f"BLEU {value * 100:.2f} on the 0–100 scale")
    assert lens.count("<h4>") == 3 * len(titles)
    same = tokenizer_lens(Inputs("a b", ("a b",)))
    assert "the same tokens as your choice, <strong>white space</strong>." in same


def test_a_convention_whose_smoothing_was_changed_is_not_said_to_report_that():
    texts = Inputs("the cat sat on mat", ("the cat is on the mat",), convention="nltk-method0")
    own = build_snapshot(with_convention(texts, "nltk-method0")).view.result
    assert "It reports 8.167e−155" in own
    assert "NLTK’s method1" in own
    floored = build_snapshot(
        replace(with_convention(texts, "nltk-method0"), smoothing="floor")
    ).view.result
    assert "It reports" not in floored
    assert "NLTK method 0, but with smoothing floor (ε = 0.1)" in floored


@pytest.mark.parametrize("name", CONVENTIONS)
def test_no_convention_departs_from_itself(name):
    chosen = with_convention(Inputs("a b c d", ("a b c d",)), name)
    assert departures(name, build_snapshot(chosen).derivation.settings) == []


def test_the_comparison_folds_what_agrees():
    markup = comparison_html(Inputs("the cat is on mat", ("the cat is on the mat",)))
    shown, folded = markup.split('<details class="agreeing">')
    assert "convention:nltk-method2" in shown
    assert "convention:default" in folded
    assert "ways give the same score as this page" in folded


@pytest.mark.parametrize("convention", ["fairseq", "fairseq-sentence", "tensor2tensor"])
def test_several_references_are_refused_at_the_implementation_that_takes_one(convention):
    inputs = with_convention(Inputs("a b", ("a b", "a c")), convention)
    with pytest.raises(FormError) as caught:
        build_snapshot(inputs)
    field, words = error_location(caught.value)
    assert field == "convention"
    assert words.startswith("There are 2 references, and ")
    assert words.endswith("takes one. Remove the others, or choose another implementation.")
    assert from_fragment(to_fragment(inputs)) == inputs
    assert build_snapshot(replace(inputs, references=("a b", " "))).derivation.references == (
        ("a", "b"),
    )
    rows = comparison_html(Inputs("a b", ("a b", "a c")))
    [row] = [row for row in rows.split("<tr") if "It takes one reference only." in row]
    assert row.count("data-command=") == 3


@pytest.mark.parametrize(
    ("inputs", "field", "words"),
    [
        (
            Inputs(convention="fairseq", max_order="5"),
            "max-order",
            "N is 5, and fairseq takes up to 4",
        ),
        (Inputs(convention="mteval-v13a", effective_order=True), "effective-order", "Untick it"),
        (Inputs(smoothing="floor", smoothing_value="0"), "smoothing-value", "choose the smoothing"),
        (Inputs(weights="1 1 1 1"), "weights", "divide each by their sum"),
    ],
)
def test_what_an_implementation_does_not_have_is_said_at_its_control(inputs, field, words):
    with pytest.raises(FormError) as caught:
        form_settings(inputs)
    assert error_location(caught.value)[0] == field
    assert words in error_location(caught.value)[1]


def test_unusual_values_are_computed_with_a_note():
    inputs = with_convention(Inputs("a b c d e", ("a b c d f",)), "torchtext")
    weighted = build_snapshot(replace(inputs, weights="0.33 0.33 0.33 0"))
    assert "The weights sum to 0.99, not to 1." in dict(weighted.view.steps)["score"]
    floor = with_convention(Inputs("a b x d e", ("a b c d f",)), "sacrebleu-floor")
    nothing = replace(floor, smoothing_value="0")
    assert "it is smoothing none" in dict(build_snapshot(nothing).view.steps)["score"]
    assert from_fragment(to_fragment(nothing)) == nothing
    assert build_snapshot(nothing).derivation.score.value == 0


def test_an_implementation_that_takes_n_up_to_4_lowers_n():
    assert with_convention(Inputs(max_order="7"), "coco-caption").max_order == "4"
    assert with_convention(Inputs(max_order="3"), "coco-caption").max_order == "3"


@pytest.mark.parametrize("name", CONVENTIONS)
def test_while_a_text_is_missing_no_implementation_fails(name):
    for inputs in (Inputs(), Inputs("a"), Inputs("", ("a",))):
        if not name.startswith("nltk-method6"):
            assert "No score yet" in build_snapshot(with_convention(inputs, name)).view.result


def test_a_finding_has_a_button_where_something_can_be_done():
    result = build_snapshot(Inputs("The cat", ("the  cat",))).view.result
    assert result.count('data-command="apply:lowercase">Lowercase the texts</button>') == 1
    spaces = build_snapshot(Inputs("the cat", ("the  cat",))).view.result
    [findings] = re.findall('<ul class="note findings">.*?</ul>', spaces)
    assert "Apart from spaces" in findings
    assert "<button" not in findings

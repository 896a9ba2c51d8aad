"""The form: its settings, errors, link and HTML; and the doctests of the app."""

import doctest
import importlib
import pkgutil
import re
from dataclasses import replace
from fractions import Fraction
from html import escape
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

import app
from app.build.stdlib import needs_browser
from app.components import SMOOTHING_LABELS, TOKENIZER_LABELS, reference_boxes
from app.score.html import build_snapshot, pinned_text
from app.state.file_settings import FileInputs, with_file_convention
from app.state.form import (
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
from app.state.saved_form import from_fragment, to_fragment
from app.template import fill_template
from app.tools.html import code_html, iter_comparison_html, iter_what_if_html, tokenizers_html
from bleu import (
    CONVENTIONS,
    EXAMPLES,
    SMOOTHINGS,
    TOKENIZERS,
    SettingError,
    sentence_bleu,
)
from bleu.analysis.comparison import convention_results
from bleu.core.conventions import convention_settings
from bleu.core.progress import run_to_end
from bleu.explanation.comparison import LEADING
from bleu.formats import SCORE_FORMATS
from bleu.render.html import prose
from bleu.render.numbers import score_text
from tests.render.test_render import parse_xml
from tests.support.plain_markup import plain


def is_valid(inputs):
    """Return whether the convention supports all settings."""
    try:
        return bool(form_settings(inputs))
    except SettingError:
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
).filter(is_valid)


def comparison_html(inputs):
    """Return the table of all conventions."""
    return run_to_end(iter_comparison_html(build_snapshot(inputs)))


PURE = {
    module.name
    for module in pkgutil.walk_packages(app.__path__, "app.")
    if not needs_browser(module.name)
}


@pytest.mark.host
@pytest.mark.parametrize("name", sorted(PURE))
def test_doctests_pass(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@given(forms)
def test_link_restores_the_form(inputs):
    assert from_fragment("#" + to_fragment(inputs)) == inputs


@given(st.text())
def test_any_fragment_gives_none_or_inputs_with_a_score(fragment):
    inputs = from_fragment(fragment)
    if inputs is not None:
        assert 0 <= form_derivation(inputs).score.value <= 1


names = st.sampled_from(["hypothesis", "reference", "convention", *CONTROLS.values()])
values = st.one_of(
    st.text(max_size=5),
    st.sampled_from([*CONVENTIONS, *SMOOTHINGS, *TOKENIZERS, "1", "9", "yes", "1e-300", "0.5,0.5"]),
)


@given(st.lists(st.tuples(names, values), max_size=6).map(urlencode))
def test_link_with_any_settings_opens(fragment):
    inputs = from_fragment(fragment)
    if inputs is not None:
        assert form_settings(inputs)
        assert from_fragment(to_fragment(inputs)) == inputs


@pytest.mark.parametrize(
    "invalid_part",
    ["max-order=0", "max-order=x", "smoothing=laplace", "smoothing-value=-1&smoothing=floor",
     "weights=1,1", "reference-length=longest", "lowercase=perhaps", "max-order=²"],
)  # fmt: skip
def test_invalid_values_in_a_link_fall_back_and_keep_the_texts(invalid_part):
    inputs = from_fragment(f"hypothesis=a&reference=b&{invalid_part}")
    assert inputs is not None
    assert (inputs.hypothesis, inputs.references) == ("a", ("b",))
    assert form_settings(inputs).max_order == 4


def test_weights_in_a_link_are_valid_for_its_max_order():
    inputs = from_fragment("hypothesis=a&reference=a&max-order=2&weights=0.25,0.75")
    assert inputs is not None
    assert list(map(float, form_settings(inputs).weights or ())) == [0.25, 0.75]


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        (Inputs(max_order="0"), "N is “0”. Choose a whole number from 1 to 9."),
        (Inputs(max_order="four"), "“four”"),
        (
            Inputs(smoothing="floor", smoothing_value="2"),
            "The ε of smoothing floor is 2. Choose a number above 0 and at most 1.",
        ),
        (
            Inputs(smoothing="add-k", smoothing_value="many"),
            "The k of smoothing add-k is “many”, which is not a finite number. Give one",
        ),
        (
            Inputs(max_order="1", weights="1 0"),
            "The number of weights is 2, and N is 1. Give one number",
        ),
        (
            Inputs(weights="0.5 0.6"),
            "The number of weights is 2, and N is 4. Give one number",
        ),
        (Inputs(max_order="2", weights="0.5 0.6"), "sum to 1.1"),
        (Inputs(smoothing="laplace"), "Choose one of: none, floor, add-k, exp"),
        (Inputs(lang="xx"), "The language is “xx”. Choose one from the menu."),
    ],
)
def test_error_of_a_setting_names_the_value_and_the_choices(inputs, message):
    with pytest.raises(SettingError) as caught:
        form_settings(inputs)
    assert message in error_location(caught.value)[1]


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
        (Inputs("a b", ("a b",), smoothing="interpolation-last", max_order="2"), "max-order"),
        (Inputs("a b c", ("a b",), smoothing="interpolation-last"), "smoothing"),
    ],
)  # fmt: skip
def test_error_names_its_control_in_the_terms_of_the_form(inputs, field):
    with pytest.raises(SettingError) as caught:
        form_derivation(inputs)
    control, message = error_location(caught.value)
    assert control == field
    assert re.fullmatch(r"[A-Z].*\. (Choose|Give) .*\.", message)
    assert not re.search(r"_|'", message)


def test_error_quotes_a_shortened_and_escaped_number():
    for text, quoted in (("9" * 5000, f"'{'9' * 58}…. "), ("\u202e1", r"“\u202e1”")):
        with pytest.raises(SettingError) as caught:
            form_settings(Inputs(smoothing="floor", smoothing_value=text))
        assert quoted in error_location(caught.value)[1]


def test_error_without_a_control_is_a_sentence():
    assert error_location(ValueError("what is wrong")) == ("", "What is wrong.")


@pytest.mark.parametrize(
    "weights", ["0,5; 0,5", "0,5;0,5", "0,5 0,5", "0,5, 0,5", "0.5, 0.5", "0.5,0.5", "1/2 1/2"]
)
def test_weights_may_have_decimal_commas_or_points(weights):
    assert form_settings(Inputs(max_order="2", weights=weights)).weights == (Fraction(1, 2),) * 2


def test_number_as_shown_on_the_page_is_parsed():
    settings = form_settings(Inputs(smoothing="nltk-min-float", smoothing_value="2.225e−300"))
    assert settings.smoothing_value == Fraction("2.225e-300")


def test_several_commas_in_a_number_separate_weights():
    assert form_settings(Inputs(weights="1,0,0 0")).weights == (1, 0, 0, 0)


def test_comma_separates_whole_weights():
    assert form_settings(Inputs(max_order="2", weights="1,0")).weights == (1, 0)
    assert form_settings(Inputs(max_order="4", weights="1, 0, 0, 0")).weights == (1, 0, 0, 0)


@pytest.mark.parametrize(
    ("hypothesis", "references", "request_text"),
    [
        ("", ("",), "Type or paste a candidate"),
        ("a", (" ", ""), "Type or paste a reference"),
        (" \n", ("a",), "Type or paste the candidate"),
    ],
)
def test_missing_text_is_requested_and_nothing_is_scored(hypothesis, references, request_text):
    view = build_snapshot(Inputs(hypothesis, references)).view
    assert request_text in view.result
    assert "result-title" in view.result
    for verdict in ("0.00", "Cross-checked", "useless", "Why 0", "data-value"):
        assert verdict not in view.result
    assert view.steps.by_anchor == {}
    assert view.steps.by_anchor == {}
    assert request_text in view.steps.contents
    assert view.spoken.startswith("No score yet")


def test_link_hides_the_score_until_it_is_shown():
    inputs = Inputs("the cat is on mat", ("the cat is on the mat",), hides_score=True)
    snapshot = build_snapshot(inputs)
    view = snapshot.view
    assert "predict it first" in snapshot.todo
    assert 'data-command="reveal"' in view.result
    for shown in (view.result, view.line, view.spoken, view.steps.contents):
        assert not re.search("[0-9]{2}[.][0-9]|data-value", shown)
    assert view.steps.by_anchor == {}
    assert from_fragment(to_fragment(inputs)) == inputs
    shown = replace(inputs, hides_score=False)
    assert "57.89" in build_snapshot(shown).view.result
    assert "hide" not in to_fragment(shown)


def test_pinned_text_shows_no_difference_while_a_text_is_missing():
    pinned = form_derivation(Inputs("a b c d", ("a b c d",)))
    assert pinned_text(pinned, None) == "Pinned: <b>100.00</b>."


def test_strings_in_code_are_isolated_in_direction():
    markup = code_html(build_snapshot(Inputs("القطة على", ("القطة هنا",), max_order="1")))
    assert "<bdi>&#x27;القطة على&#x27;</bdi>" in markup


def test_quotations_of_the_texts_have_their_own_direction():
    inputs = Inputs("3 חתולים, (a)", ("3 חתולים (a)",), max_order="1", lang="yi")
    assert (
        'words: “<bdi dir="rtl" lang="yi" translate="no">חתולים,</bdi>” does'
        in build_snapshot(inputs).view.result
    )
    what_if = run_to_end(iter_what_if_html(build_snapshot(inputs), []))
    assert (
        'replace “<bdi dir="rtl" lang="he" translate="no">חתולים,</bdi>” with “<bdi dir="rtl"'
        in what_if
    )
    assert prose("remove “(a)”") == 'remove “<bdi translate="no">(a)</bdi>”'


def test_every_order_with_precision_zero_is_named():
    def result_text(inputs):
        return re.sub("<[^>]*>", "", build_snapshot(inputs).view.result)

    result = result_text(Inputs("the the the the", ("the cat is on the mat",)))
    assert "p₂ = 0/3, and a product with a factor of 0 is 0." in result
    assert "p₃ and p₄ are 0, too." in result
    result = result_text(Inputs("a b", ("a b",), max_order="9"))
    assert "so it has no 3 words in a row and p₃ = 0, and" in result
    assert "p₄ to p₉ are 0, too." in result


@pytest.mark.parametrize(
    ("weights", "has_hint"),
    [("0,25,0,75,1", True), ("0,5; 0,5", False), ("0.5,0.5", False), ("0,5 0,5", False)],
)
def test_semicolons_are_suggested_if_there_are_only_commas(weights, has_hint):
    with pytest.raises(SettingError) as error:
        form_settings(Inputs(weights=weights))
    assert ("semicolons between" in str(error.value)) == has_hint


@pytest.mark.parametrize(
    ("texts", "convention", "caution"),
    [
        (("a b c d", "a b c d"), "nltk-method5", "</strong>: It can exceed the full score"),
        (("a b c x", "a b c d"), "nltk-method5", ""),
        (("a b", "b a"), "coco-caption", "on the 0–1 scale stands for 0."),
        (("a b", "b a"), "nltk-method0", ""),
        (("a b c d", "a b c d"), "coco-caption", ""),
    ],
)
def test_caution_is_shown_only_if_it_concerns_the_texts(texts, convention, caution):
    inputs = with_convention(Inputs(texts[0], (texts[1],)), convention)
    result = build_snapshot(inputs).view.result
    assert caution in result
    if not caution:
        assert "Caution" not in result
        assert "stands for 0" not in result


def test_changed_settings_have_no_caution_about_the_convention():
    inputs = with_convention(Inputs("a b c d", ("a b c d",)), "nltk-method5")
    assert "Caution" in build_snapshot(inputs).view.result
    result = build_snapshot(replace(inputs, reference_length="shortest")).view.result
    assert "NLTK method 5, but" in result
    assert "Caution" not in result


@pytest.mark.parametrize("order", range(1, 10))
def test_example_in_the_hint_for_weights_is_valid(order):
    *_, listed_weights = weights_hint(order).split("such as ")
    weights = listed_weights if order > 1 else "1"
    assert form_settings(Inputs(max_order=str(order), weights=weights)).order_weights


def test_score_of_zero_has_one_note_whose_buttons_give_their_scores():
    inputs = Inputs("hello world", ("hello world",))
    result = build_snapshot(inputs).view.result
    assert result.count("Why 0?") == 1
    assert "Without smoothing, NLTK prints 1.5e−154 instead." in plain(result)
    remedies = re.findall(
        r"<b>([\d.]+)</b> with <button[^>]* data-command=\"apply:([^\"]+)\"", result
    )
    assert [action for _, action in remedies] == [
        "smoothing:floor", "smoothing:add-k", "effective_order:True", "max_order:2",
    ]  # fmt: skip
    for score, action in remedies:
        value = form_derivation(apply_action(inputs, action)).score.value
        assert f"{value * 100:.2f}" == score


def test_score_of_zero_without_a_remedy_has_no_buttons():
    result = build_snapshot(Inputs("a b", ("c d",))).view.result
    assert "Almost every tool gives 0 here." in result
    assert "apply:" not in result


def test_score_of_zero_recommends_one_remedy_first():
    result = build_snapshot(Inputs("a b c x", ("a b c d",))).view.result
    note = result[result.index("why-zero") :]
    commands = re.findall('data-command="(apply:[^"]*)"( class="[a-z]*")', note)
    assert commands[0] == ("apply:convention:sacrebleu-sentence", ' class="first"')
    assert {style for _, style in commands[1:]} == {' class="action"'}
    [label] = re.findall("Score like sacreBLEU: ([0-9.]+)<", note)
    other = apply_action(Inputs("a b c x", ("a b c d",)), "convention:sacrebleu-sentence")
    assert label == f"{100 * build_snapshot(other).derivation.score.value:.2f}"


@pytest.mark.parametrize(
    ("hypothesis", "reference", "tokenizer"),
    [("我喜欢在公园里散步。", "我喜欢去公园散步。", "zh"), ("ฉันรักคุณ", "ฉันรักแมว", "char")],
)
def test_score_of_zero_without_spaces_recommends_a_tokenizer(hypothesis, reference, tokenizer):
    inputs = Inputs(hypothesis, (reference,))
    result = build_snapshot(inputs).view.result
    assert "This script has no spaces, so whole sentences are words" in result
    assert result.count("no spaces") == 1
    assert "Almost every tool" not in result
    action = f"convention:sacrebleu-sentence+{tokenizer}"
    pattern = (
        f'data-command="apply:{re.escape(action)}"[^>]*>Tokenizer {tokenizer}, [^<]*: ([0-9.]+)<'
    )
    [label] = re.findall(pattern, result)
    other = apply_action(inputs, action)
    assert other.tokenizer == tokenizer
    assert label == f"{100 * build_snapshot(other).derivation.score.value:.2f}"


@pytest.mark.parametrize("pair", [("the cat sat", "狗 was here"), ("a x 猫", "y b c")])
def test_single_characters_are_no_script_without_spaces(pair):
    hypothesis, reference = pair
    result = build_snapshot(Inputs(hypothesis, (reference,))).view.result
    assert "No word of the candidate is in the reference" in result
    assert "no spaces" not in result


def test_empty_reference_is_left_out_unless_all_are_empty():
    inputs = Inputs("a b", ("a b", " ", ""))
    assert form_derivation(inputs).references == (("a", "b"),)
    assert input_notes(inputs) == [
        "Reference 2 is empty and does not count.",
        "Reference 3 is empty and does not count.",
    ]
    assert form_derivation(Inputs("a", ("", ""))).references == ((),)
    assert input_notes(Inputs("a", ("",))) == []


def test_long_text_is_scored_completely_with_a_note():
    text = "word " * 10_001
    assert form_derivation(Inputs(text, (text,))).score.hypothesis_length == 10_001
    assert [note for note in input_notes(Inputs(text, (text,))) if "50,005" in note]


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_inputs_give_the_score_of_the_example(name):
    assert form_derivation(example_inputs(name)).score.value == pytest.approx(EXAMPLES[name].value)
    assert from_fragment(to_fragment(example_inputs(name))) == example_inputs(name)


@pytest.mark.parametrize("name", CONVENTIONS)
def test_convention_in_form_and_link_scores_as_in_the_library(name):
    hypothesis, references = "the cat is on mat near the dog", ("the cat is on the mat",)
    inputs = with_convention(Inputs(hypothesis, references), name)
    assert from_fragment(to_fragment(inputs)) == inputs
    assert form_settings(inputs) == convention_settings(name)
    expected = sentence_bleu(hypothesis, references, convention=name)
    assert form_derivation(inputs).score.value == expected.value
    assert build_snapshot(inputs).derivation.score == expected
    what_if = run_to_end(iter_what_if_html(build_snapshot(inputs), []))
    assert "Each word removed in turn" in what_if


def test_typed_text_replaces_only_its_own_box_of_a_link():
    initial, link = Inputs("a", ("b",)), Inputs("c", ("d", "e", "f"))
    assert keep_typed_text(link, initial, Inputs("a", ("x",))) == Inputs("c", ("x", "e", "f"))
    assert keep_typed_text(link, initial, initial) == link


@pytest.mark.parametrize("value", ["perhaps", "", "True", "1"])
def test_invalid_boolean_in_a_link_is_the_default_of_the_convention(value):
    inputs = from_fragment(f"hypothesis=A&convention=papineni&lowercase={value}")
    assert inputs is not None
    assert inputs.lowercase is True
    assert from_fragment("hypothesis=A&convention=papineni&lowercase=no").lowercase is False


def test_swapping_twice_restores_the_texts():
    inputs = Inputs("a", ("b", "c"))
    assert swap_texts(swap_texts(inputs)) == inputs != swap_texts(inputs)


def test_reference_boxes_are_numbered_and_escaped():
    boxes = reference_boxes(("a", "</textarea><script>"))
    assert 'id="reference-2"' in boxes
    assert "<script>" not in boxes
    assert "remove:" not in reference_boxes(("a",))


def test_filled_template_shows_the_first_example():
    markup = fill_template("<!--build:result--><!--build:derivation-->")
    assert "57.89" in markup
    for anchor in ("tokens", "precision-4", "brevity-penalty", "score-step", "cross-check"):
        assert f'id="{anchor}"' in markup
    ids = re.findall(r' id="([^"]+)"', markup)
    assert len(ids) == len(set(ids))
    assert build_snapshot(example_inputs("partial-match")).view.result in markup


def test_menus_offer_every_choice_under_distinct_labels():
    for labels, names in (SMOOTHING_LABELS, SMOOTHINGS), (TOKENIZER_LABELS, TOKENIZERS):
        assert set(labels) == set(names)
        assert len(set(labels.values())) == len(labels)


def test_lens_shows_the_tokenizers_that_differ_with_their_scores():
    inputs = Inputs("It's 5€, yes.", ("It's 5€ yes.", "", "yes"))
    lens = tokenizers_html(inputs)
    titles = re.findall("<h3>([^<]+)</h3>", plain(lens))
    assert titles[0].startswith("white space (chosen): BLEU 0.00")
    for title in titles[1:]:
        name = title.split(" and ")[0].split(",")[0].split(":")[0]
        value = sentence_bleu("It's 5€, yes.", ["It's 5€ yes.", "yes"], tokenizer=name).value
        assert title.endswith(f"BLEU {value * 100:.2f} on the 0–100 scale")
    assert lens.count("<h4>") == 3 * len(titles)
    same = tokenizers_html(Inputs("a b", ("a b",)))
    assert "the same tokens as your choice, <strong>white space</strong>." in same


def test_note_on_a_convention_depends_on_its_smoothing():
    texts = Inputs("the cat sat on mat", ("the cat is on the mat",), convention="nltk-method0")
    inputs = with_convention(texts, "nltk-method0")
    unchanged = build_snapshot(inputs).view.result
    assert "It reports 8.167e−155" in unchanged
    assert "NLTK’s method1" in unchanged
    changed = build_snapshot(replace(inputs, smoothing="floor")).view.result
    assert "It reports" not in changed
    assert "NLTK method 0, but with smoothing floor (ε = 0.1)" in changed


@pytest.mark.parametrize(
    ("name", "changes", "expected", "denied"),
    [
        ("sacrebleu-sentence", {"tokenizer": "char"}, "With tokenizer char instead", "13a"),
        ("mteval-v13a", {"lowercase": False}, "With case kept instead", "folded"),
        ("multi-bleu", {"max_order": "2"}, "N = 2</bdi> instead", "always 4"),
        ("sacrebleu", {"tokenizer": "ja-char"}, "but with tokenizer ja-char", "It reports"),
    ],
)
def test_note_on_a_convention_says_what_is_true_of_the_settings(name, changes, expected, denied):
    texts = with_convention(Inputs("the cat sat on", ("the cat sat on",)), name)
    note = build_snapshot(replace(texts, **changes)).view.result.partition('note convention">')[2]
    assert expected in note
    assert denied not in note


@pytest.mark.parametrize("name", CONVENTIONS)
def test_convention_has_no_departures_from_itself(name):
    inputs = with_convention(Inputs("a b c d", ("a b c d",)), name)
    assert departures(name, build_snapshot(inputs).derivation.settings) == []


@pytest.mark.parametrize("references", [1, 2])
def test_comparison_lists_the_most_popular_conventions_and_folds_the_others(references):
    texts = ("the cat is on the mat", "there is a cat")[:references]
    markup = comparison_html(Inputs("the cat is on mat", texts))
    visible, folded = markup.split('<details class="agreeing">')
    names = re.findall(r"convention:([\w-]+)", visible)
    assert names[:4] == ["sacrebleu", "sacrebleu-sentence", "nltk-method0", "nltk-method1"]
    assert len(names) == LEADING
    others = re.findall(r"convention:([\w-]+)", folded)
    assert sorted([*names, *others]) == sorted(CONVENTIONS)
    assert f"<summary>The other {len(others)} ways</summary>" in folded
    assert "Tools that disagree" in folded
    assert "Tools that agree" in folded


def test_every_score_of_the_comparison_has_a_dot():
    texts = "the cat is on mat", ("the cat is on the mat", "there is a cat")
    markup = comparison_html(Inputs(*texts))
    results = list(convention_results(*texts))
    dots = re.findall(r'<circle cx="([\d.]+)%"[^>]*><title>(.+?): ([\d.]+)</title>', markup)
    expected = {(result.convention.title, result.value) for result in results if result.scores}
    assert len(dots) == len(expected) < len(results)
    assert {(title, text) for _, title, text in dots} == {
        (escape(title), score_text(value)) for title, value in expected
    }
    for x, _, text in dots:
        assert float(x) == pytest.approx(2 + 0.94 * float(text), abs=0.06)
    assert re.findall(r'class="named"><title>(.*?):', markup) == [
        "sacreBLEU sentence_bleu",
        "NLTK method 1",
    ]
    [line] = set(re.findall(r'<line x1="([\d.]+)%"[^>]*class="counts-line"', markup))
    assert float(line) == pytest.approx(2 + 94 * sentence_bleu(*texts), abs=0.06)
    parse_xml(markup)


@pytest.mark.parametrize("convention", ["fairseq", "fairseq-sentence", "tensor2tensor"])
def test_several_references_raise_if_the_convention_takes_one(convention):
    inputs = with_convention(Inputs("a b", ("a b", "a c")), convention)
    with pytest.raises(SettingError) as caught:
        build_snapshot(inputs)
    field, message = error_location(caught.value)
    assert field == "convention"
    assert (
        "takes one reference, and there are 2. Give one of them, or choose another imp" in message
    )
    assert from_fragment(to_fragment(inputs)) == inputs
    assert build_snapshot(replace(inputs, references=("a b", " "))).derivation.references == (
        ("a", "b"),
    )
    table = comparison_html(Inputs("a b", ("a b", "a c")))
    [row] = [row for row in table.split("<tr") if "It takes one reference only." in row]
    assert row.count("data-command=") == 3


@pytest.mark.parametrize(
    ("inputs", "field", "message"),
    [
        (
            Inputs(convention="fairseq", max_order="5"),
            "max-order",
            "N is 5, and fairseq takes up to 4",
        ),
        (
            Inputs(convention="mteval-v13a", effective_order=True),
            "effective-order",
            "does not have. Leave it out.",
        ),
        (Inputs(smoothing="floor", smoothing_value="0"), "smoothing-value", "or smoothing none"),
        (Inputs(weights="1 1 1 1"), "weights", "divide each by their sum"),
    ],
)
def test_error_of_an_unsupported_setting_names_its_control(inputs, field, message):
    with pytest.raises(SettingError) as caught:
        form_settings(inputs)
    assert error_location(caught.value)[0] == field
    assert message in error_location(caught.value)[1]


def test_unusual_values_are_computed_with_a_note():
    inputs = with_convention(Inputs("a b c d e", ("a b c d f",)), "torchtext")
    weighted = build_snapshot(replace(inputs, weights="0.33 0.33 0.33 0"))
    assert "The weights sum to 0.99, not to 1." in weighted.view.steps.by_anchor["score"]
    floor = with_convention(Inputs("a b x d e", ("a b c d f",)), "sacrebleu-floor")
    zero = replace(floor, smoothing_value="0")
    assert "it is smoothing none" in build_snapshot(zero).view.steps.by_anchor["score"]
    assert from_fragment(to_fragment(zero)) == zero
    assert build_snapshot(zero).derivation.score.value == 0


def test_convention_lowers_the_max_order_to_its_limit():
    assert with_convention(Inputs(max_order="7"), "coco-caption").max_order == "4"
    assert with_convention(Inputs(max_order="3"), "coco-caption").max_order == "3"


@pytest.mark.parametrize("name", CONVENTIONS)
def test_no_convention_fails_while_a_text_is_missing(name):
    for inputs in (Inputs(), Inputs("a"), Inputs("", ("a",))):
        if not name.startswith("nltk-method6"):
            assert "No score yet" in build_snapshot(with_convention(inputs, name)).view.result


def test_finding_has_a_button_only_if_it_has_an_action():
    result = build_snapshot(Inputs("The cat", ("the  cat",))).view.result
    assert (
        result.count('data-command="apply:lowercase" class="action">Lowercase the texts</button>')
        == 1
    )
    spaces = build_snapshot(Inputs("the cat", ("the  cat",))).view.result
    [findings] = re.findall('<details class="findings" id="findings">.*?</details>', spaces)
    assert "Apart from spaces" in findings
    assert "<button" not in findings


def test_file_convention_keeps_the_max_order():
    inputs = with_file_convention(FileInputs(max_order="2"), "nltk-method1", Inputs())
    assert (inputs.convention, inputs.max_order) == ("nltk-method1", "2")


def test_language_of_the_texts_is_in_links_and_in_every_part_with_a_text():
    inputs = Inputs("3 گربه", ("the cat",), max_order="1", lang="fa")
    assert to_fragment(inputs).endswith("&lang=fa")
    assert from_fragment(to_fragment(inputs)) == inputs
    assert from_fragment("hypothesis=a&lang=klingon").lang == ""
    assert form_derivation(inputs) == form_derivation(replace(inputs, lang=""))
    snapshot = build_snapshot(inputs)
    steps = "".join(snapshot.view.steps.by_anchor.values())
    for markup in (steps, SCORE_FORMATS["html"].render(snapshot.explained)):
        directed = re.findall(r' dir="\w+"[^>]*', markup)
        assert len(directed) == 5
        assert all(' lang="fa"' in attributes for attributes in directed)


def test_numbers_may_have_the_digits_of_other_scripts():
    settings = form_settings(Inputs(smoothing="floor", smoothing_value="٠٫٥"))
    assert settings.smoothing_value == Fraction(1, 2)
    weights = form_settings(Inputs(max_order="2", weights="０．２５；０．７５")).weights
    assert weights == (Fraction(1, 4), Fraction(3, 4))


def test_zero_is_announced_with_its_reason():
    spoken = build_snapshot(Inputs("a b", ("c d",), max_order="1")).view.spoken
    assert spoken.startswith(
        "BLEU is 0. No word of the candidate is in the reference, so p₁ = 0/2."
    )


def test_links_name_every_view_but_the_first():
    inputs = Inputs("a", ("b",))
    assert to_fragment(inputs, "calculator") == to_fragment(inputs)
    assert to_fragment(inputs, "why") == f"{to_fragment(inputs)}&view=why"

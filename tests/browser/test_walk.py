"""A seeded random walk through the page, compared with the library after every action."""

import json
import math
import os
import random
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from app.state.form import error_location, error_text, form_derivation, form_settings, takes_value
from app.state.inputs import (
    CHOICES,
    CONTROLS,
    FIRST_EXAMPLE,
    History,
    Inputs,
    example_inputs,
    swap_texts,
    todo_text,
    with_convention,
)
from app.state.saved_form import from_fragment, to_fragment, without_view
from bleu import EXAMPLES
from bleu.core.api import segment_statistics
from bleu.core.score import compute
from bleu.core.statistics import Statistics
from tests.browser.conftest import START_MS, Recorder, copy_link, open_page, reveal

pytestmark = pytest.mark.slow

ACTION_COUNT = int(os.environ.get("WALK", "250"))
SEED = int(os.environ.get("SEED", "20021"))
TIMEOUT_SECONDS = 120
"""The time limit of every wait."""

TEXTS = [
    "",
    " ",
    "the cat is on the mat",
    "The Cat, is on the mat.",
    "the the the the the the the",
    "It's 3.5 % — “quoted” (so-called) end.",
    "猫在垫子上，它睡了。",
    "قطة على السجادة",
    "החתול על השטיח",
    "👩‍👩‍👧 🙂 é e\u0301 \u202ethgir",
    "</textarea><script>alert(1)</script> <img src=x onerror=alert(2)>",
    "a\nb\n\nc",
    "x" * 300,
    " ".join(f"w{n % 50}" for n in range(2_100)),  # more tokens than are marked at once
]
WEIGHTS = ["", "1", "0.5, 0.5", "0.25 0.25 0.25 0.25", "1,1", "-1 2", "abc", "0.1;0.2;0.3;0.4"]
VALUES = ["", "0.1", "1", "2", "0", "-1", "1e-320", "1e999", "1/3", "many"]
FRAGMENTS = ["", "#files", "#precision-2", "#no-such-place", "#%ff=%00", "#colour=red"]
PAGE_STATE = """async ([names, before]) => {
    const read = (control) => control.type === "checkbox" ? control.checked : control.value;
    const end = performance.now() + 500;
    while (true) {
        const areas = [...document.querySelectorAll("#inputs textarea")];
        const state = JSON.stringify({
            hypothesis: areas[0].value,
            references: areas.slice(1).map(read),
            settings: names.map((name) => read(document.getElementById(name))),
            score: document.getElementById("score")?.dataset.value,
            error: document.getElementById("error").textContent,
        });
        if (state !== before || performance.now() > end) return state;
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}"""
"""Returns the state of the page as JSON, once it differs from the one before or after a while."""


def is_equal(left: float, right: float) -> bool:
    """Return whether two scores are equal up to the rounding of the browser's logarithms."""
    return math.isclose(left, right, rel_tol=1e-13)


class Walk:
    """A user who acts at random, and the expected state of the page after each action."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.random = random.Random(SEED)
        self.inputs = example_inputs(FIRST_EXAMPLE)
        self.history = History()
        self.keeps_texts = False
        self.link = ""
        self.addresses = [""]
        self.actions: list[str] = []

    def act(self) -> None:
        """Perform one random action, and compare the page with the expected state."""
        actions, weights = zip(*ACTIONS, strict=True)
        (action,) = self.random.choices(actions, weights)
        self.actions = [*self.actions[-30:], action.__name__]
        action(self)
        self.check()
        self.record_address()

    def record_address(self) -> None:
        """Record the address if the action changed it."""
        address = self.page.evaluate("location.hash")
        if address != self.addresses[-1]:
            self.addresses.append(address)

    def reveal(self, css: str) -> Locator:
        """Return an element, after its view is shown."""
        element = reveal(self.page, css)
        self.record_address()
        return element

    def has_score(self) -> bool:
        """Return whether the inputs are complete and valid."""
        try:
            form_derivation(self.inputs)
        except ValueError:
            return False
        return not todo_text(self.inputs)

    def check(self) -> None:
        """Wait until the page has the expected state and shows the library's score."""
        try:
            score, error = form_derivation(self.inputs).score.value, ""
        except ValueError as raised:
            score, error = -1.0, error_location(raised)[1]
        has_no_score = error or todo_text(self.inputs)
        end, shown = time.monotonic() + TIMEOUT_SECONDS, ""
        while True:
            shown = self.page.evaluate(PAGE_STATE, [list(CONTROLS.values()), shown])
            state = json.loads(shown)
            inputs = Inputs(state["hypothesis"], tuple(state["references"]), *state["settings"])
            has_inputs = (inputs, state["error"]) == (self.inputs, error)
            has_score = state.get("score") and is_equal(float(state["score"]), score)
            if has_inputs and (has_score or has_no_score):
                return
            assert time.monotonic() < end, (
                f"seed {SEED}, after {self.actions}: the page has {inputs}, {state.get('score')}, "
                f"{state['error']!r} instead of {self.inputs}, {score}, {error!r}"
            )

    def overwrite(self, inputs: Inputs, before: Inputs | None = None) -> None:
        """Expect other inputs as one undoable change."""
        self.history.add("", before or self.inputs, inputs)
        self.inputs = inputs

    def text(self) -> str:
        """Return a random text."""
        return self.random.choice(TEXTS)

    def box(self) -> int:
        """Return a random box: 0 for the hypothesis, or the number of a reference."""
        return self.random.randint(0, len(self.inputs.references))

    def selector(self, box: int) -> str:
        """Return the selector of a box."""
        return f"#reference-{box}" if box else "#hypothesis"

    def set_text(self, box: int, text: str) -> None:
        """Expect a text in a box."""
        if box:
            texts = list(self.inputs.references)
            texts[box - 1] = text
            self.inputs = replace(self.inputs, references=tuple(texts))
        else:
            self.inputs = replace(self.inputs, hypothesis=text)


def fill_box(walk: Walk) -> None:
    box, text = walk.box(), walk.text()
    walk.reveal(walk.selector(box)).fill(text)
    walk.set_text(box, text)


def type_word(walk: Walk) -> None:
    box, word = walk.box(), walk.random.choice(["mat", " cat", "猫", "\n", ".", " "])
    area = walk.reveal(walk.selector(box))
    before = walk.inputs.references[box - 1] if box else walk.inputs.hypothesis
    area.press("Control+End")
    walk.page.keyboard.insert_text(word)
    walk.set_text(box, before + word)


def clear_box(walk: Walk) -> None:
    box = walk.box()
    walk.reveal(walk.selector(box)).press("Control+a")
    walk.page.keyboard.press("Delete")
    walk.set_text(box, "")


def select_setting(walk: Walk) -> None:
    name = walk.random.choice(["tokenizer", "max_order", "smoothing", "reference_length"])
    control = walk.reveal("#" + name.replace("_", "-"))
    value = walk.random.choice([*CHOICES[name]])
    if name == "reference_length":
        open_more(walk)
    control.select_option(value)
    changed = value != getattr(walk.inputs, name)
    walk.inputs = replace(walk.inputs, **{name: value})
    if name == "smoothing" and changed:
        walk.inputs = replace(walk.inputs, smoothing_value="")


def select_convention(walk: Walk) -> None:
    name = walk.random.choice([*CHOICES["convention"]])
    walk.reveal("#convention").select_option(name)
    walk.overwrite(with_convention(walk.inputs, name))


def open_more(walk: Walk) -> None:
    if walk.page.locator("#more:not([open])").count():
        walk.reveal("#more > summary").click()


def toggle_checkbox(walk: Walk) -> None:
    name = walk.random.choice(["lowercase", "effective_order"])
    open_more(walk)
    walk.reveal("#" + name.replace("_", "-")).click()
    walk.inputs = replace(walk.inputs, **{name: not getattr(walk.inputs, name)})


def type_number(walk: Walk) -> None:
    if walk.random.random() < 0.5 and takes_value(walk.inputs.smoothing):
        value = walk.random.choice(VALUES)
        walk.reveal("#smoothing-value").fill(value)
        walk.inputs = replace(walk.inputs, smoothing_value=value)
    else:
        value = walk.random.choice(WEIGHTS)
        open_more(walk)
        walk.reveal("#weights").fill(value)
        walk.inputs = replace(walk.inputs, weights=value)


def restore_valid_settings(walk: Walk) -> None:
    """Restore valid settings, because random ones soon become invalid."""
    walk.reveal("#convention").select_option("default")
    walk.overwrite(with_convention(walk.inputs, "default"))
    if walk.inputs.max_order != "4":
        walk.reveal("#max-order").select_option("4")
        walk.inputs = replace(walk.inputs, max_order="4")


def add_reference(walk: Walk) -> None:
    if len(walk.inputs.references) < 5:
        walk.reveal("#add-reference").click()
        walk.inputs = replace(walk.inputs, references=(*walk.inputs.references, ""))


def remove_reference(walk: Walk) -> None:
    count = len(walk.inputs.references)
    if count > 1:
        number = walk.random.randint(1, count)
        walk.reveal(f'[data-command="remove:{number}"]').click()
        texts = list(walk.inputs.references)
        del texts[number - 1]
        walk.overwrite(replace(walk.inputs, references=tuple(texts)))


def swap(walk: Walk) -> None:
    walk.reveal("#swap").click()
    walk.overwrite(swap_texts(walk.inputs))


def clear(walk: Walk) -> None:
    walk.reveal("#clear").click()
    walk.overwrite(Inputs())


def open_example(walk: Walk) -> None:
    name = walk.random.choice([*EXAMPLES])
    walk.reveal(f'[data-command="example:{name}"]').click()
    walk.overwrite(example_inputs(name))


def undo(walk: Walk) -> None:
    if walk.history.past:
        is_latest = walk.history.past[-1].after == walk.inputs
        if is_latest and walk.random.random() < 0.5:
            walk.reveal("#hypothesis").press("Control+z")
        else:
            walk.reveal("#undo").click()
        walk.inputs = walk.history.undo(walk.inputs)


def redo(walk: Walk) -> None:
    if walk.history.future:
        is_latest = walk.history.future[-1].before == walk.inputs
        if is_latest and walk.random.random() < 0.5:
            walk.reveal("#hypothesis").press("Control+Shift+z")
        else:
            walk.reveal("#redo").click()
        walk.inputs = walk.history.redo(walk.inputs)


def expect_link(walk: Walk, fragment: str) -> None:
    """Expect the inputs of a fragment if it differs from the last link."""
    inputs = from_fragment(fragment)
    if inputs and without_view(fragment) != walk.link:
        walk.link = without_view(fragment)
        walk.overwrite(inputs)


def open_link(walk: Walk) -> None:
    inputs = Inputs(walk.text(), (walk.text(), walk.text()))
    convention = walk.random.choice([*CHOICES["convention"]])
    fragment = f"#{to_fragment(with_convention(inputs, convention))}&max-order=77&colour=red"
    fragment = walk.random.choice([fragment, fragment, *FRAGMENTS[1:]])
    if fragment != walk.addresses[-1]:
        walk.page.evaluate("fragment => { location.hash = fragment }", fragment)
        walk.addresses.append(fragment)
        expect_link(walk, fragment)


def go_back(walk: Walk) -> None:
    if len(walk.addresses) > 1:
        walk.page.go_back()
        walk.addresses.pop()
        expect_link(walk, walk.addresses[-1])


def reload(walk: Walk) -> None:
    walk.page.reload()
    expect(walk.page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    walk.history = History()
    link = from_fragment(walk.addresses[-1])
    if not walk.keeps_texts:
        walk.inputs = link or example_inputs(FIRST_EXAMPLE)
        walk.link = without_view(walk.addresses[-1]) if link else ""
    elif link and without_view(walk.addresses[-1]) != walk.link:
        raise AssertionError("the open link was not followed before")


def toggle_keep_texts(walk: Walk) -> None:
    open_more(walk)
    walk.reveal("#keep-texts").click()
    walk.keeps_texts = not walk.keeps_texts


def resize_window(walk: Walk) -> None:
    width = walk.random.choice([360, 800, 1280, 1600])
    walk.page.set_viewport_size({"width": width, "height": walk.random.choice([500, 900])})


def present_steps(walk: Walk) -> None:
    page = walk.page
    page.locator(walk.random.choice(["#large", "#theme"])).click()
    walk.reveal("#walk").click()
    keys = walk.random.choices(["ArrowRight", "PageDown", "ArrowLeft"], k=3)
    if page.locator("#leave").is_visible():  # without a text, there are no steps to present
        for key in keys:
            page.keyboard.press(key)
        page.locator("#leave").click()
    if walk.has_score():
        walk.random.choice(walk.reveal("#orders button").all()).click()


def toggle_panel(walk: Walk) -> None:
    name = walk.random.choice(["comparison", "lens", "what-if", "check-yourself"])
    walk.reveal(f"#{name} > summary").click()


def highlight_word(walk: Walk) -> None:
    box = walk.random.choice(walk.reveal("#texts .box").all())
    box.click(position={"x": walk.random.randrange(10, 300), "y": 20})
    walk.page.keyboard.press(walk.random.choice(["ArrowRight", "End", "Home", "Escape"]))


def pin_result(walk: Walk) -> None:
    if todo_text(walk.inputs):
        return  # Without a score, there is nothing to pin.
    walk.reveal("#keep").click()
    if walk.random.random() < 0.5 and walk.reveal("#forget").is_visible():
        walk.reveal("#forget").click()


def score_files(walk: Walk) -> None:
    page = walk.page
    lines = [walk.text().replace("\n", " ").strip() for _ in range(walk.random.randint(1, 6))]
    references = [
        walk.random.choice([line, walk.text().replace("\n", " ").strip()]) for line in lines
    ]
    for slot, texts in (("system", lines), ("references", references)):
        while page.locator(f'[data-slot="{slot}"] [data-command^=close]').count():
            walk.reveal(f'[data-slot="{slot}"] [data-command^=close]').first.click()
        content = "".join(f"{line}\n" for line in texts).encode()
        file = {"name": f"{slot}.txt", "mimeType": "text/plain", "buffer": content}
        page.locator(f"#corpus-{slot}-file").set_input_files(file)
        expect(page.locator(f'[data-slot="{slot}"] .opened li')).to_have_count(1)
    walk.reveal("#corpus-convention").select_option("boxes")
    walk.reveal("#corpus-test").select_option("none")
    walk.reveal("#corpus-run").click()
    try:
        settings = form_settings(walk.inputs)
        pairs = zip(lines, references, strict=True)
        counts = [segment_statistics(line, [reference], settings) for line, reference in pairs]
        value = compute(Statistics.sum(counts, settings.max_order), settings).value
    except ValueError as raised:
        expect(page.locator("#corpus-error")).to_have_text(
            error_text(raised), timeout=TIMEOUT_SECONDS * 1000
        )
        return
    score = page.locator("#corpus-score")
    displayed = "() => document.querySelector('#corpus-score')?.dataset.value"
    end = time.monotonic() + TIMEOUT_SECONDS
    while not (score_text := page.evaluate(displayed)) or not is_equal(float(score_text), value):
        assert time.monotonic() < end, (
            f"seed {SEED}: the files score {score_text} instead of {value}"
        )
        page.wait_for_timeout(5)
    expect(page.locator("#corpus-error")).to_be_empty()
    expect(score).to_be_visible()
    walk.reveal(".segments [data-command^=segment]").first.click()
    walk.reveal('[data-command="segment-boxes:0"]').click()
    walk.overwrite(replace(walk.inputs, hypothesis=lines[0], references=(references[0],)))


def export_result(walk: Walk) -> None:
    form = walk.random.choice(["markdown", "latex", "text", "json", "csv", "svg", "html"])
    walk.reveal("#form").select_option(form)
    walk.reveal("#copy-form").click()
    if walk.page.locator("#copy:enabled").count() or walk.has_score():
        walk.reveal("#copy").click()
        if not walk.page.locator("html[data-invalid]").count():
            copy_link(walk.page)


ACTIONS: list[tuple[Callable[[Walk], Any], int]] = [
    (fill_box, 20),
    (type_word, 20),
    (clear_box, 2),
    (select_setting, 8),
    (select_convention, 5),
    (toggle_checkbox, 4),
    (type_number, 5),
    (restore_valid_settings, 6),
    (add_reference, 4),
    (remove_reference, 4),
    (swap, 3),
    (clear, 1),
    (open_example, 2),
    (undo, 6),
    (redo, 4),
    (open_link, 3),
    (go_back, 2),
    (reload, 1),
    (toggle_keep_texts, 2),
    (resize_window, 2),
    (present_steps, 3),
    (toggle_panel, 2),
    (highlight_word, 3),
    (pin_result, 1),
    (score_files, 1),
    (export_result, 1),
]
"""The actions of a walk with their weights."""


def test_random_walk_finds_no_error_and_no_wrong_score(recorder: Recorder):
    recorder.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    walk = Walk(open_page(recorder))
    for _ in range(ACTION_COUNT):
        walk.act()
        assert recorder.complaints == [], f"seed {SEED}, after {walk.actions}"
    recorder.check()

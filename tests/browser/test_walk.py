"""A seeded random walk through the page, its score held against the library's all along."""

import math
import os
import random
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from app.score.html import FIRST_EXAMPLE
from app.state.form import (
    CHOICES,
    CONTROLS,
    Inputs,
    error_location,
    example_inputs,
    form_derivation,
    form_settings,
    swap_texts,
    takes_value,
    todo_text,
    with_convention,
)
from app.state.history import History
from app.state.permalink import from_fragment, to_fragment, without_view
from bleu import EXAMPLES
from bleu.core.score import compute
from bleu.core.segment import analyse
from bleu.core.statistics import Statistics
from tests.browser.conftest import START_MS, Recorder, open_page, reveal

pytestmark = pytest.mark.slow

ACTIONS = int(os.environ.get("WALK", "1000"))
SEED = int(os.environ.get("SEED", "20021"))
PATIENCE = 120
"""Seconds that the page may take to show what it should, on a machine however busy."""

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
    " ".join(f"w{n % 50}" for n in range(3_000)),
]
WEIGHTS = ["", "1", "0.5, 0.5", "0.25 0.25 0.25 0.25", "1,1", "-1 2", "abc", "0.1;0.2;0.3;0.4"]
VALUES = ["", "0.1", "1", "2", "0", "-1", "1e-320", "1e999", "1/3", "many"]
FRAGMENTS = ["", "#files", "#precision-2", "#no-such-place", "#%ff=%00", "#colour=red"]
LOOK = """(names) => {
    const read = (one) => one.type === "checkbox" ? one.checked : one.value;
    const areas = [...document.querySelectorAll("#inputs textarea")];
    const known = (name) => read(document.getElementById(name));
    return {
        hypothesis: areas[0].value,
        references: areas.slice(1).map(read),
        settings: names.map(known),
        score: document.getElementById("score")?.dataset.value,
        error: document.getElementById("error").textContent,
    };
}"""


def same(one: float, other: float) -> bool:
    """Whether two scores differ at most by what the browser's logarithms do in the last digit."""
    return math.isclose(one, other, rel_tol=1e-13)


class Walk:
    """A person without a plan, and what the page should hold after each of their actions."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.random = random.Random(SEED)
        self.inputs = example_inputs(FIRST_EXAMPLE)
        self.history = History()
        self.keeps = False
        self.link = ""
        self.addresses = [""]
        self.did: list[str] = []

    def act(self) -> None:
        """One action, and a look at the page after it."""
        acts, weights = zip(*ACTS, strict=True)
        (act,) = self.random.choices(acts, weights)
        self.did = [*self.did[-30:], act.__name__]
        act(self)
        self.look()
        self.arrived()

    def arrived(self) -> None:
        """Remember where a click led to."""
        address = self.page.evaluate("location.hash")
        if address != self.addresses[-1]:
            self.addresses.append(address)

    def reveal(self, css: str) -> Locator:
        """An element, in its view."""
        found = reveal(self.page, css)
        self.arrived()
        return found

    def look(self) -> None:
        """Wait until the page holds what it should, and shows the library's score of it."""
        try:
            score, error = form_derivation(self.inputs).score.value, ""
        except ValueError as refusal:
            score, error = -1.0, error_location(refusal)[1]
        untold = error or todo_text(self.inputs)
        end = time.monotonic() + PATIENCE
        while True:
            seen = self.page.evaluate(LOOK, list(CONTROLS.values()))
            there = Inputs(seen["hypothesis"], tuple(seen["references"]), *seen["settings"])
            right = (there, seen["error"]) == (self.inputs, error)
            scored = seen["score"] and same(float(seen["score"]), score)
            if right and (scored or untold):
                return
            assert time.monotonic() < end, (
                f"seed {SEED}, after {self.did}: the page has {there}, {seen['score']}, "
                f"{seen['error']!r}, and not {self.inputs}, {score}, {error!r}"
            )
            self.page.wait_for_timeout(5)

    def overwrite(self, inputs: Inputs, before: Inputs | None = None) -> None:
        """Expect another form, which can be undone."""
        self.history.add("", before or self.inputs, inputs)
        self.inputs = inputs

    def text(self) -> str:
        """A text of those that are tried."""
        return self.random.choice(TEXTS)

    def box(self) -> int:
        """A box: 0 for the candidate, or the number of a reference."""
        return self.random.randint(0, len(self.inputs.references))

    def name(self, box: int) -> str:
        """The id of a box."""
        return f"#reference-{box}" if box else "#hypothesis"

    def put(self, box: int, text: str) -> None:
        """Expect a text in a box."""
        if box:
            texts = list(self.inputs.references)
            texts[box - 1] = text
            self.inputs = replace(self.inputs, references=tuple(texts))
        else:
            self.inputs = replace(self.inputs, hypothesis=text)


def fill_a_box(walk: Walk) -> None:
    box, text = walk.box(), walk.text()
    walk.reveal(walk.name(box)).fill(text)
    walk.put(box, text)


def type_a_word(walk: Walk) -> None:
    box, word = walk.box(), walk.random.choice(["mat", " cat", "猫", "\n", ".", " "])
    area = walk.reveal(walk.name(box))
    before = walk.inputs.references[box - 1] if box else walk.inputs.hypothesis
    area.press("Control+End")
    walk.page.keyboard.insert_text(word)
    walk.put(box, before + word)


def delete_all(walk: Walk) -> None:
    box = walk.box()
    walk.reveal(walk.name(box)).press("Control+a")
    walk.page.keyboard.press("Delete")
    walk.put(box, "")


def choose_a_setting(walk: Walk) -> None:
    name = walk.random.choice(["tokenizer", "max_order", "smoothing", "reference_length"])
    offered = [*CHOICES[name]]
    control = walk.reveal("#" + name.replace("_", "-"))
    value = walk.random.choice(offered)
    if name == "reference_length":
        open_more(walk)
    control.select_option(value)
    changed = value != getattr(walk.inputs, name)
    walk.inputs = replace(walk.inputs, **{name: value})
    if name == "smoothing" and changed:
        walk.inputs = replace(walk.inputs, smoothing_value="")


def choose_a_convention(walk: Walk) -> None:
    name = walk.random.choice([*CHOICES["convention"]])
    walk.reveal("#convention").select_option(name)
    walk.overwrite(with_convention(walk.inputs, name))


def open_more(walk: Walk) -> None:
    if walk.page.locator("#more:not([open])").count():
        walk.reveal("#more > summary").click()


def tick_a_box(walk: Walk) -> None:
    name = walk.random.choice(["lowercase", "effective_order"])
    open_more(walk)
    walk.reveal("#" + name.replace("_", "-")).click()
    walk.inputs = replace(walk.inputs, **{name: not getattr(walk.inputs, name)})


def write_a_number(walk: Walk) -> None:
    if walk.random.random() < 0.5 and takes_value(walk.inputs.smoothing):
        value = walk.random.choice(VALUES)
        walk.reveal("#smoothing-value").fill(value)
        walk.inputs = replace(walk.inputs, smoothing_value=value)
    else:
        value = walk.random.choice(WEIGHTS)
        open_more(walk)
        walk.reveal("#weights").fill(value)
        walk.inputs = replace(walk.inputs, weights=value)


def mend_the_settings(walk: Walk) -> None:
    """Bring them back to what makes sense, which random ones soon do not."""
    walk.reveal("#convention").select_option("default")
    walk.overwrite(with_convention(walk.inputs, "default"))
    if walk.inputs.max_order != "4":
        walk.reveal("#max-order").select_option("4")
        walk.inputs = replace(walk.inputs, max_order="4")


def add_a_reference(walk: Walk) -> None:
    if len(walk.inputs.references) < 5:
        walk.reveal("#add-reference").click()
        walk.inputs = replace(walk.inputs, references=(*walk.inputs.references, ""))


def remove_a_reference(walk: Walk) -> None:
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


def take_an_example(walk: Walk) -> None:
    name = walk.random.choice([*EXAMPLES])
    walk.reveal(f'[data-command="example:{name}"]').click()
    walk.overwrite(example_inputs(name))


def undo(walk: Walk) -> None:
    if walk.history.past:
        own = walk.history.past[-1].after == walk.inputs
        if own and walk.random.random() < 0.5:
            walk.reveal("#hypothesis").press("Control+z")
        else:
            walk.reveal("#undo").click()
        walk.inputs = walk.history.undo(walk.inputs)


def redo(walk: Walk) -> None:
    if walk.history.future:
        own = walk.history.future[-1].before == walk.inputs
        if own and walk.random.random() < 0.5:
            walk.reveal("#hypothesis").press("Control+Shift+z")
        else:
            walk.reveal("#redo").click()
        walk.inputs = walk.history.redo(walk.inputs)


def arrive(walk: Walk, fragment: str) -> None:
    """Expect the form that a fragment asks for, where it is another link than the last."""
    found = from_fragment(fragment)
    if found and without_view(fragment) != walk.link:
        walk.link = without_view(fragment)
        walk.overwrite(found)


def open_a_link(walk: Walk) -> None:
    inputs = Inputs(walk.text(), (walk.text(), walk.text()))
    convention = walk.random.choice([*CHOICES["convention"]])
    fragment = f"#{to_fragment(with_convention(inputs, convention))}&max-order=77&colour=red"
    fragment = walk.random.choice([fragment, fragment, *FRAGMENTS[1:]])
    if fragment != walk.addresses[-1]:
        walk.page.evaluate("fragment => { location.hash = fragment }", fragment)
        walk.addresses.append(fragment)
        arrive(walk, fragment)


def go_back(walk: Walk) -> None:
    if len(walk.addresses) > 1:
        walk.page.go_back()
        walk.addresses.pop()
        arrive(walk, walk.addresses[-1])


def reload(walk: Walk) -> None:
    walk.page.reload()
    expect(walk.page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    walk.history = History()
    link = from_fragment(walk.addresses[-1])
    if not walk.keeps:
        walk.inputs = link or example_inputs(FIRST_EXAMPLE)
        walk.link = without_view(walk.addresses[-1]) if link else ""
    elif link and without_view(walk.addresses[-1]) != walk.link:
        raise AssertionError("a link that is open has always been followed")


def keep_the_texts(walk: Walk) -> None:
    open_more(walk)
    walk.reveal("#keep-texts").click()
    walk.keeps = not walk.keeps


def change_the_window(walk: Walk) -> None:
    width = walk.random.choice([360, 800, 1280, 1600])
    walk.page.set_viewport_size({"width": width, "height": walk.random.choice([500, 900])})


def change_the_view(walk: Walk) -> None:
    page = walk.page
    page.locator(walk.random.choice(["#large", "#theme"])).click()
    walk.reveal("#walk").click()
    keys = walk.random.choices(["ArrowRight", "PageDown", "ArrowLeft"], k=3)
    if page.locator("#leave").is_visible():  # while a text is missing, there are no steps
        for key in keys:
            page.keyboard.press(key)
        page.locator("#leave").click()
    walk.random.choice(walk.reveal("#orders label:not([hidden])").all()).click()


def open_a_panel(walk: Walk) -> None:
    name = walk.random.choice(["comparison", "lens", "what-if", "check-yourself"])
    walk.reveal(f"#{name} > summary").click()


def point_at_a_word(walk: Walk) -> None:
    words = walk.reveal("#matches-body button")
    if words.count():
        words.nth(walk.random.randrange(words.count())).click()
        walk.page.keyboard.press(walk.random.choice(["ArrowRight", "End", "Home", "Escape"]))


def compare_with_this(walk: Walk) -> None:
    walk.reveal("#keep").click()
    if walk.random.random() < 0.5 and walk.reveal("#forget").is_visible():
        walk.reveal("#forget").click()


def score_files(walk: Walk) -> None:
    page = walk.page
    lines = [walk.text().replace("\n", " ").strip() for _ in range(walk.random.randint(1, 6))]
    others = [walk.random.choice([line, walk.text().replace("\n", " ").strip()]) for line in lines]
    for slot, texts in (("system", lines), ("references", others)):
        while page.locator(f'[data-slot="{slot}"] [data-command^=close]').count():
            walk.reveal(f'[data-slot="{slot}"] [data-command^=close]').first.click()
        content = "".join(f"{line}\n" for line in texts).encode()
        given = {"name": f"{slot}.txt", "mimeType": "text/plain", "buffer": content}
        page.locator(f"#corpus-{slot}-file").set_input_files(given)
        expect(page.locator(f'[data-slot="{slot}"] .opened li')).to_have_count(1)
    walk.reveal("#corpus-convention").select_option("boxes")
    walk.reveal("#corpus-test").select_option("none")
    walk.reveal("#corpus-run").click()
    try:
        chosen = form_settings(walk.inputs)
        pairs = zip(lines, others, strict=True)
        counted = [analyse(line, [other], chosen).statistics for line, other in pairs]
        value = compute(Statistics.sum(counted, chosen.max_order), chosen).value
    except ValueError as refusal:
        expect(page.locator("#corpus-error")).to_have_text(str(refusal), timeout=PATIENCE * 1000)
        return
    score = page.locator("#corpus-score")
    said = "() => document.querySelector('#corpus-score')?.dataset.value"
    end = time.monotonic() + PATIENCE
    while not (shown := page.evaluate(said)) or not same(float(shown), value):
        assert time.monotonic() < end, f"seed {SEED}: the files score {shown}, and not {value}"
        page.wait_for_timeout(5)
    expect(page.locator("#corpus-error")).to_be_empty()
    expect(score).to_be_visible()
    walk.reveal(".segments [data-command^=segment]").first.click()
    walk.reveal('[data-command="segment-boxes:0"]').click()
    number = 0
    walk.overwrite(replace(walk.inputs, hypothesis=lines[number], references=(others[number],)))


def take_along(walk: Walk) -> None:
    form = walk.random.choice(["markdown", "latex", "text", "json", "csv", "svg", "html"])
    walk.reveal("#form").select_option(form)
    walk.reveal("#copy-form").click()
    walk.reveal("#copy").click()
    walk.reveal("#share").click()


ACTS: list[tuple[Callable[[Walk], Any], int]] = [
    (fill_a_box, 20),
    (type_a_word, 20),
    (delete_all, 2),
    (choose_a_setting, 8),
    (choose_a_convention, 5),
    (tick_a_box, 4),
    (write_a_number, 5),
    (mend_the_settings, 6),
    (add_a_reference, 4),
    (remove_a_reference, 4),
    (swap, 3),
    (clear, 1),
    (take_an_example, 2),
    (undo, 6),
    (redo, 4),
    (open_a_link, 3),
    (go_back, 2),
    (reload, 1),
    (keep_the_texts, 2),
    (change_the_window, 2),
    (change_the_view, 3),
    (open_a_panel, 2),
    (point_at_a_word, 3),
    (compare_with_this, 1),
    (score_files, 1),
    (take_along, 1),
]
"""What a person may do, and how often."""


def test_a_random_walk_meets_no_error_and_only_right_scores(recorder: Recorder):
    recorder.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    walk = Walk(open_page(recorder))
    for _ in range(ACTIONS):
        walk.act()
        assert recorder.complaints == [], f"seed {SEED}, after {walk.did}"
    recorder.check()

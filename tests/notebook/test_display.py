"""Results as a notebook shows them: the document of the page, safe, still, and in one element."""

import re
from html.parser import HTMLParser

import pytest

import bleu
from bleu.learn.exercise import KINDS
from bleu.notebook.display import CSS_CLASS, STYLE, display

HOSTILE = "<script>alert(1)</script> $x$ | ``` <b>&amp; \\end{document} é"
TEXTS = HOSTILE, [f"{HOSTILE} x", "the cat"]
CORPUS = bleu.derive_corpus([HOSTILE, "a b c d"], [[HOSTILE], ["a b c e"]])
RESULTS = {
    "derivation": bleu.derive(*TEXTS),
    "zero": bleu.derive("", ["x"]),
    "corpus": CORPUS,
    "comparison": bleu.compare(*TEXTS),
    "bootstrap": bleu.paired_bootstrap(CORPUS.segments, CORPUS.segments[::-1], resamples=9),
    "randomization": bleu.approximate_randomization(CORPUS.segments, CORPUS.segments, trials=9),
    **{f"exercise {kind}": bleu.exercises("7k2q", count=1, kinds=[kind])[0] for kind in KINDS},
}  # fmt: skip
STILL = {"button", "input", "select", "textarea", "script", "iframe", "link", "img", "object"}


class Reader(HTMLParser):
    """Reads markup strictly: what is opened is closed, in order."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.ids, self.words, self.roots = [], set(), [], [], 0

    def handle_starttag(self, tag, attrs):
        self.roots += not self.open
        self.open.append(tag)
        self.tags.add(tag)
        self.ids += [value for name, value in attrs if name == "id"]
        assert not any(name.startswith("on") for name, _ in attrs)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1] != "style":
            self.words.append(data)


def read(markup):
    """What is in it."""
    reader = Reader()
    reader.feed(markup)
    reader.close()
    assert not reader.open
    return reader


@pytest.mark.parametrize("name", RESULTS)
def test_its_html_is_one_element_without_anything_to_press_or_to_run(name):
    markup = RESULTS[name]._repr_html_()
    found = read(markup)
    assert found.roots == 1
    assert not found.tags & STILL
    assert len(set(found.ids)) == len(found.ids)
    assert all(one.startswith(CSS_CLASS) for one in found.ids)
    assert markup == RESULTS[name]._repr_html_()


@pytest.mark.parametrize("name", ["derivation", "corpus"])
def test_its_html_has_formulas_figures_and_the_text_as_typed(name):
    found = read(RESULTS[name]._repr_html_())
    assert {"math", "svg", "details"} <= found.tags
    if name == "derivation":
        assert "<script>alert(1)</script>" in "".join(found.words)


def test_two_results_share_no_id():
    one, other = (read(bleu.derive(text, ["a b"])._repr_html_()) for text in ("a", "b"))
    assert not set(one.ids) & set(other.ids)


def test_its_style_is_of_its_own_element_alone_and_loads_nothing():
    rules = STYLE.strip()
    assert rules.startswith(f".{CSS_CLASS}.{CSS_CLASS} {{")
    depth = 0
    for place, character in enumerate(rules):
        depth += {"{": 1, "}": -1}.get(character, 0)
        assert depth or place < rules.index("{") or place == len(rules) - 1
    assert not re.search(r"url\(|@import|:root|\bbody\b|\bhtml\b", rules)


@pytest.mark.parametrize("name", RESULTS)
def test_it_is_short_in_a_line(name):
    result = RESULTS[name]
    assert repr(result) == f"<{type(result).__name__}: {result}>"
    assert len(repr(result)) < 160
    assert "\n" not in repr(result)


@pytest.mark.parametrize("name", RESULTS)
def test_its_markdown_and_latex_say_something_and_interpret_nothing(name):
    markdown, latex = RESULTS[name]._repr_markdown_(), RESULTS[name]._repr_latex_()
    assert markdown.strip()
    assert latex.strip()
    assert "<script>" not in re.sub(r"(?s)(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "", markdown)
    assert "\\end{document}" not in latex
    assert latex.count(r"\[") == latex.count(r"\]")


def test_what_is_no_result_is_refused():
    with pytest.raises(TypeError, match="value is a str"):
        display("a", "html")


def test_an_exercise_says_how_it_is_answered():
    exercise = RESULTS["exercise step"]
    assert "bleu.grade(exercise, {" in "".join(read(exercise._repr_html_()).words)
    for name in exercise.names:
        assert f"'{name}': …" in "".join(read(exercise._repr_html_()).words)

"""Results in notebooks: one escaped element without controls."""

import re
from html.parser import HTMLParser

import pytest

import bleu
from bleu.learn.kinds import KINDS
from bleu.notebook import CSS_CLASS, STYLE, display, with_linear_forms

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
    "finding": bleu.check_corpus([HOSTILE, "b c"], [[HOSTILE.replace("&amp;", "&")], ["b"]])[0],
    "finding without score": bleu.Finding(HOSTILE, name="json"),
    **{f"exercise {kind}": bleu.exercises("7k2q", count=1, kinds=[kind])[0] for kind in KINDS},
}  # fmt: skip
FORBIDDEN_TAGS = {
    "button",
    "input",
    "select",
    "textarea",
    "script",
    "iframe",
    "link",
    "object",
}


class Reader(HTMLParser):
    """A parser that fails unless elements are nested properly."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.ids, self.texts, self.root_count = [], set(), [], [], 0

    def handle_starttag(self, tag, attrs):
        self.root_count += not self.open
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
            self.texts.append(data)


def read_html(markup):
    """Parse markup, assert that all elements are closed, and return the reader."""
    reader = Reader()
    reader.feed(markup)
    reader.close()
    assert not reader.open
    return reader


@pytest.mark.parametrize("name", RESULTS)
def test_html_is_one_element_without_controls_or_scripts(name):
    markup = RESULTS[name]._repr_html_()
    reader = read_html(markup)
    assert reader.root_count == 1
    assert not reader.tags & FORBIDDEN_TAGS
    assert len(set(reader.ids)) == len(reader.ids)
    assert all(element_id.startswith(CSS_CLASS) for element_id in reader.ids)
    assert markup == RESULTS[name]._repr_html_()


@pytest.mark.parametrize("name", ["derivation", "corpus"])
def test_html_has_formulas_figures_and_escaped_text(name):
    reader = read_html(RESULTS[name]._repr_html_())
    assert {"math", "img", "details"} <= reader.tags
    if name == "derivation":
        assert "<script>alert(1)</script>" in "".join(reader.texts)


def test_finding_has_its_cost_and_its_remedy():
    finding = RESULTS["finding"]
    assert repr(finding) == f"<Finding: {finding}>"
    text = " ".join(read_html(finding._repr_html_()).texts)
    assert f"{100 * finding.score_without:.2f}" in text
    assert "bleu.repair_corpus(hypotheses, references, ['escapes'])" in text


def test_ids_of_two_results_differ():
    first, second = (read_html(bleu.derive(text, ["a b"])._repr_html_()) for text in ("a", "b"))
    assert not set(first.ids) & set(second.ids)


def test_style_applies_only_to_the_result_and_loads_nothing():
    rules = STYLE.strip()
    assert rules.startswith(f".{CSS_CLASS}.{CSS_CLASS} {{")
    depth = 0
    for index, character in enumerate(rules):
        depth += {"{": 1, "}": -1}.get(character, 0)
        assert depth or index < rules.index("{") or index == len(rules) - 1
    assert not re.search(r"url\(|@import|:root|\bbody\b|\bhtml\b", rules)


@pytest.mark.parametrize("name", RESULTS)
def test_repr_is_one_short_line(name):
    result = RESULTS[name]
    assert repr(result) == f"<{type(result).__name__}: {result}>"
    assert len(repr(result)) < 160
    assert "\n" not in repr(result)


@pytest.mark.parametrize("name", RESULTS)
def test_markdown_and_latex_have_content_and_escape_text(name):
    markdown, latex = RESULTS[name]._repr_markdown_(), RESULTS[name]._repr_latex_()
    assert markdown.strip()
    assert latex.strip()
    assert "<script>" not in re.sub(r"(?s)(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "", markdown)
    assert "\\end{document}" not in latex
    assert latex.count(r"\[") == latex.count(r"\]")


def test_display_rejects_other_values():
    with pytest.raises(TypeError, match="value has type str"):
        display("a", "html")


def test_exercise_shows_how_to_grade_answers():
    exercise = RESULTS["exercise step"]
    content = "".join(read_html(exercise._repr_html_()).texts)
    assert "bleu.grade(exercise, {" in content
    for name in exercise.names:
        assert f"'{name}': …" in content


@pytest.mark.parametrize("kind", ["mark", "step"])
@pytest.mark.parametrize("by_hand", [True, False])
def test_exercise_does_not_reveal_which_ngrams_are_credited(kind, by_hand):
    for exercise in bleu.exercises("7k2q", ("clipping",), 3, kinds=(kind,), by_hand=by_hand):
        markup = exercise._repr_html_().replace(STYLE, "")
        assert not re.search('class="(credited|clipped|unmatched|mark)"', markup)
        assert not re.search("[✓✂✗]", exercise._repr_markdown_())


def test_comparison_has_tables_of_other_and_equal_scores():
    source = bleu.compare("the cat is on mat", ["the cat is on the mat"])._repr_markdown_()
    assert "| coco-caption | 57.89300672 |" in source
    assert "| No difference for these texts. |" in source


@pytest.mark.parametrize(("name", "has_intervals"), [("bootstrap", True), ("randomization", False)])
def test_only_bootstrap_shows_intervals(name, has_intervals):
    assert ("95 % interval" in RESULTS[name]._repr_markdown_()) == has_intervals


def test_fraction_in_a_fraction_has_parentheses_without_mathml():
    inner = "<mfrac><mn>3</mn><mn>4</mn></mfrac>"
    for parts, expected in ((f"{inner}<mn>2</mn>", "(3/4)/2"), (f"<mn>2</mn>{inner}", "2/(3/4)")):
        markup = with_linear_forms(f"<math><mfrac>{parts}</mfrac></math>")
        assert re.sub("<[^>]*>", "", markup) == expected

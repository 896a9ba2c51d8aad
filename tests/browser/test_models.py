"""SentencePiece models in the page: opened, and asked for by a link."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import bleu
from app.state.inputs import menu_value
from tests.browser.conftest import copy_link, open_page, open_sealed_page, reveal
from tests.browser.test_corpus import drop
from tests.support.sentencepiece_models import generate_lines, train

LINES = generate_lines(3, seed=9)


@pytest.fixture
def models(tmp_path: Path) -> list[Path]:
    """Return the paths of two models."""
    paths = [tmp_path / "my own.model", tmp_path / "other"]
    for path, kind in zip(paths, ("unigram", "bpe"), strict=True):
        path.write_bytes(train(model_type=kind, vocab_size=300))
    return paths


def expect_score(page: Page, path: Path, **options: str) -> None:
    """Expect the score of two lines under a model."""
    tokenizer = bleu.load_tokenizer(path)
    value = bleu.sentence_bleu(LINES[0], [LINES[1]], tokenizer=tokenizer, **options).value
    expect(page.locator("#score")).to_have_attribute("data-value", repr(value))
    expect(page.locator("#error")).to_have_text("")


@pytest.mark.slow
def test_model_is_opened_and_a_link_asks_for_it(context, site, models):
    page = open_sealed_page(context, site)
    for box, text in zip(("hypothesis", "reference-1"), LINES, strict=False):
        reveal(page, f"#{box}").fill(text)
    reveal(page, "#smoothing").select_option("exp")
    expect(page.locator("#model")).to_be_hidden()
    reveal(page, "#tokenizer").select_option("model")
    expect(page.locator("#error")).to_contain_text("No SentencePiece model is open")
    page.locator("#model-file").set_input_files(models[0])
    expect_score(page, models[0], smoothing="exp")
    copy_link(page)
    link = str(page.locator("#notice").get_attribute("data-text"))
    value = menu_value(bleu.load_tokenizer(models[0]))
    assert f"tokenizer={value}" in link
    expect(page.locator("#model-status")).to_have_text(f"Open: {value[:11]}: my own.model")

    page.goto("about:blank")
    page.goto(link)
    expect(page.locator("#error")).to_contain_text(f"The SentencePiece model {value[:11]} is not")
    expect(page.locator("#tokenizer")).to_have_value(value)
    page.locator("#model-file").set_input_files(models[1])
    expect(page.locator("#model-error")).to_contain_text(f"not {value[:11]}. Choose the file of")
    expect(page.locator("#tokenizer")).to_have_value(value)
    page.locator("#model-file").set_input_files(models[0])
    expect_score(page, models[0], smoothing="exp")


@pytest.mark.slow
def test_model_is_dropped_on_the_files_and_a_wrong_file_gets_a_sentence(tab, models, tmp_path):
    page = open_page(tab)
    wrong = tmp_path / "wrong.model"
    wrong.write_bytes(b"no model")
    for slot, line in (("system", LINES[0]), ("references", LINES[1])):
        reveal(page, f"#corpus-{slot}").fill(f"{line}\n{LINES[2]}")
    drop(page, "#files-title", wrong)
    expect(page.locator("#model-error")).to_contain_text("The file is not a SentencePiece model")
    expect(page.locator("#corpus-tokenizer")).to_have_value("13a")
    drop(page, "#model", models[1])
    tokenizer = bleu.load_tokenizer(models[1])
    expect(page.locator("#corpus-tokenizer")).to_have_value(menu_value(tokenizer))
    reveal(page, "#corpus-run").click()
    score = bleu.corpus_bleu(
        [LINES[0], LINES[2]], [[LINES[1]], [LINES[2]]], convention="sacrebleu", tokenizer=tokenizer
    )
    expect(page.locator("#corpus-score")).to_have_attribute("data-value", repr(score.value))
    expect(page.locator("#corpus-result")).to_contain_text(f"tok:{tokenizer}")
    expect(reveal(page, "#tokenizer")).to_have_value("whitespace")
    tab.check()

import json

import pytest

import bleu
from bleu.__main__ import main
from bleu.core.custom_tokenizers import FLORES200_SHA256, SACREBLEU_MODELS
from tests.support.sentencepiece_models import write_model

MODEL = write_model(
    [("<unk>", 0.0, 2), *((letter, -4.0, 1) for letter in "▁abc"), ("▁ab", -2.0, 1)]
)
TEXTS = "ab cab ba c", "ab ca ba cc"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Return the folder of sacreBLEU's models, which is empty."""
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    (tmp_path / "models").mkdir()
    return tmp_path / "models"


@pytest.fixture
def model(tmp_path):
    """Return the path of a model."""
    path = tmp_path / "my.model"
    path.write_bytes(MODEL)
    return path


def test_a_segment_is_scored_with_a_model(model, capsys):
    assert main([*TEXTS, "--tokenizer-model", str(model), "--format", "json"]) == 0
    result = json.loads(capsys.readouterr().out)
    tokenizer = bleu.load_tokenizer(model)
    assert (
        result["score"]["value"]
        == bleu.sentence_bleu(TEXTS[0], [TEXTS[1]], tokenizer=tokenizer).value
    )
    assert result["settings"]["tokenizer"] == str(tokenizer)
    assert result["tokens"]["hypothesis"][0] == "▁ab"


def test_the_model_of_sacrebleu_is_found_and_named(folder, tmp_path, capsys):
    for name, file in SACREBLEU_MODELS.items():
        (folder / file).write_bytes(MODEL)
        for text, path in zip(TEXTS, "hr", strict=True):
            (tmp_path / path).write_text(text)
        files = ["--hypotheses", str(tmp_path / "h"), "--references", str(tmp_path / "r")]
        options = ["--tokenizer", name, "--signature", "sacrebleu"]
        assert main(["corpus", *files, *options]) == 0
        output = capsys.readouterr()
        assert f"|tok:{name}|" in output.out
        assert ("is not the published one" in output.err) == (name == "flores200")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--tokenizer", "flores200"], "models/flores200sacrebleuspm"),
        (["--tokenizer", "flores200"], "(4.9 MB), does not exist; run sacreBLEU"),
        (["--tokenizer", "spm"], "old name for flores101; choose flores200 or flores101"),
        (["--tokenizer", "13A"], "tokenizer is '13A'; choose 13a"),
        (["--tokenizer-model", "missing.model"], "missing.model cannot be read: No such file"),
        (["--tokenizer-model", __file__], "is not a SentencePiece model"),
        (["--tokenizer-model", "x", "--tokenizer", "13a"], "are both given; give one of them"),
    ],
)
def test_what_is_not_there_is_answered_with_the_way_out(options, message, capsys):
    with pytest.raises(SystemExit) as end:
        main([*TEXTS, *options])
    assert end.value.code == 2
    assert message in " ".join(capsys.readouterr().err.split())


def test_the_digest_of_flores200_has_64_digits():
    assert len(FLORES200_SHA256) == len(bytes.fromhex(FLORES200_SHA256)) * 2 == 64


def test_which_tries_the_models(model, tmp_path, capsys):
    tokenizer = bleu.load_tokenizer(model)
    hypotheses, references = [TEXTS[0], "ab ab ca b"], [[TEXTS[1]], ["ab ab ca a"]]
    score = bleu.corpus_bleu(hypotheses, references, convention="sacrebleu", tokenizer=tokenizer)
    number = f"{100 * score.value:.4f}"
    paths = [tmp_path / "h.txt", tmp_path / "r.txt"]
    for path, lines in zip(paths, [hypotheses, [text for (text,) in references]], strict=True):
        path.write_text("\n".join(lines))
    files = ["--hypotheses", str(paths[0]), "--references", str(paths[1])]
    command = ["which", "--number", number, *files, "--format", "json"]
    assert main(command) == 0
    signatures = [candidate["signature"] for candidate in json.loads(capsys.readouterr().out)]
    assert not any(str(tokenizer) in signature for signature in signatures)
    assert main([*command, "--tokenizer-model", str(model)]) == 0
    found = json.loads(capsys.readouterr().out)
    candidate = next(c for c in found if c["agrees"] and c["convention"] == "sacrebleu")
    assert candidate["settings"]["tokenizer"] == str(tokenizer)
    assert f"tokenizer=bleu.load_tokenizer({str(model)!r})" in candidate["code"]
    exec(candidate["code"].split("\n\n", 1)[1], {})
    assert float(capsys.readouterr().out) == pytest.approx(100 * score.value)


def test_code_for_a_model_of_sacrebleu_calls_sacrebleu(folder, capsys):
    path = folder / SACREBLEU_MODELS["flores101"]
    path.write_bytes(MODEL)
    for name, text in (("h", TEXTS[0]), ("r", TEXTS[1])):
        (folder / name).write_text(text)
    files = ["--hypotheses", str(folder / "h"), "--references", str(folder / "r")]
    options = {"tokenizer": bleu.load_tokenizer("flores101"), "convention": "sacrebleu-sentence"}
    score = bleu.sentence_bleu(TEXTS[0], [TEXTS[1]], **options)
    number = f"{100 * score.value:.6f}"
    assert main(["which", "--number", number, *files, "--tokenizer-model", str(path)]) == 0
    output = capsys.readouterr().out
    assert "sacreBLEU sentence_bleu, tokenizer flores101" in output
    assert "sacrebleu.BLEU(tokenize='flores101'" in output


def test_which_names_a_file_that_is_no_model(tmp_path, capsys):
    files = ["--hypotheses", __file__, "--references", __file__]
    assert main(["which", "--number", "1", *files, "--tokenizer-model", __file__]) == 1
    assert "is not a SentencePiece model" in capsys.readouterr().err

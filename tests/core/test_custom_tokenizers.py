import pickle

import pytest

import bleu
from bleu import Settings, Tokenizer, load_tokenizer
from bleu.core import custom_tokenizers, sentencepiece_file
from bleu.core.progress import map_progress, run_to_end
from bleu.core.tokenizers import tokenize
from tests.support.sentencepiece_models import write_model

LETTERS = [("<unk>", 0.0, 2), *((letter, -4.0, 1) for letter in "▁abc"), ("▁ab", -2.0, 1)]
MODEL = write_model(LETTERS)
OTHER = write_model(LETTERS[:-1])
TEXTS = "ab cab ba c", ["ab ca ba cc", "ab ab"]


def split_at_commas(text):
    return text.split(",")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return sacreBLEU's folder of models, which is empty."""
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    (tmp_path / "models").mkdir()
    return tmp_path / "models"


def test_a_model_is_a_tokenizer_for_every_function():
    model = load_tokenizer(MODEL)
    pieces = [" ".join(model(text)) for text in (TEXTS[0], *TEXTS[1])]
    expected = bleu.sentence_bleu(pieces[0], pieces[1:])
    assert model("ab ca") == ["▁ab", "▁", "c", "a"]
    assert bleu.sentence_bleu(*TEXTS, tokenizer=model) == expected
    assert bleu.derive(*TEXTS, Settings(tokenizer=model)).score == expected
    assert bleu.corpus_bleu([TEXTS[0]], [TEXTS[1]], tokenizer=model) == expected
    assert bleu.compare(*TEXTS, tokenizer=model)
    assert bleu.diagnose(*TEXTS, tokenizer=model) == bleu.diagnose(*TEXTS, tokenizer=model)
    assert bleu.sentence_bleu("AB", ["ab"], tokenizer=model, lowercase=True, max_order=1).value == 1


def test_a_function_is_a_tokenizer():
    commas = bleu.tokenizer("commas", split_at_commas)
    assert tokenize("a b,c", commas) == ("a b", "c")
    assert Settings(tokenizer=commas).signature(1).split("|")[3] == "tok:custom-commas"
    assert commas == bleu.tokenizer("commas", split_at_commas)
    assert commas != bleu.tokenizer("commas", str.split)
    assert pickle.loads(pickle.dumps(Settings(tokenizer=commas))) == Settings(tokenizer=commas)


def test_models_are_identified_by_their_file(tmp_path):
    path = tmp_path / "any.model"
    path.write_bytes(MODEL)
    model, other = load_tokenizer(path), load_tokenizer(OTHER)
    assert model == load_tokenizer(str(path)) == load_tokenizer(MODEL)
    assert hash(model) == hash(load_tokenizer(MODEL))
    assert model != other
    assert str(model) == f"sp-{model.digest[:8]}"
    assert f"|tok:{model}|" in Settings(tokenizer=model).signature(1)
    assert repr(model) == f"Tokenizer(name='{model}', digest='{model.digest}')"
    statistics = bleu.segment_statistics(*TEXTS, tokenizer=model)
    with pytest.raises(ValueError, match=str(other)):
        bleu.score_statistics(statistics, tokenizer=other)


def test_settings_with_a_model_are_pickled_with_its_file():
    settings = Settings(tokenizer=load_tokenizer(MODEL))
    copy = pickle.loads(pickle.dumps(settings))
    assert copy == settings
    assert bleu.sentence_bleu(*TEXTS, copy) == bleu.sentence_bleu(*TEXTS, settings)


def test_the_models_of_sacrebleu_are_found_in_its_folder_and_named(folder):
    for name, file in custom_tokenizers.SACREBLEU_MODELS.items():
        (folder / file).write_bytes(MODEL)
        model = load_tokenizer(name)
        assert str(model) == name
        assert model == load_tokenizer(folder / file) != load_tokenizer(MODEL)
        signature = Settings(tokenizer=model, smoothing="exp", too_short="zero")
        assert f"|tok:{name}|" in signature.signature(1, form="sacrebleu")
    with pytest.raises(ValueError, match="choose the signature bleu or the convention sacrebleu"):
        Settings(tokenizer=load_tokenizer(MODEL)).signature(1, form="sacrebleu")


def test_flores200_is_known_by_its_digest(monkeypatch):
    monkeypatch.setattr(custom_tokenizers, "FLORES200_SHA256", load_tokenizer(MODEL).digest)
    assert str(load_tokenizer(MODEL)) == "flores200"


def test_a_missing_model_of_sacrebleu_is_answered_with_its_place(folder):
    with pytest.raises(ValueError, match="--tokenize flores200 once") as error:
        load_tokenizer("flores200")
    assert str(folder / "flores200sacrebleuspm") in str(error.value)


def test_files_that_are_no_models_are_refused(tmp_path, monkeypatch):
    path = tmp_path / "text"
    with pytest.raises(FileNotFoundError):
        load_tokenizer(path)
    path.write_text("The cat sat on the mat.\n" * 10)
    with pytest.raises(ValueError, match="is not a SentencePiece model"):
        load_tokenizer(path)
    monkeypatch.setattr(custom_tokenizers, "MAX_MODEL_BYTES", 100)
    with pytest.raises(ValueError, match=r"has 0 MB; give the \.model file"):
        load_tokenizer(path)


@pytest.mark.parametrize("result", ["a b", [1, 2], None, 5, [["a"]]])
def test_a_function_that_returns_no_list_of_tokens_is_named(result):
    with pytest.raises(TypeError, match="tokenizer custom-wrong returned"):
        bleu.sentence_bleu("a b", ["a"], tokenizer=bleu.tokenizer("wrong", lambda _: result))


def test_names_of_functions_fit_into_a_signature():
    for name in ("", "a|b", "a b", "tok:x", "x" * 41, "ä", 5):
        with pytest.raises(ValueError, match="letters, digits"):
            bleu.tokenizer(name, str.split)
    with pytest.raises(TypeError, match="give a function"):
        bleu.tokenizer("words", "13a")


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("flores200", r"give bleu.load_tokenizer\('flores200'\)"),
        ("ja-mecab", r"give bleu.load_tokenizer\('ja-mecab'\)"),
        ("spm", "choose flores200 or flores101"),
        ("sp-01234567", r"bleu.load_tokenizer\(FILE\)"),
        ("custom-commas", r"bleu.tokenizer\(NAME, FUNCTION\)"),
        ("zh_corrected", "choose zh, zh-corrected"),
        ("v13a", "choose 13a$"),
        ("", "choose one of: whitespace, 13a"),
        (split_at_commas, "a function; give bleu.tokenizer"),
        (None, "choose one of: whitespace, 13a"),
    ],
)
def test_an_unknown_tokenizer_is_answered_with_the_way_out(name, remedy):
    with pytest.raises(ValueError, match=remedy):
        Settings(tokenizer=name)


def test_every_format_names_the_model():
    from bleu.analysis.snippets import snippets
    from bleu.render import html, json, text

    model = load_tokenizer(MODEL)
    derivation = bleu.derive(*TEXTS, tokenizer=model)
    assert f'"tokenizer": "{model}"' in json.render(derivation)
    steps = text.render(bleu.explain(derivation))
    assert f"by the SentencePiece model {model}, whose ▁ stands for a space" in steps
    assert "▁ab" in html.render(bleu.explain(derivation))
    code = {snippet.library: snippet for snippet in snippets(*TEXTS, derivation)}
    assert f"tokenizer=bleu.load_tokenizer('{model}.model')" in code["bleu"].code
    assert model.digest in code["bleu"].remark
    assert "▁ab" in code["sacrebleu"].code
    function = bleu.derive(*TEXTS, tokenizer=bleu.tokenizer("split", str.split))
    assert "by the function custom-split" in text.render(bleu.explain(function))
    assert "bleu.tokenizer('split', FUNCTION)" in snippets(*TEXTS, function)[0].code
    assert isinstance(function.settings.tokenizer, Tokenizer)


def test_code_names_the_file_that_was_given_of_equal_models(tmp_path):
    from bleu.analysis.snippets import snippets

    for name in ("one.model", "two.model"):
        path = tmp_path / name
        path.write_bytes(MODEL)
        derivation = bleu.derive(*TEXTS, tokenizer=load_tokenizer(path))
        assert f"load_tokenizer({str(path)!r})" in snippets(*TEXTS, derivation)[0].code


def test_a_model_is_read_with_progress_and_names_its_file(monkeypatch):
    monkeypatch.setattr(sentencepiece_file, "PIECES_PER_STEP", 2)
    events = []
    steps = custom_tokenizers.iter_tokenizer(MODEL, "my.model")
    model = run_to_end(map_progress(steps, lambda *event: events.append(event)))
    assert len(events) > 1
    assert events == sorted(events)
    assert {total for _, total in events} == {len(MODEL)}
    assert all(0 < done < len(MODEL) for done, _ in events)
    assert (model, model.file) == (load_tokenizer(MODEL), "my.model")

"""Code written for other libraries: their names are answered with ours, and Series are read."""

import copy
import pickle
from collections.abc import Sequence

import pytest

import bleu
from bleu.core.migration import ATTRIBUTES, KEYWORDS
from bleu.core.settings import SETTING_NAMES

HYPOTHESES = ["a b c d", "x y"]
REFERENCES = [["a b c d"], ["x z"]]
IDS = [7, 8, 9, 10]
SCORE = bleu.corpus_bleu(HYPOTHESES, REFERENCES)


class Column(Sequence):
    """A sequence that is not a list, like the column of a data set."""

    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index]


class Series:
    """A series as in polars: neither a sequence nor a list, with `to_list`."""

    def __init__(self, values):
        self._values = values

    def to_list(self):
        return list(self._values)

    def __len__(self):
        raise AssertionError("read the list")

    __getitem__ = __iter__ = __bool__ = __len__


def labelled_series(values):
    """Return a Series of pandas with an index that has another order."""
    pd = pytest.importorskip("pandas", exc_type=ImportError)
    return pd.Series(values, index=range(len(values), 0, -1))


SERIES = [pytest.param(labelled_series, marks=pytest.mark.host), Series]


@pytest.mark.host
def test_sequences_and_numbers_of_other_libraries_are_accepted():
    np = pytest.importorskip("numpy", exc_type=ImportError)
    assert bleu.corpus_bleu(Column(HYPOTHESES), Column(REFERENCES)) == SCORE
    assert bleu.sentence_bleu(np.str_("a b c d"), ["a b c d"]).value == 1
    assert bleu.sentence_bleu(list(np.array(IDS)), [IDS]).value == 1
    assert bleu.sentence_bleu(list(np.array(IDS)), [[1, 2]]).value == 0
    weights = np.array([0.5, 0.5])
    assert bleu.sentence_bleu("a b", ["a b"], max_order=np.int64(2), weights=weights).value == 1


@pytest.mark.parametrize("series", SERIES)
def test_series_are_read_by_position(series):
    hypotheses, references = series(HYPOTHESES), series(REFERENCES)
    assert bleu.corpus_bleu(hypotheses, references) == SCORE
    assert bleu.corpus_bleu(hypotheses, references=REFERENCES) == SCORE
    assert bleu.derive_corpus(hypotheses, references=references).score == SCORE
    accumulator = bleu.Accumulator()
    accumulator.update(hypotheses, references)
    assert accumulator.compute() == SCORE
    both = ["a b c d", "a b x d"]
    assert bleu.sentence_bleu("a b c d", series(both)) == bleu.sentence_bleu("a b c d", both)
    assert bleu.sentence_bleu(series(IDS), [IDS]).value == 1
    intervals = [
        bleu.confidence_interval(texts, references=more, resamples=5)
        for texts, more in ((hypotheses, references), (HYPOTHESES, REFERENCES))
    ]
    assert intervals[0] == intervals[1]
    found = [bleu.which(f"{100 * SCORE:.4f}", *texts).found for texts in
             ((hypotheses, references), (HYPOTHESES, REFERENCES))]  # fmt: skip
    assert found[0] == found[1]
    assert bleu.check_corpus(hypotheses, references) == bleu.check_corpus(HYPOTHESES, REFERENCES)
    repaired = bleu.repair_corpus(hypotheses, references, series(["case"]))
    assert repaired == (HYPOTHESES, REFERENCES)
    weights = series([0.5, 0.5])
    assert bleu.sentence_bleu("a b", ["a b"], max_order=2, weights=weights).value == 1


@pytest.mark.host
def test_arrays_are_refused_with_a_remedy():
    array = pytest.importorskip("numpy", exc_type=ImportError).array
    with pytest.raises(TypeError, match=r"hypotheses has type .*; give its \.tolist\(\)"):
        bleu.corpus_bleu(array(HYPOTHESES), REFERENCES)
    with pytest.raises(TypeError, match=r"references has type .*\.tolist\(\)"):
        bleu.corpus_bleu(HYPOTHESES, array(["a b c d", "x z"]))
    with pytest.raises(TypeError, match=r"give its \.tolist\(\)"):
        bleu.sentence_bleu(array(IDS), [IDS])
    with pytest.raises(TypeError, match=r"give its \.tolist\(\)"):
        bleu.sentence_bleu(IDS, [array(IDS)])


@pytest.mark.host
@pytest.mark.parametrize("missing", ["None", "nan", "NA", "NaT"])
def test_missing_cell_is_refused_with_its_position(missing):
    pd = pytest.importorskip("pandas", exc_type=ImportError)
    value = {"None": None, "nan": float("nan"), "NA": pd.NA, "NaT": pd.NaT}[missing]
    for texts in (["a", value], pd.Series(["a", value], index=[4, 2], dtype=object)):
        with pytest.raises(
            TypeError, match=r"hypotheses\[1\] is .* \(type .*\); give '' for a missing text"
        ):
            bleu.corpus_bleu(texts, REFERENCES)


def test_transposed_references_are_answered_with_the_expression_that_mends_them():
    by_file = [["a b c d", "x z"], ["a b d", "x y z"], ["b c d", "y"]]
    with pytest.raises(ValueError, match=r"give list\(zip\(\*references\)\), so that") as error:
        bleu.corpus_bleu(HYPOTHESES, by_file)
    with pytest.raises(ValueError, match=r"list\(zip\(\*references\)\)"):
        bleu.corpus_bleu(HYPOTHESES, [labelled_series(texts) for texts in by_file])
    assert len(str(error.value)) <= 300
    by_segment = list(zip(*by_file, strict=True))
    assert bleu.corpus_bleu(HYPOTHESES, by_segment).value > 0
    texts = ["a b c d", "e f g h"], [["a b c d", "e f g h"], ["a b c x", "e f g x"]]
    with pytest.warns(UserWarning, match=r"give list\(zip\(\*references\)\)") as warnings:
        bleu.corpus_bleu(*texts)
    assert warnings[0].filename == __file__


@pytest.mark.parametrize(
    ("function", "options", "remedy"),
    [
        ("corpus_bleu", {"predictions": HYPOTHESES}, "use hypotheses"),
        ("corpus_bleu", {"candidates": HYPOTHESES}, "use hypotheses"),
        ("corpus_bleu", {"hypothesis": HYPOTHESES}, "use hypotheses"),
        ("corpus_bleu", {"hypotheses": [], "list_of_references": REFERENCES}, "use references"),
        ("corpus_bleu", {"preds": HYPOTHESES, "target": REFERENCES}, "use hypotheses"),
        ("corpus_bleu", {"hypotheses": [], "target": REFERENCES}, "use references"),
        ("sentence_bleu", {"hypotheses": "a"}, "use hypothesis"),
        ("sentence_bleu", {"hypothesis": "a", "reference": "a"}, "use references"),
        ("derive", {"candidate": "a"}, "use hypothesis"),
        ("confidence_interval", {"hypotheses": HYPOTHESES}, "use segments"),
        ("which", {"predictions": HYPOTHESES}, "use hypotheses"),
        ("Settings", {"smooth_method": "exp"}, "use smoothing"),
        ("Accumulator", {"tokenize": "13a"}, "use tokenizer"),
        ("corpus_bleu", {"trg_lang": "zh"}, "use tokenizer: 'zh' for Chinese"),
        ("corpus_bleu", {"n_gram": 2}, "use max_order"),
        ("corpus_bleu", {"use_effective_order": True}, "use effective_order"),
        ("corpus_bleu", {"smoothing_function": None}, "use smoothing, or a convention of NLTK"),
        ("corpus_bleu", {"smoothin": "exp"}, "choose from: smoothing, smoothing_value"),
        ("Settings", {"foo": 1}, "choose from: tokenizer, lowercase"),
    ],
)
def test_arguments_of_other_libraries_are_answered_with_ours(function, options, remedy):
    name = next(name for name in options if name not in ("hypotheses", "hypothesis")
                or len(options) == 1)  # fmt: skip
    with pytest.raises(TypeError) as error:
        getattr(bleu, function)(**options)
    assert str(error.value).startswith(f"{name!r} is not an argument of {function}; {remedy}")
    assert error.value.__context__ is None
    with pytest.raises(TypeError, match=r"of Accumulator\.update; use hypotheses"):
        bleu.Accumulator().update(preds=HYPOTHESES, target=REFERENCES)


def test_every_name_of_another_library_leads_to_an_argument():
    ours = {"hypotheses", "hypothesis", "segments", "texts", "references", *SETTING_NAMES}
    for name, remedy in KEYWORDS.items():
        assert name not in SETTING_NAMES
        if isinstance(remedy, tuple):
            assert ours.issuperset(remedy)


@pytest.mark.parametrize("number", range(8))
def test_smoothing_methods_of_nltk_are_answered_with_their_convention(number):
    convention = f"nltk-method{number}"
    assert convention in bleu.CONVENTIONS
    with pytest.raises(ValueError, match=f"; choose convention='{convention}'"):
        bleu.sentence_bleu("a", ["a"], smoothing=f"method{number}")
    nltk = pytest.importorskip("nltk.translate.bleu_score", exc_type=ImportError)
    with pytest.raises(ValueError, match=f"; choose convention='{convention}'"):
        bleu.Settings(smoothing=getattr(nltk.SmoothingFunction(), f"method{number}"))


OWNERS = {
    "module 'bleu'": bleu,
    "'Score' object": SCORE,
    "'Accumulator' object": bleu.Accumulator(),
}


@pytest.mark.parametrize(
    ("owner", "name"), [(owner, name) for owner, names in ATTRIBUTES.items() for name in names]
)
def test_attributes_of_other_libraries_are_answered_with_ours(owner, name):
    value = OWNERS[owner]
    assert not hasattr(value, name)
    with pytest.raises(AttributeError) as error:
        getattr(value, name)
    remedy = ATTRIBUTES[owner][name]
    assert str(error.value) == f"{owner} has no attribute {name!r}; {remedy}"


@pytest.mark.parametrize("owner", OWNERS)
def test_other_attributes_are_missing_as_always(owner):
    with pytest.raises(AttributeError, match=f"^{owner} has no attribute 'foo'$"):
        _ = OWNERS[owner].foo
    for name in ("tolist", "__array__", "_repr_png_", "__deepcopy__"):
        assert not hasattr(OWNERS[owner], name)


def test_scores_accumulators_and_functions_can_be_copied_and_listed():
    accumulator = bleu.Accumulator(max_order=2)
    accumulator.update(HYPOTHESES, REFERENCES)
    for duplicate in (copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))):
        assert duplicate(SCORE) == SCORE
        assert duplicate(accumulator).compute() == accumulator.compute()
        assert duplicate(bleu.corpus_bleu) is bleu.corpus_bleu
    assert {"value", "brevity_penalty", "matched"} <= set(dir(SCORE))
    assert "bp" not in dir(SCORE)
    assert set(bleu.__all__) <= set(dir(bleu))
    assert "BLEU" not in dir(bleu)


def test_a_subclass_has_plain_errors():
    class Own(bleu.Accumulator):
        pass

    with pytest.raises(AttributeError, match=r"^'Own' object has no attribute 'add'$"):
        _ = Own().add

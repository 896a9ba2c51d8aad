"""Values of NumPy and pandas are accepted if unambiguous, otherwise refused with a remedy."""

from collections.abc import Sequence

import pytest

import bleu

pytestmark = pytest.mark.host
np = pytest.importorskip("numpy", exc_type=ImportError)
pd = pytest.importorskip("pandas", exc_type=ImportError)

HYPOTHESES = ["a b c d", "x y"]
REFERENCES = [["a b c d"], ["x z"]]
IDS = [7, 8, 9, 10]


class Column(Sequence):
    """A sequence that is not a list, like the column of a data set."""

    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index]


def test_sequences_and_numbers_of_other_libraries_are_accepted():
    expected = bleu.corpus_bleu(HYPOTHESES, REFERENCES)
    assert bleu.corpus_bleu(Column(HYPOTHESES), Column(REFERENCES)) == expected
    assert (
        bleu.corpus_bleu(pd.Series(HYPOTHESES).tolist(), pd.Series(REFERENCES).tolist()) == expected
    )
    assert bleu.sentence_bleu(np.str_("a b c d"), ["a b c d"]).value == 1
    assert bleu.sentence_bleu(list(np.array(IDS)), [IDS]).value == 1
    assert bleu.sentence_bleu(list(np.array(IDS)), [[1, 2]]).value == 0
    weights = pd.Series([0.5, 0.5])
    assert bleu.sentence_bleu("a b", ["a b"], max_order=np.int64(2), weights=weights).value == 1


@pytest.mark.parametrize("to_array", [pd.Series, np.array], ids=["pandas", "numpy"])
def test_arrays_are_refused_with_a_remedy(to_array):
    with pytest.raises(TypeError, match=r"hypotheses has type .*; give its \.tolist\(\)"):
        bleu.corpus_bleu(to_array(HYPOTHESES), REFERENCES)
    with pytest.raises(TypeError, match=r"references has type .*\.tolist\(\)"):
        bleu.corpus_bleu(HYPOTHESES, to_array(["a b c d", "x z"]))
    with pytest.raises(TypeError, match=r"give its \.tolist\(\)"):
        bleu.sentence_bleu(to_array(IDS), [IDS])
    with pytest.raises(TypeError, match=r"give its \.tolist\(\)"):
        bleu.sentence_bleu(IDS, [to_array(IDS)])


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, pd.NaT])
def test_missing_cell_is_refused_with_its_position(missing):
    with pytest.raises(
        TypeError, match=r"hypotheses\[1\] is .* \(type .*\); give '' for a missing text"
    ):
        bleu.corpus_bleu(["a", missing], REFERENCES)

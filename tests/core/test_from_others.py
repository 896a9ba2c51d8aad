"""Values of other libraries: taken where their meaning is clear, else refused with the remedy."""

from collections.abc import Sequence

import pytest

import bleu

pytestmark = pytest.mark.host
np = pytest.importorskip("numpy", exc_type=ImportError)
pd = pytest.importorskip("pandas", exc_type=ImportError)

TEXTS = ["a b c d", "x y"]
OWN = [["a b c d"], ["x z"]]
IDS = [7, 8, 9, 10]


class Column(Sequence):
    """As a data set's column: a sequence that is no list."""

    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, place):
        return self.rows[place]


def test_sequences_and_numbers_of_other_libraries_are_taken():
    expected = bleu.corpus_bleu(TEXTS, OWN)
    assert bleu.corpus_bleu(Column(TEXTS), Column(OWN)) == expected
    assert bleu.corpus_bleu(pd.Series(TEXTS).tolist(), pd.Series(OWN).tolist()) == expected
    assert bleu.sentence_bleu(np.str_("a b c d"), ["a b c d"]).value == 1
    assert bleu.sentence_bleu(list(np.array(IDS)), [IDS]).value == 1
    assert bleu.sentence_bleu(list(np.array(IDS)), [[1, 2]]).value == 0
    weights = pd.Series([0.5, 0.5])
    assert bleu.sentence_bleu("a b", ["a b"], max_order=np.int64(2), weights=weights).value == 1


@pytest.mark.parametrize("made", [pd.Series, np.array], ids=["pandas", "numpy"])
def test_arrays_are_refused_with_the_remedy(made):
    with pytest.raises(TypeError, match=r"hypotheses is a .*; give its \.tolist\(\)"):
        bleu.corpus_bleu(made(TEXTS), OWN)
    with pytest.raises(TypeError, match=r"references is a .*\.tolist\(\)"):
        bleu.corpus_bleu(TEXTS, made(["a b c d", "x z"]))
    with pytest.raises(TypeError, match=r"give its \.tolist\(\)"):
        bleu.sentence_bleu(made(IDS), [IDS])
    with pytest.raises(TypeError, match=r"give its \.tolist\(\)"):
        bleu.sentence_bleu(IDS, [made(IDS)])


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, pd.NaT])
def test_a_missing_cell_is_refused_with_its_place(missing):
    with pytest.raises(TypeError, match=r"hypotheses\[1\] is a .*, .*; give '' for a missing text"):
        bleu.corpus_bleu(["a", missing], OWN)

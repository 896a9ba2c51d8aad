"""The quality of the check-up on generated texts: a small part of `tests.bench.checkup`."""

import pytest

from tests.bench.checkup import count_detections, count_exact, false_alarms
from tests.bench.checkup_texts import generate_sets

SETS = generate_sets(seed=2, count=120)
BY_NAME = {texts.name: texts for texts in SETS}


@pytest.mark.slow
def test_corruptions_are_found_and_named_first():
    counts = count_detections([BY_NAME["accents"]], seed=2, every=2)
    assert sum(count.total for count in counts.values()) > 120
    misses = [miss for count in counts.values() for miss in count.misses]
    assert len(misses) <= 0.02 * sum(count.total for count in counts.values()), misses


def test_clean_texts_raise_no_alarm():
    alarms, _ = false_alarms(SETS, len(SETS), seed=2)
    assert not alarms


def test_the_line_is_exact():
    exact, misses = count_exact(SETS, 40, seed=2)
    assert exact >= 38, misses

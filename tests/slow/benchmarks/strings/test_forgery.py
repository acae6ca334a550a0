"""The attack finds its way to a published line, which is worth no more than we say; the old extrapolation is not."""

import pytest

from benchmarks.strings.forgery import attacked
from hgldp.stores.strings import lines as published

N, EPSILON, SEED, LATE = 60_000, 6.0, 2, 2 / 3
FEW, MANY = 150, 300


@pytest.mark.parametrize("forged", [FEW, MANY])
def test_a_forged_string_is_worth_no_more_than_we_say(forged: int) -> None:
    """The seed is fixed. Noise adds less than 300 to a count, or it is an accident of less than one in a million."""
    line, worth = attacked(N, EPSILON, forged, SEED, LATE)
    assert line is not None
    assert line.count <= worth + 300
    assert line.may_be_noise is (forged == FEW), "it stands out if it is more than the noise of the whole stream"


def test_a_rate_times_all_reports_would_be_worth_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(published, "STRING_REACH", 1e9)
    line, worth = attacked(N, EPSILON, MANY, SEED, LATE)
    assert line is not None
    assert line.count > worth + 300

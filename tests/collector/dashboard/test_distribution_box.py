"""What the panel of a distribution shows: bars and words that agree."""

import re

from hgldp.collector.dashboard.distribution_box import DistributionBox
from hgldp.collector.dashboard.templates import ENVIRONMENT
from hgldp.collector.views import DistributionAnswer
from hgldp.model.distribution import Decade, Distribution, unknown

MACROS = ENVIRONMENT.get_template("macros.html").module
TOLD = (
    Decade(0.1, 2.0, (2, 2), 0.5, (0.48, 0.52)),
    Decade(0.01, 12.3, (9, 14), 0.3, (0.25, 0.35)),
)
FOUND = Distribution(TOLD, 9_000, 1_000, 0.2, (0.15, 0.25))


def shown(found: Distribution | None, window: int | None = None) -> str:
    answer = None if found is None else DistributionAnswer(window, 3, 9_000, 9_000, found)
    return str(MACROS.distribution_box(DistributionBox("/tasks/0?distribution=1#distribution", answer)))  # type: ignore[attr-defined]


def test_it_is_a_button_until_somebody_asks() -> None:
    told = shown(None)
    assert "Show" in told
    assert "<table" not in told


def test_each_row_says_in_words_what_its_bar_shows() -> None:
    told = shown(FOUND)
    words = re.sub(r"<[^>]*>", " ", told)
    for each in (
        "10 % and more",
        "1 % – 10 %",
        "below 1 %",
        "9 … 14",
        "30 % (25 … 35 %)",
        "984 … 989",
        "9,000 reports",
    ):
        assert each in words, each
    bars = [float(each) for each in re.findall(r'class="mass" x="0.0%" width="([\d.]+)%"', told)]
    assert len(bars) == 3
    assert 0 < bars[0] < bars[1] < bars[2] <= 100


def test_a_window_and_what_cannot_be_told_are_said() -> None:
    assert "of the last 9,000 reports" in re.sub(r"<[^>]*>", "", shown(FOUND, window=9_000))
    assert "These reports do not tell how" in shown(FOUND)
    nothing = shown(unknown(50))
    assert "<table" not in nothing
    assert "These reports do not tell how" in nothing

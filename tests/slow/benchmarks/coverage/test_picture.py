"""The picture shows the rows: every stream and start has a panel, every kind or scheme a line, at the height it has."""

import pytest

from benchmarks.coverage.answers import COLD, KINDS, WARM, WHOLE
from benchmarks.coverage.picture import LOWEST, pictures
from benchmarks.coverage.row import Row
from benchmarks.coverage.truth import Judged

GOOD, HIGH = Judged(0.5, 0), Judged(3.0, 1)
STREAMS = ("zipf:n=3000,d=50,s=1.2", "sudden:n=3000,d=50,s=1.2")


def rows(scheme: str, kinds: tuple[str, ...], held: int) -> list[Row]:
    runs = {1: [GOOD] * held + [HIGH] * (100 - held)}
    return [
        Row(scheme, stream, start, epsilon, kind, runs)
        for stream in STREAMS
        for start in (WARM, COLD)
        for kind in kinds
        for epsilon in (1.0, 4.0)
    ]


def test_pfr_has_a_line_for_each_kind_and_the_hot_lists_one_for_each_scheme() -> None:
    drawn = pictures(rows("pfr", KINDS, 95) + rows("dsr", KINDS[:2], 90) + rows("bgr", KINDS[:2], 97))
    assert set(drawn) == {"coverage-pfr", "coverage-hot-lists"}
    kinds, schemes = drawn["coverage-pfr"].axes, drawn["coverage-hot-lists"].axes
    assert len(kinds) == len(schemes) == 4
    assert [line.get_label() for line in kinds[0].get_lines()] == list(KINDS)
    assert {line.get_label(): list(line.get_ydata()) for line in schemes[0].get_lines()} == {
        "DSR, domain shrinkage": [0.9, 0.9],
        "BGR, the baseline": [0.97, 0.97],
    }
    assert kinds[1].get_title() == "Zipf 1.2, d = 50, n = 3,000: cold"


@pytest.mark.parametrize("empty", [True, False])
def test_what_is_far_off_lies_on_the_edge_and_what_was_not_measured_is_not_drawn(empty: bool) -> None:
    made = rows("pfr", (WHOLE,), 10)
    if empty:
        made[0].runs = {}
    line = pictures(made)["coverage-pfr"].axes[0].get_lines()[0]
    assert list(line.get_ydata()) == ([LOWEST] if empty else [LOWEST, LOWEST])
    assert set(pictures(made)) == {"coverage-pfr"}

"""The measuring itself: without an attack all bars hold, and each bar is one that can fail."""

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from tests.slow.attack.attacked_server import attacked_server
from tests.slow.attack.honest_client import PATIENCE, Diary
from tests.slow.attack.under_attack import MOST_MEGABYTES, Outcome, Phase, withstand

GOOD = Outcome("made", Phase(0.003, 0.01, 99), Phase(0.004, 0.09, 99), Phase(0.003, 0.01, 99), 100.0, Diary("made"), 0)


def test_without_an_attack_all_bars_hold(tmp_path: Path) -> None:
    with attacked_server(tmp_path) as server:
        outcome = withstand(server, "nothing", lambda _: nullcontext())
        assert outcome.diary.sent > 0
        server.end()


@pytest.mark.parametrize(
    "bad",
    [
        replace(GOOD, attacked=Phase(0.003, 0.11, 99)),
        replace(GOOD, quiet=Phase(0.003, 2.0, 99), attacked=Phase(0.003, PATIENCE, 99)),
        replace(GOOD, after=Phase(0.02, 0.02, 99)),
        replace(GOOD, peak_megabytes=MOST_MEGABYTES + 1),
        replace(GOOD, counted=1),
    ],
)
def test_a_server_that_is_slow_large_or_counts_twice_is_noticed(bad: Outcome) -> None:
    GOOD.check(judge_speed=True)
    with pytest.raises(AssertionError, match="made"):
        bad.check(judge_speed=True)


def test_a_server_that_stands_still_is_late_for_all_that_was_due() -> None:
    diary = Diary("made", due=[0.0, 1.0, 2.0], seconds=[0.01, 5.0, 4.0])
    assert Phase.of(diary.between(1.0, 3.0)) == Phase(5.0, 5.0, 2)

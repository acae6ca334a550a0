"""The event is the telling one, and it is chosen on other draws than those that bound it."""

import numpy as np
import pytest

from hgldp.audit.sampled.event import best_event
from hgldp.audit.sampled.tally import Counts, Tally
from hgldp.audit.views import REPORT, TIME


def tally(*columns: object, view: str = REPORT) -> Tally:
    found = Tally()
    found.add({view: np.column_stack([np.asarray(column, np.int64) for column in columns])})
    return found


def drawn(rng: np.random.Generator, shares: list[float], draws: int) -> np.ndarray:
    return rng.choice(len(shares), draws, p=shares)


def test_counts_of_blocks_add_up() -> None:
    parts = [Counts(np.array([1, 5]), np.array([2, 1])), Counts(np.array([5, 9]), np.array([4, 1]))]
    whole = Counts.joined(parts)
    assert whole.of(np.array([0, 1, 5, 9, 10])).tolist() == [0, 2, 5, 1, 0]


def test_the_likelier_codes_of_the_telling_column_are_taken() -> None:
    """A column of noise stands before the telling one. A fixed seed; the choice is 20 deviations clear."""
    rng = np.random.default_rng(1)
    one, other = [0.5, 0.2, 0.2, 0.1], [0.1, 0.2, 0.2, 0.5]

    def two() -> tuple[Tally, Tally]:
        noise = [rng.integers(0, 50, 4_000) for _ in range(2)]
        return tally(noise[0], drawn(rng, one, 4_000)), tally(noise[1], drawn(rng, other, 4_000))

    event = best_event(two(), two(), [REPORT], 4.0)
    assert event.column == (REPORT, 1)
    assert event.codes.tolist() == ([3] if event.swapped else [0])


def test_codes_that_never_come_again_are_no_event_of_their_own() -> None:
    """Random keys are all different: each is in the draws of one input only, and says nothing."""
    rng = np.random.default_rng(2)

    def two() -> tuple[Tally, Tally]:
        return tally(rng.integers(0, 1 << 60, 2_000)), tally(rng.integers(0, 1 << 60, 2_000))

    event, bounding = best_event(two(), two(), [REPORT], 4.0), two()
    assert [event.hits(each) for each in bounding] == [2_000, 2_000]


def test_what_was_not_listed_counts_with_the_rare_ones() -> None:
    """One input repeats its codes, the other never does."""
    rng = np.random.default_rng(3)

    def two() -> tuple[Tally, Tally]:
        return tally(np.full(2_000, 7)), tally(rng.integers(100, 1 << 60, 2_000))

    event, (one, other) = best_event(two(), two(), [REPORT], 4.0), two()
    assert {event.hits(one), event.hits(other)} == {0, 2_000}


def test_only_the_views_that_were_asked_for_are_looked_at() -> None:
    one, other = tally([1] * 50, view="length"), tally([2] * 50, view="length")
    one.add({REPORT: np.ones(1, np.int64)})
    other.add({REPORT: np.ones(1, np.int64)})
    assert best_event((one, other), (one, other), [REPORT], 3.0).column == (REPORT, 0)


@pytest.mark.parametrize("side", [0, 1])
def test_the_expected_order_is_used_where_draws_are_too_few_to_show_it(side: int) -> None:
    """200 codes and 400 draws. A fixed seed; codes alike in the claim are taken together."""
    rng, size = np.random.default_rng(4), 200
    expected = np.where(np.arange(size) < 100, 1.0, -1.0) * (-1 if side else 1)
    shares = np.where(np.arange(size) < 100, 3.0, 1.0) / 400

    def two() -> tuple[Tally, Tally]:
        found = tally(rng.choice(size, 400, p=shares)), tally(rng.choice(size, 400, p=shares[::-1]))
        return found[::-1] if side else found

    event = best_event(two(), two(), [REPORT], 3.0, expected)
    assert event.codes.size == 100
    one, other = (event.hits(each) for each in two())
    assert abs(one - other) > 120


def test_times_are_compared_by_sooner_and_later_if_draws_are_few() -> None:
    """Twelve draws a part, no bin twice, and all of one input before all of the other."""
    early, late = tally(np.arange(12), view=TIME), tally(np.arange(20, 32), view=TIME)
    event = best_event((early, late), (early, late), [TIME], 1.5)
    assert sorted(event.hits(each) for each in (early, late)) == [0, 12]


def test_the_one_telling_bit_among_many_is_found() -> None:
    """A fixed seed; the bit is right in 60 % of the draws of one input, and the others are fair coins."""
    rng = np.random.default_rng(5)

    def two() -> tuple[Tally, Tally]:
        bits = [rng.integers(0, 2, (4_000, 128)) for _ in range(2)]
        bits[0][:, 77] = rng.random(4_000) < 0.6
        return tally(*bits[0].T), tally(*bits[1].T)

    assert best_event(two(), two(), [REPORT], 4.0).column == (REPORT, 77)

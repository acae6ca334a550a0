"""The parts that all schemes share: symbols, the way into the store, and how reports are read."""

from dataclasses import dataclass, field
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgldp.checks.subjects import Recording
from hgldp.errors import InvalidField
from hgldp.model.bulletins import Bulletin
from hgldp.model.estimate import Estimate
from hgldp.model.randomness import SeededWords
from hgldp.model.reports import symbol_bytes
from hgldp.schemes.bdr import BDR
from hgldp.schemes.bgr import BGR
from hgldp.schemes.cnr import CNR
from hgldp.schemes.dsr import DSR
from hgldp.schemes.reading import Reading
from tests.schemes.small import quiet

HOT = Bulletin(bytes(32), 0, 12, (7, 2, 9), nominating=True)


@dataclass
class Diary:
    """A store that writes down what happens."""

    lines: list[tuple[str, int]] = field(default_factory=list)

    def hit(self, slot: int) -> None:
        self.lines.append(("hit", slot))

    def miss(self) -> None:
        self.lines.append(("miss", -1))

    def nominate(self, item: int) -> None:
        self.lines.append(("nominate", item))

    def estimates(self, k: int) -> tuple[Estimate, ...]:
        return tuple(Estimate(item, 0.0, 1.0) for item in range(k))


def written(scheme: BGR | DSR | BDR, symbol: int) -> tuple[str, int]:
    diary = Diary()
    scheme.insert(diary, symbol, HOT)
    (line,) = diary.lines
    return line


@pytest.mark.parametrize("scheme", [DSR(12, 3, 1.0), BDR(12, 3, 1.0), CNR(12, 3, 1.0)], ids=lambda s: s.name)
def test_a_symbol_is_a_slot_or_cold_or_a_cold_item(scheme: DSR | BDR) -> None:
    assert [written(scheme, symbol) for symbol in range(3)] == [("hit", 0), ("hit", 1), ("hit", 2)]
    assert written(scheme, scheme.cold) == ("miss", -1)
    assert written(scheme, scheme.named(5)) == ("nominate", 5)
    assert written(scheme, scheme.named(11)) == ("nominate", 11)


def test_dsr_learns_nothing_from_a_hot_item_that_the_lookout_names() -> None:
    assert written(DSR(12, 3, 1.0), DSR(12, 3, 1.0).named(2)) == ("miss", -1)


def test_a_symbol_of_bgr_is_an_item() -> None:
    assert [written(BGR(12, 3, 1.0), item) for item in (7, 2, 9)] == [("hit", 0), ("hit", 1), ("hit", 2)]
    assert written(BGR(12, 3, 1.0), 0) == ("nominate", 0)
    with pytest.raises(InvalidField, match=r"symbol must lie in 0 … 11, got 12"):
        written(BGR(12, 3, 1.0), 12)


@pytest.mark.parametrize("k", [0, 4, -1, True, 2.0])
def test_the_answer_has_at_least_one_line_and_no_more_than_cells(k: int) -> None:
    scheme = DSR(12, 3, 1.0)
    assert len(scheme.respond(Diary(), 3)) == 3
    with pytest.raises(InvalidField, match=r"k must be a whole number in 1 … 3"):
        scheme.respond(Diary(), k)


def test_only_bgr_and_cnr_name_cold_items_in_every_epoch() -> None:
    named = {cls.name for cls in (BGR, DSR, BDR, CNR) if cls(12, 3, 1.0).always_nominating}
    assert named == {"bgr", "cnr"}


def test_reports_over_a_large_domain_stay_small() -> None:
    """One byte while quiet, three for five million items."""
    hot = quiet(5_000_000, 20)
    naming = Bulletin(bytes(32), 0, 5_000_000, hot.hot, nominating=True)
    sizes = {
        cls.name: [symbol_bytes(cls(5_000_000, 20, 1.0).symbol_limit(each)) for each in (hot, naming)]
        for cls in (DSR, BDR, CNR)
    }
    assert sizes == {"dsr": [1, 3], "bdr": [1, 3], "cnr": [3, 3]}


chances = st.fractions(0, 1, max_denominator=50)


@given(own=chances, other=chances, cold=chances, hot=chances, lost=chances, share=chances)
def test_the_reading_solves_its_two_equations(
    own: Fraction, other: Fraction, cold: Fraction, hot: Fraction, lost: Fraction, share: Fraction
) -> None:
    """However hot the stream is, the noise subtracted is the noise expected."""
    if hot == lost or own == other:
        return
    reading = Reading(own, other, cold, hot, lost)
    expected_hot = share * hot + (1 - share) * lost
    assert share * other + (1 - share) * cold == reading.per_hot * expected_hot + reading.per_report


def test_a_hot_share_set_by_hand_needs_no_count_of_hot_reports() -> None:
    third = Fraction(1, 3)
    reading = BDR(12, 3, 1.0, tight=False, hot_share=third).reading(HOT)
    assert reading.per_hot == 0
    assert reading.per_report == third * reading.other + (1 - third) * reading.cold


def test_the_coefficients_for_kernels_are_the_fractions_as_floats() -> None:
    reading = BDR(12, 3, 1.0, tight=False).reading(HOT)
    per_hot, per_report, gain, if_hot, if_cold, own, other, cold = reading.coefficients
    assert (per_hot, per_report, gain) == (float(reading.per_hot), float(reading.per_report), float(reading.gain))
    assert (if_hot, if_cold) == (float(reading.hot_if_hot), float(reading.hot_if_cold))
    assert own == float(reading.spread(reading.own, reading.hot_if_hot))
    assert other == float(reading.spread(reading.other, reading.hot_if_hot))
    assert cold == reading.variance


def test_a_bulletin_of_another_length_is_not_answered() -> None:
    """A hot list of another length would spend another ε: CNR(12, 3, 1.0) would spend 1.048 on a list of 2."""
    for scheme in (BGR(12, 3, 1.0), DSR(12, 3, 1.0), BDR(12, 3, 1.0), CNR(12, 3, 1.0)):
        with pytest.raises(InvalidField, match="must list 3 of 12 items, got 2 of 12"):
            scheme.randomize(5, Bulletin(bytes(32), 0, 12, (7, 2)), SeededWords(1))


def test_a_share_outside_its_range_is_refused() -> None:
    for share in (Fraction(-1), Fraction(0), Fraction(1), Fraction(2)):
        with pytest.raises(InvalidField, match="judge_share must lie strictly between 0 and 1"):
            BDR(6, 2, 1.0, tight=False, judge_share=share)
    with pytest.raises(InvalidField, match="hot_share"):
        CNR(6, 2, 1.0, tight=False, hot_share=Fraction(2))


def test_a_name_in_answer_to_a_quiet_bulletin_is_refused() -> None:
    silent = Bulletin(bytes(32), 0, 12, (7, 2, 1))
    for scheme in (DSR(12, 3, 1.0), BDR(12, 3, 1.0)):
        with pytest.raises(InvalidField, match=r"symbol must lie in 0 … 3, got 9"):
            scheme.insert(Recording(), 9, silent)

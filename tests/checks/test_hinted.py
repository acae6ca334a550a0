"""The contract of PFR with a list, and the mistakes that it must refuse: two mechanisms, two ε, a wrong place."""

from dataclasses import fields, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import pytest

from hgldp.checks.certificate.agreement import disagreements
from hgldp.checks.hinted import CODES, HintedSubject, hinted_cases, small_bulletin
from hgldp.checks.result import CheckResult
from hgldp.checks.run import check
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.randomness import Words
from hgldp.schemes.base import Row
from hgldp.schemes.hinted_pfr import HintedPFR, ListedPart
from hgldp.schemes.pfr import PFR
from hgldp.stores.noise import reading_of, reading_over


class OwnReading(ListedPart):
    """The list's part is read as if it were a frontier of its own: with the chances of its own few cells."""

    def mechanism_over(self, cells: int) -> Any:
        return PFR.mechanism_over(self, cells)


class ReadsTheListAlone(HintedPFR):
    """Clients are honest, the server reads the list by another p and q."""

    @cached_property
    def listed(self) -> ListedPart:
        honest = HintedPFR.listed.func(self)  # type: ignore[attr-defined]
        return OwnReading(**{each.name: getattr(honest, each.name) for each in fields(honest)})

    @cached_property
    def mechanism(self) -> Any:
        return HintedPFR(self.hints, self.symbols, self.epsilon, self.leaves, scale=self.scale).mechanism


class AnotherEpsilon(HintedPFR):
    """A string on the list is answered with twice the ε, since it is public anyway."""

    def _louder(self) -> HintedPFR:
        return HintedPFR(self.hints, self.symbols, 2 * self.epsilon, self.leaves, scale=self.scale)

    def rows(self, codes: Any, bulletin: AnyBulletin) -> list[Row]:
        honest, louder = super().rows(codes, bulletin), self._louder().rows(codes, bulletin)
        known = [self.hints.index(code) is not None for code in codes]
        return [loud if on_list else row for row, loud, on_list in zip(honest, louder, known, strict=True)]

    def randomize(self, code: bytes | None, bulletin: AnyBulletin, words: Words) -> int:
        if self.hints.index(code) is not None:
            return self._louder().randomize(code, bulletin, words)
        return super().randomize(code, bulletin, words)


class TellsTheHit(HintedPFR):
    """Each part has a mechanism of its own over its own symbols: a report tells whether its string is listed."""

    def rows(self, codes: Any, bulletin: AnyBulletin) -> list[Row]:
        shown, own = self.checked(bulletin), PFR.mechanism_over(self.listed, self.listed.cells)
        rows: list[Row] = []
        for code in codes:
            number = self.hints.index(code)
            if number is None:
                rows.append({own.modulus: Fraction(1)})
            else:
                rows.append(dict(own.channel()[shown.listed.symbol(number)]))
        return rows


class ForgetsTheList(HintedPFR):
    """A client that spells out what is on the list: its report is in the other part."""

    def randomize(self, code: bytes | None, bulletin: AnyBulletin, words: Words) -> int:
        return self.mechanism.randomize(self.checked(bulletin).symbol(None, code), words)


def with_bug(kind: type[HintedPFR], epsilon: float = 2.0) -> CheckResult:
    return check("hints", planted(kind, epsilon))


def planted(kind: type[HintedPFR], epsilon: float = 2.0) -> list[HintedSubject]:
    found = []
    for case in hinted_cases(epsilon):
        assert isinstance(case, HintedSubject)
        found.append(replace(case, scheme=kind(case.scheme.hints, case.scheme.symbols, epsilon)))
    return found


def broken(result: CheckResult) -> set[str]:
    return {each.name for each in fields(result) if getattr(result, each.name) is False}


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_the_honest_scheme_holds(epsilon: float) -> None:
    result = with_bug(HintedPFR, epsilon)
    assert broken(result) == set()
    assert result.kernel_equal
    assert result.memory_constant
    assert result.exact_epsilon == pytest.approx(epsilon, abs=1e-8)


def test_a_list_that_is_read_with_its_own_chances_is_biased() -> None:
    assert "unbiased" in broken(with_bug(ReadsTheListAlone))


def test_a_hit_with_another_epsilon_is_not_private_and_biased() -> None:
    assert {"private", "unbiased"} <= broken(with_bug(AnotherEpsilon))


def test_a_report_that_tells_whether_the_string_is_listed_is_not_private() -> None:
    assert "private" in broken(with_bug(TellsTheHit))


def test_a_client_that_forgets_the_list_does_not_draw_from_the_channel() -> None:
    assert {"sampler_exact", "sampler_fits"} & broken(with_bug(ForgetsTheList))


def test_the_law_of_the_certificate_is_that_of_every_row() -> None:
    scheme = hinted_cases(2.0)[0].scheme  # type: ignore[attr-defined]
    assert disagreements(scheme) == []


def test_a_part_that_forgets_to_shift_reads_another_string() -> None:
    """All reports are those of "gin", as often as they are expected: only its own cell of the other part has them."""
    subject = hinted_cases(3.0)[1]
    assert isinstance(subject, HintedSubject)
    scheme, (row,) = subject.scheme, subject.scheme.rows([b"gin\0"], subject.bulletin)
    histogram = np.array([round(1_000_000 * float(row[report])) for report in range(scheme.mechanism.modulus)])
    reading = reading_of(scheme.mechanism)
    shifted, forgotten = (
        reading.noise.shares(reading.scores(each, scheme.spelled_symbols), int(each.sum()))
        for each in (np.roll(histogram, -scheme.listed.cells), histogram)
    )
    place = [cell.prefix for cell in subject.bulletin.spelled.cells].index(b"gin")
    assert shifted[place] == pytest.approx(1.0, abs=1e-4)
    assert forgotten[place] == pytest.approx(0.0, abs=1e-4)
    assert reading_over(scheme.listed, scheme.listed.cells).shares(histogram) == pytest.approx(0.0, abs=1e-4)


def test_both_parts_have_symbols_of_their_own() -> None:
    scheme = hinted_cases(1.0)[0].scheme  # type: ignore[attr-defined]
    shown = small_bulletin(scheme, (3, 1), ())
    symbols = {code: scheme.symbol(code, shown) for code in CODES}
    first = scheme.listed.cells
    assert all((symbol < first) == (scheme.hints.index(code) is not None) for code, symbol in symbols.items())

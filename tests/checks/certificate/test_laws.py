"""A certificate is made of what clients draw with: the laws are the channel's, the sampler's, and change with them."""

import json
from collections.abc import Callable, Hashable, Iterator
from dataclasses import fields
from fractions import Fraction
from functools import cached_property
from itertools import groupby

import pytest

from hgldp.checks.certificate import Uncertified, certificate, hot_lists, wrong_with
from hgldp.checks.certificate.agreement import disagreements
from hgldp.checks.certificate.certificate import laws_of
from hgldp.checks.certificate.frontiers import laws_of_pfr
from hgldp.checks.every_draw import exact_outcomes
from hgldp.mechanisms.base import Mechanism
from hgldp.model.bulletins import Bulletin, FrontierBulletin
from hgldp.model.randomness import Words
from hgldp.model.task import Task
from hgldp.schemes.bdr import BDR
from hgldp.schemes.bgr import BGR
from hgldp.schemes.cnr import CNR
from hgldp.schemes.dsr import DSR
from hgldp.schemes.hot_list import HotListScheme
from hgldp.schemes.judges import TwoRateJudge
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.schemes.pfr import PFR
from tests.checks.certificate.made import EPSILONS, SPLIT, accepted
from tests.checks.planted_schemes import ColdAsItself, KeepsTooOften

SIZES = ((3, 1), (3, 2), (8, 3), (7, 6))
SCHEMES = ((BGR, {}), (DSR, {}), (BDR, {}), (BDR, SPLIT), (CNR, {}), (CNR, SPLIT))


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_laws_are_the_channels_of_the_schemes(epsilon: float) -> None:
    for scheme, options in SCHEMES:
        for size, cells in SIZES:
            assert disagreements(scheme(size, cells, epsilon, **options)) == []
    assert disagreements(PFR(20, 40, epsilon)) == []
    assert disagreements(OpenPFR(64, epsilon)) == []


class Asked(Exception):
    def __init__(self, bound: int) -> None:
        super().__init__()
        self.bound = bound


class Scripted(Words):
    """Answers with the given draws, then says which bound comes next."""

    def __init__(self, draws: tuple[int, ...]) -> None:
        self._draws = list(draws)

    def below(self, bound: int) -> int:
        if not self._draws:
            raise Asked(bound)
        return self._draws.pop(0)

    def word(self) -> int:
        raise AssertionError


def bisected(sample: Callable[[Words], Hashable], draws: tuple[int, ...] = ()) -> dict[Hashable, Fraction]:
    """The exact law of a sampler with its real weights: the ends of the runs of draws that lead to the same law.

    It finds a run by bisection, so it cannot see an exception inside of one; tiny weights walk through every draw.
    """
    try:
        return {sample(Scripted(draws)): Fraction(1)}
    except Asked as asked:
        bound = asked.bound
    found: dict[Hashable, Fraction] = {}
    start = 0
    while start < bound:
        here, low, high = bisected(sample, (*draws, start)), start, bound
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if bisected(sample, (*draws, middle)) == here else (low, middle)
        for outcome, chance in here.items():
            found[outcome] = found.get(outcome, Fraction(0)) + chance * Fraction(low + 1 - start, bound)
        start = low + 1
    return found


def sampled_rows(
    scheme: HotListScheme, bulletin: Bulletin, law: Callable[[Callable[[Words], Hashable]], dict[Hashable, Fraction]]
) -> Iterator[tuple[int, dict[int, Fraction]]]:
    for item in range(scheme.domain_size):
        yield item, law(lambda words, item=item: scheme.randomize(item, bulletin, words))  # type: ignore[misc]


def agrees(scheme: HotListScheme, find: Callable[..., dict[Hashable, Fraction]]) -> bool:
    """Whether each item's row of some law of the certificate is what the sampler does, under both kinds of lists."""
    hot = tuple(range(scheme.cells))
    for nominating in (False, True):
        bulletin = Bulletin(bytes(32), 0, scheme.domain_size, hot, nominating)
        laws = laws_of(scheme)
        law = laws[nominating] if len(laws) == 2 else laws[0]
        for item, row in sampled_rows(scheme, bulletin, find):
            kind = law.items["any" if isinstance(scheme, BGR) else "hot" if item in hot else "cold"]
            flat = sorted(weight for part in kind.values() for weight, times in part for _ in range(times))
            if flat != sorted(chance * law.total for chance in row.values()):
                return False
    return True


@pytest.mark.parametrize(("scheme", "options"), SCHEMES)
def test_the_laws_are_what_clients_draw_with_their_real_weights(
    scheme: type[HotListScheme], options: dict[str, bool]
) -> None:
    for epsilon in (Fraction(1, 10), 4.0):
        assert agrees(scheme(4, 2, epsilon, **options), bisected)


@pytest.mark.parametrize(("scheme", "options"), SCHEMES)
def test_with_tiny_weights_the_laws_are_all_that_clients_can_draw(
    scheme: type[HotListScheme], options: dict[str, bool]
) -> None:
    for scale in (1, 2, 3):
        assert agrees(scheme(5, 2, 3.0, **options, scale=scale), exact_outcomes)


def test_the_laws_of_frontiers_are_what_clients_draw_with_their_real_weights() -> None:
    scheme = PFR(40, 24, 1.0)
    for law in laws_of_pfr(scheme):
        cells = law.cells[1]
        bulletin = FrontierBulletin(bytes(32), 0, 40, cells, 7, (1, 2))
        for item in (1, 30):
            row = bisected(lambda words, item=item, shown=bulletin: scheme.randomize(item, shown, words))  # type: ignore[misc]
            flat = [weight for weight, times in law.items["cell"]["residue"] for _ in range(times)]
            assert sorted(chance * law.total for chance in row.values()) == sorted(flat)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 2.0, 4.0, 8.0])
def test_the_runs_of_cells_with_one_set_are_those_that_asking_each_number_finds(epsilon: float) -> None:
    scheme, plain = PFR(1000, 200, epsilon), []
    chosen = [(cells, scheme.mechanism_over(cells).difference_set) for cells in range(8, 201)]
    for _, run in groupby(chosen, key=lambda each: each[1].family if each[1].family == "one" else each[1].modulus):
        first, *rest = (cells for cells, _ in run)
        plain.append((first, rest[-1] if rest else first))
    assert [law.cells for law in laws_of_pfr(scheme)] == plain


def refused(task: Task) -> bool:
    """Both refuse the certificate that this code makes."""
    return bool(wrong_with(certificate(task), task)) and not accepted(certificate(task), task)


def one_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both the weight W of every mechanism and the chance that a cold item names itself rise by one unit."""
    keep = TwoRateJudge.keep.func
    monkeypatch.setattr(Mechanism, "truth", property(lambda self: self.weight(Fraction(self.epsilon)) + 1))
    monkeypatch.setattr(TwoRateJudge, "keep", property(lambda self: keep(self) + 1))


@pytest.mark.parametrize("scheme", ["bgr", "dsr", "bdr", "cnr"])
def test_a_weight_of_the_sampler_that_is_one_too_large_is_refused(scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    task = Task(scheme, epsilon=1.0, domain=range(50), k=3)
    assert not refused(task)
    one_too_large(monkeypatch)
    assert refused(task)


def test_a_weight_of_cyclic_response_that_is_one_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    task = Task("pfr", epsilon=1.0, domain=64, k=2, cells=64)
    assert not refused(task)
    one_too_large(monkeypatch)
    assert refused(task)


def test_a_law_that_is_not_what_clients_draw_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hot_lists, "LOOKOUT", Fraction(1, 11))
    assert len(disagreements(DSR(8, 3, 1.0))) > 0
    assert not agrees(DSR(5, 2, 1.0), bisected)


def test_a_channel_with_the_right_rows_in_the_wrong_places_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """All hot items point to the first slot: each row holds the right weights, but the other slots say nothing."""
    channel = DSR.channel
    assert disagreements(DSR(8, 3, 1.0)) == []

    def all_to_one_slot(scheme: DSR, bulletin: Bulletin) -> list[dict[int, Fraction]]:
        rows = [dict(row) for row in channel(scheme, bulletin)]
        for item in bulletin.hot:
            slots = {slot: rows[bulletin.hot[0]][slot] for slot in range(scheme.cells)}
            rows[item] |= slots
        return rows

    monkeypatch.setattr(DSR, "channel", all_to_one_slot)
    found = disagreements(DSR(8, 3, 1.0))
    assert [told.rpartition(": ")[2] for told in found] == [
        "symbol 1 does not spend what a slot spends", "symbol 2 does not spend what a slot spends",
    ] * 2  # fmt: skip


def test_a_keep_that_only_the_sampler_raised_is_found() -> None:
    class Loose(CNR):
        @cached_property
        def naming(self) -> TwoRateJudge:
            honest = super().naming
            return KeepsTooOften(*(getattr(honest, item.name) for item in fields(honest)))

    loose, honest = Loose(4, 2, 1.0), CNR(4, 2, 1.0)
    bulletin = Bulletin(bytes(32), 0, 4, (0, 1), nominating=True)
    rows = [dict(sampled_rows(scheme, bulletin, bisected)) for scheme in (loose, honest)]
    assert rows[0] != rows[1]
    assert rows[1] == dict(enumerate(honest.channel(bulletin)))


def test_a_scheme_that_overrides_one_of_ours_gets_no_certificate() -> None:
    with pytest.raises(Uncertified, match="no certificate for dsr"):
        laws_of(ColdAsItself(8, 3, 1.0))


def test_the_document_is_json_with_whole_numbers_only() -> None:
    def floats(text: str) -> float:
        raise AssertionError(text)

    for scheme in ("bgr", "dsr", "bdr", "cnr", "pfr"):
        found = json.loads(certificate(Task(scheme, epsilon=0.7, domain=range(300))), parse_float=floats)
        assert list(found) == ["certificate", "task", "epsilon_per_report", "laws"]

"""The tallies that are given: each once, of bulletins of the state, and nothing that was counted before."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import sqrt
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hgldp.cli.output import write_error
from hgldp.cli.tally_files import read_tally
from hgldp.errors import InvalidField
from hgldp.tallies import SealState, Tally, combine
from hgldp.tallies.estimate import check_answers

MUCH, ONCE_IN_A_THOUSAND = 100, 3.09
Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Late:
    """Reports for an epoch that has ended, beside those that were counted then; None if they were counted elsewhere."""

    epoch: int
    reports: int
    counted: int | None


def new_reports(paths: Sequence[Path], state: SealState, *, total: bool) -> Tally:
    """What is to be counted now, of files that hold new reports only, or in `total` also those counted before."""
    tally = combine(_each(paths, state))
    if not total:
        _refuse_counted(state, tally)
        return tally
    new = state.new_of(tally)
    if tally and not new:
        found = f"nothing new: all {tally.reports:,} reports answer earlier epochs and were counted already"
        raise InvalidField("tally", "must hold new reports too", found)
    return new


def late_in(state: SealState, tally: Tally) -> list[Late]:
    """The late reports of a tally, the latest epoch first."""
    return [
        Late(each.epoch, late, state.counted.answering(each.version) or None)
        for each in reversed(state.bulletins[:-1])
        if (late := tally.answering(each.version))
    ]


def _each(paths: Sequence[Path], state: SealState) -> Iterator[Tally]:
    places: set[Path] = set()
    known: dict[bytes, Path] = {}
    for path in paths:
        if path.resolve() in places:
            raise InvalidField("tally", "must name each file once", f"{path} twice")
        places.add(path.resolve())
        tally = read_tally(path)
        try:
            check_answers(state, tally)
        except InvalidField as wrong:
            raise InvalidField(f"{path}: {wrong.field}", wrong.rule, wrong.value, wrong.hint) from None
        if tally.reports >= MUCH and (same := known.setdefault(_digest(tally), path)) is not path:
            raise InvalidField("tally", "must be given once", f"the same counts in {same} and in {path}")
        yield tally


def _digest(tally: Tally) -> bytes:
    """Of tallies that are equal and of no others; small ones may be equal by chance."""
    digest = sha256()
    for version, counts in tally.counts.items():
        digest.update(f"{version} {counts.size} ".encode() + counts.tobytes())
    return digest.digest()


def _refuse_counted(state: SealState, tally: Tally) -> None:
    """Refuse late reports that look like those that were counted, none of them missing: the same ones once more."""
    for version, before in state.counted.counts.items():
        now = tally.counts.get(version, before[:0])
        if now.size < before.size or int(before.sum()) < MUCH or not (now[: before.size] >= before).all():
            continue
        if not are_others(before, now[: before.size]):
            rule = f"must not hold the {int(before.sum()):,} reports of {version} that were counted already"
            found = "counts so alike that they must be the same"
            raise InvalidField("tally", rule, found, ": leave them out, or say --total if it holds everything")


def are_others(before: Counts, now: Counts) -> bool:
    """Whether this looks like other reports, and not like those counted before with some more.

    Two draws differ by chance, and chi-squared says by how much; the same reports with some more differ less. Others
    are mistaken for them once in a thousand times (the lower tail, after Wilson and Hilferty 1931).

    >>> random, shares = np.random.default_rng(1), np.full(17, 1 / 17)
    >>> before, others, some = (random.multinomial(count, shares) for count in (7_000, 19_000, 1_000))
    >>> are_others(before, others), are_others(before, before), are_others(before, before + some)
    (True, False, False)
    """
    seen = before + now > 0
    old, both = (each[seen].astype(np.float64) for each in (before, before + now))
    share = old.sum() / both.sum()
    chance = share * (1 - share) * both
    distance = float(((old - share * both) ** 2 / chance).sum())
    degrees = max(1, old.size - 1)
    variance = max(2.0 * degrees, float((2 + (1 - 6 * share * (1 - share)) / chance).sum()))  # more if counts are small
    relative = variance / (9 * degrees**2)
    return distance > degrees * max(0.0, 1 - relative - ONCE_IN_A_THOUSAND * sqrt(relative)) ** 3


def warn_of_late(state: SealState, tally: Tally) -> None:
    """Half as many as were counted: a day that was counted may be in the tallies again, beside others."""
    for each in late_in(state, tally):
        if each.counted is not None and 2 * each.reports >= each.counted:
            write_error(
                f"hgldp: {each.reports:,} late reports answer epoch {each.epoch}, beside {each.counted:,} that were "
                "counted before: if they are among those, they now count twice; then go back to the state before, and "
                "leave them out or say --total"
            )

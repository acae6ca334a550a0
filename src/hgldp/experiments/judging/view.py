"""The results as one implementation gives them: ours, or the authors' as published."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from hgldp.experiments.measurement import HOT_LISTS, ONE_PERCENT, OURS, WARMUP
from hgldp.experiments.results import Results
from hgldp.mechanisms.registry import MECHANISMS
from hgldp.simulation.generators import is_generator, parse_generator
from hgldp.simulation.run import HEAVY_GUARDIAN

QUOTED_DOMAIN = 41_270


class NotMeasured(LookupError):
    """The rows that a claim needs were not run."""


@dataclass(frozen=True)
class Family:
    """Streams that the paper treats together."""

    name: str
    holds: Callable[[str], bool]


NORMAL = Family("normal streams", lambda stream: stream.startswith("normal:"))
EXPONENTIAL = Family("exponential streams", lambda stream: stream.startswith("exponential:"))
SYNTHETIC = Family("synthetic streams", lambda stream: NORMAL.holds(stream) or EXPONENTIAL.holds(stream))
KOSARAK = Family("kosarak", lambda stream: stream.startswith("kosarak"))
REAL = Family("retail and kosarak", lambda stream: stream == "retail" or KOSARAK.holds(stream))
FADING = Family("a stream whose top is in its first half", lambda stream: stream.startswith("fading:"))
WEBDOCS = Family("webdocs or its Zipf stand-in", lambda stream: stream == "webdocs" or stream.startswith("zipf:"))
LARGE = Family("large domains", lambda stream: REAL.holds(stream) or WEBDOCS.holds(stream))
FIGURES = Family("streams of the accuracy figures", lambda stream: SYNTHETIC.holds(stream) or LARGE.holds(stream))

QUOTED = Family(
    f"a stream over {QUOTED_DOMAIN:,} items", lambda stream: stream == "kosarak" or f"d={QUOTED_DOMAIN}" in stream
)


def domain_of(stream: str) -> int | None:
    """The domain size that a generator names.

    >>> domain_of("normal:n=100000,d=500,sigma=5"), domain_of("retail")
    (500, None)
    """
    return parse_generator(stream).d if is_generator(stream) else None


def on(results: Results, family: Family) -> Results:
    """The rows on streams of a family."""
    names = {row.measurement.stream for row in results}
    return results.where(stream=tuple(sorted(name for name in names if family.holds(name))))


def between(results: Results, low: float, high: float) -> Results:
    """The rows with low ≤ ε < high."""
    found = {row.measurement.epsilon for row in results}
    return results.where(epsilon=tuple(sorted(epsilon for epsilon in found if low <= epsilon < high)))


def on_domain(rows: Results, choose: Callable[[Iterable[int]], int]) -> Results:
    """The rows on the smallest or the largest domain, if there are several."""
    sizes = {size for row in rows if (size := domain_of(row.measurement.stream)) is not None}
    if len(sizes) < 2:
        raise NotMeasured("streams over several domains")
    wanted = choose(sizes)
    return on(rows, Family(f"d = {wanted}", lambda stream: domain_of(stream) == wanted))


@dataclass(frozen=True)
class View:
    """Results, and which implementation of the paper's schemes to look at."""

    results: Results
    variant: str

    def accuracy(self, scheme: str, family: Family = FIGURES, warmup: str = ONE_PERCENT) -> Results:
        """A scheme's rows in the accuracy figures: those with no settings except the variant's."""
        rows = self.results.where(scheme=scheme)
        if scheme in MECHANISMS:
            rows = rows.with_no_settings_but()
        elif scheme == HEAVY_GUARDIAN:
            own = self._plain(rows)
            rows = own if len(own) else rows.where(variant=OURS).with_no_settings_but()
        elif scheme in HOT_LISTS:
            rows = self._plain(rows).where(warmup=warmup)
        else:
            rows = rows.with_no_settings_but().where(warmup=warmup if scheme != WARMUP else ONE_PERCENT)
        return self.need(on(rows, family), f"{scheme} on {family.name} with a warm-up of {warmup}")

    def setting(self, scheme: str, name: str, family: Family, warmup: str = ONE_PERCENT) -> Results:
        """The rows of a sweep over one setting."""
        rows = on(self.results.where(scheme=scheme, variant=self.variant, warmup=warmup), family)
        return self.need(
            Results(tuple(row for row in rows if row.measurement.get(name) is not None)),
            f"{scheme} on {family.name} with {name} set",
        )

    def need(self, rows: Results, what: str) -> Results:
        """The rows; raises NotMeasured if there are none."""
        if not len(rows):
            raise NotMeasured(f"{what} ({self.variant})")
        return rows

    def _plain(self, rows: Results) -> Results:
        if self.variant == OURS:
            return rows.where(variant=OURS).with_no_settings_but()
        return rows.where(variant=self.variant).with_no_settings_but("variant", "cells")

"""The steered audit: the exact law of each input, and the exact ratio of each pair."""

from collections.abc import Callable, Sequence
from fractions import Fraction

from hgldp.audit.pairs import Events, Pair, inputs_of
from hgldp.audit.steered.follow import CHECKS, Law, Runs, exact_law
from hgldp.audit.steered.result import ExactComparison, SteeredResult
from hgldp.audit.subjects.base import SENT_NOTHING, Advance, ClientFailed, Sent, Steerable
from hgldp.audit.views import SPENDS, UPLOADS
from hgldp.errors import InvalidField
from hgldp.model.randomness import Words
from hgldp.model.validate import check_whole
from hgldp.model.weights import Epsilon

MOST_RUNS = 1_000_000


def steered_audit(
    subject: Steerable,
    pairs: Sequence[Pair],
    claim: Epsilon,
    *,
    draws: int = MOST_RUNS,
    checks: int = CHECKS,
    advance: Advance | None = None,
) -> SteeredResult:
    """Compare the inputs of every pair, with at most `draws` runs of the client in all.

    Of them, `checks` for each input have random integers, and must go as predicted.
    """
    if not claim > 0:
        raise InvalidField("claim", "must be above 0", claim)
    check_whole("draws", draws, 0)
    check_whole("checks", checks, 1)
    inputs = inputs_of(pairs)
    runs, laws = Runs(draws), dict[Events, Law[Sent]]()
    for done, events in enumerate(inputs, 1):
        laws[events] = exact_law(_bound(subject, events), runs, checks=checks)
        if advance is not None:
            advance(done, len(inputs))
    if all(law.keys() == {()} for law in laws.values()):
        raise ClientFailed(SENT_NOTHING)
    compared = [each for pair in pairs for each in _compared(pair, laws[pair.one], laws[pair.other], claim)]
    return SteeredResult(claim, runs.made, runs.checked, tuple(compared))


def _bound(subject: Steerable, events: Events) -> Callable[[Words], Sent]:
    return lambda words: subject.steer(events, words)


def _compared(pair: Pair, one: Law[Sent], other: Law[Sent], claim: Epsilon) -> list[ExactComparison]:
    """What the pair spends, and whether the numbers and sizes of uploads have the same law."""
    spending = _worst(pair, SPENDS, 0 if pair.same_events else claim, one, other)
    return [spending, _worst(pair, UPLOADS, 0, _sizes(one), _sizes(other))]


def _sizes(law: Law[Sent]) -> Law[Sent]:
    """The law of how many reports there are in each upload: of the number of uploads, and of silence, as well."""
    found: Law[Sent] = {}
    for uploads, chance in law.items():
        sizes = tuple((len(upload),) for upload in uploads)
        found[sizes] = found.get(sizes, Fraction(0)) + chance
    return found


def _worst(pair: Pair, view: str, claim: Epsilon, one: Law[Sent], other: Law[Sent]) -> ExactComparison:
    """The largest ratio either way; an outcome that one of the two never has is the largest of all."""
    worst: Fraction | None = Fraction(1)
    none, telling = Fraction(0), (Fraction(1), Fraction(1))
    for outcome in one.keys() | other.keys():
        low, high = sorted((one.get(outcome, none), other.get(outcome, none)))
        if low == 0:
            if worst is not None or high > telling[0]:
                worst, telling = None, (high, low)
        elif worst is not None and high / low > worst:
            worst, telling = high / low, (high, low)
    return ExactComparison(pair, view, claim, worst, telling)

"""Run the contract over one mechanism, one scheme, or everything that is registered."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from hgldp.checks.cases import bulletins_for, chosen_cases
from hgldp.checks.contract import WholeChannel, exact_epsilon, normalised, private, unbiased
from hgldp.checks.result import CheckResult, StreamFindings
from hgldp.checks.sampler import FALSE_ALARM, deterministic, sampler_exact, sampler_fits
from hgldp.checks.subjects import MechanismSubject, SchemeSubject, Subject
from hgldp.errors import InvalidField
from hgldp.mechanisms.base import Mechanism
from hgldp.model.bulletins import Bulletin
from hgldp.model.weights import Epsilon
from hgldp.schemes.hot_list import HotListScheme

Check = Callable[[Subject, WholeChannel], Iterator[str]]


def run(names: Iterable[str] | None, epsilons: Iterable[Epsilon]) -> list[CheckResult]:
    """The whole contract for the registered mechanisms and schemes of these names (None for all), at each ε.

    >>> [(result.name, result.passed) for result in run(["grr"], [0.5])]
    [('grr', True)]
    """
    cases, every = chosen_cases(names), list(epsilons)
    return [check(name, case(epsilon)) for name, case in cases.items() for epsilon in every]


def check_mechanism(mechanism: Mechanism[Any]) -> CheckResult:
    """The contract for one mechanism of a small size: yours, for example.

    >>> from hgldp.mechanisms.grr import GRR
    >>> round(check_mechanism(GRR(size=4, epsilon=1.0)).exact_epsilon, 6)
    1.0
    """
    return check(mechanism.name, [MechanismSubject(mechanism)])


def check_scheme(scheme: HotListScheme, bulletins: Sequence[Bulletin] | None = None) -> CheckResult:
    """The contract for one scheme over a small domain, under these bulletins: by default a quiet and a nominating one.

    >>> from hgldp.schemes.dsr import DSR
    >>> check_scheme(DSR(domain_size=6, cells=2, epsilon=1.0)).passed
    True
    """
    answered = bulletins_for(scheme.domain_size, scheme.cells) if bulletins is None else bulletins
    return check(scheme.name, [SchemeSubject(scheme, bulletin) for bulletin in answered])


def check(name: str, subjects: Sequence[Subject]) -> CheckResult:
    """The contract over several subjects that share a name and an ε, as one result."""
    if not subjects:
        raise InvalidField("subjects", "must hold at least one", 0)
    both = [(subject, WholeChannel(subject.channel())) for subject in subjects]
    fits = partial(sampler_fits, false_alarm=FALSE_ALARM / len(both))
    found = {
        "normalised": _sentences(normalised, both),
        "private": _sentences(private, both),
        "unbiased": _sentences(unbiased, both),
        "sampler_exact": _sentences(sampler_exact, both),
        "sampler_fits": _sentences(fits, both),
        "deterministic": _sentences(deterministic, both),
    }
    streamed = _over_a_stream(subjects[-1])
    every = [*found.values(), streamed.kernel_equal or [], streamed.memory_constant or []]
    return CheckResult(
        name,
        float(subjects[0].epsilon),
        max(exact_epsilon(channel) for _, channel in both),
        failures=tuple(text for texts in every for text in texts),
        kernel_equal=None if streamed.kernel_equal is None else not streamed.kernel_equal,
        memory_constant=None if streamed.memory_constant is None else not streamed.memory_constant,
        **{field: not texts for field, texts in found.items()},
    )


def _sentences(check_one: Check, both: Iterable[tuple[Subject, WholeChannel]]) -> list[str]:
    return [text for subject, channel in both for text in check_one(subject, channel)]


def _over_a_stream(subject: Subject) -> StreamFindings:
    try:
        from hgldp.checks.streams import check_over_stream
    except ImportError:
        return StreamFindings()
    return check_over_stream(subject)

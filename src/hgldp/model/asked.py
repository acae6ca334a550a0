"""What a task asks about: a domain with its reserved items, and how many of its items are wanted."""

from hgldp.errors import InvalidField
from hgldp.model.budget import Budget
from hgldp.model.domain import AnyDomain, RangeDomain, StringDomain, Vocabulary, as_domain
from hgldp.model.hints import Hints
from hgldp.model.reserved import Normalisation, Reserved, WithOther, check_normalisation, first_changed
from hgldp.model.validate import check_flag, check_whole

MOST_WANTED = 10


def asked_domain(given: object, budget: Budget, *, other: bool, nothing: bool, normalise: Normalisation) -> AnyDomain:
    """The domain with its reserved items, if the task has them. A string that nobody listed needs no *other*."""
    known = as_domain(given.base if isinstance(given, WithOther) else given)
    check_normalisation(normalise)
    if check_flag("nothing", nothing) and budget.level != "period":
        raise InvalidField("nothing", "works with the level period only", budget.level)
    if isinstance(known, RangeDomain | Vocabulary):
        if check_flag("other", other):
            return WithOther(known, nothing, normalise)
        if nothing or normalise != "none":
            raise InvalidField("other", "must be true for nothing and normalise to work", other)
    elif check_flag("other", other):
        raise InvalidField("other", "must be false for strings: whatever has no code is counted as the rest", other)
    elif nothing and known.encode(Reserved.NOTHING.value) is None:
        raise InvalidField("domain", f"must have room for the word {Reserved.NOTHING.value}", known.describe())
    elif isinstance(known, StringDomain):
        _check_hints(known.hints, normalise)
    return known


def how_many(k: int | None, domain: AnyDomain) -> int:
    """How many items to find; by default ten, or all but one if there are ten or fewer."""
    if k is None:
        return MOST_WANTED if domain.size is None else min(MOST_WANTED, domain.size - 1)
    if domain.size is not None and check_whole("k", k, 1) > domain.size:
        reserved = ", other included" if isinstance(domain, WithOther) else ""
        raise InvalidField("k", f"must be at most the {domain.size:,} items of the domain{reserved}", k)
    return check_whole("k", k, 1)


def _check_hints(hints: Hints | None, normalise: Normalisation) -> None:
    """A line that the task's rule changes would never be sent."""
    if hints is None or not hints.is_here:
        return
    number = first_changed(hints.data, normalise)
    if number is not None:
        rule = f"must be as the task's rule leaves them (normalise: {normalise})"
        raise InvalidField("hints", rule, f"another in line {number + 1:,}")

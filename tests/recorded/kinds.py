"""All cases of all kinds, by names such as `states/dsr-cold/top`: a kind, a case of it, and what of it was found."""

from collections.abc import Iterable

from tests.recorded import clients, commands, documents, log, states
from tests.recorded.record import Cases, Content, Entry, read

KINDS: dict[str, Cases] = {
    "states": states.CASES,
    "log": log.CASES,
    "documents": documents.CASES,
    "clients": clients.CASES,
    "commands": commands.CASES,
}


def case_names(*beginnings: str) -> list[str]:
    """Every case in the order in which it is computed, or those that begin so."""
    names = [f"{kind}/{case}" for kind, cases in KINDS.items() for case in cases]
    return [name for name in names if name.startswith(beginnings or ("",))]


def case_of(name: str) -> str:
    """The case whose computation finds a name."""
    return name.rpartition("/")[0]


def compute(case: str) -> dict[str, Content]:
    """What a case finds now."""
    kind, _, own = case.partition("/")
    return {f"{case}/{aspect}": content for aspect, content in KINDS[kind][own]().items()}


def read_recorded(kinds: Iterable[str] = KINDS) -> dict[str, Entry]:
    """Name → entry."""
    return {name: kept for kind in kinds for name, kept in read(kind).items()}

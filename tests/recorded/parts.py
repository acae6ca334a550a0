"""All cases of all parts, by names such as `states/dsr-cold/top`: a part, a case of it, and what of it was found."""

from functools import cache

from tests.recorded import commands, documents, log, states
from tests.recorded.record import Cases, Content

PARTS: dict[str, Cases] = {
    "commands": commands.CASES,
    "states": states.CASES,
    "log": log.CASES,
    "documents": documents.CASES,
}


def case_names() -> list[str]:
    """Every case, in the order in which it is computed."""
    return [f"{part}/{case}" for part, cases in PARTS.items() for case in cases]


def case_of(name: str) -> str:
    """The case whose computation finds a name."""
    return name.rpartition("/")[0]


def compute(case: str) -> dict[str, Content]:
    """What a case finds now."""
    part, _, own = case.partition("/")
    return {f"{case}/{aspect}": content for aspect, content in PARTS[part][own]().items()}


@cache
def computed(case: str) -> dict[str, Content]:
    """The same, once in a process."""
    return compute(case)

"""What one check found."""

from dataclasses import dataclass

OK, WARNING, PROBLEM = "ok", "warning", "problem"


@dataclass(frozen=True)
class Finding:
    """`says` is a fact; `do` is what the operator should do about it, empty if nothing."""

    check: str
    verdict: str
    says: str
    do: str = ""


def ok(check: str, says: str) -> Finding:
    """Nothing to do."""
    return Finding(check, OK, says)


def warning(check: str, says: str, do: str) -> Finding:
    """It works, but not as well as it could, or not for ever."""
    return Finding(check, WARNING, says, do)


def problem(check: str, says: str, do: str) -> Finding:
    """It does not work, or is not safe."""
    return Finding(check, PROBLEM, says, do)

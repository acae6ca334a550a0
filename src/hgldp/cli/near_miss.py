"""What somebody may have meant who typed a name that does not exist."""

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(typed: str, known: Iterable[str]) -> str:
    """The end of a refusal: the known name nearest to the typed one in whatever case, or nothing if none is near.

    >>> did_you_mean("simulat", ["simulate", "schemes"]), did_you_mean("dance", ["simulate", "schemes"])
    ('; did you mean simulate?', '')
    """
    names = {name.lower(): name for name in known}
    near = get_close_matches(typed.lower(), names, n=1)
    return f"; did you mean {names[near[0]]}?" if near else ""

"""What the columns of a table are called, for a refusal. A first line that is no heading may hold reports: withheld."""

from collections.abc import Collection

KNOWN = frozenset({"bulletin", "symbol", "symbols", "upload", "count"})
MOST_NAMES, LONGEST = 12, 40
OF_REPORTS = ({"bulletin", "symbol"}, {"upload", "bulletin", "symbols"})


def columns_found(names: Collection[str], *, sure: bool = False) -> str:
    """The names, for the end of a refusal. Unless they are `sure` to be names, one of them must be known.

    >>> columns_found(["bulletin", "symbol"])
    'the columns bulletin, symbol'
    >>> columns_found(["0.7", "tea"])
    'a first line with none of these names (withheld)'
    """
    if not names:
        return "no column"
    parts = {part.strip().lower() for name in names for part in name.split("|")}
    if not (sure or parts & KNOWN):
        return "a first line with none of these names (withheld)"
    shown = [name[:LONGEST].strip() for name in list(names)[:MOST_NAMES]]
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return f"the columns {', '.join(shown)}{more}"


def look_like(names: Collection[str]) -> str:
    """What somebody who gives this as a tally may want to do first; the end of a refusal, or nothing."""
    if any(needed <= set(names) for needed in OF_REPORTS) and "count" not in names:
        return ": these look like reports: run hgldp tally first"
    if any("|" in name for name in names):
        return ": psql writes CSV with --csv"
    return ""

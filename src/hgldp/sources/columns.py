"""Which column of CSV is meant: a number counted from 1, or a name in the first line."""

from collections.abc import Iterator, Sequence

from hgldp.errors import InvalidField, did_you_mean

MOST_DIGITS = 9
MOST_NAMES, LONGEST_NAME = 8, 40
OTHER_SEPARATORS = {";": "semicolons", "\t": "tabs"}


def check_column(column: str) -> str:
    """The column itself, if it can name one."""
    rule = "must be a name of the header or a number from 1"
    if column.isdecimal() and len(column) > MOST_DIGITS:
        raise InvalidField("column", f"{rule}, of at most {MOST_DIGITS} digits", f"{len(column)} digits")
    if not column or (column.isdecimal() and int(column) < 1):
        raise InvalidField("column", rule, column or "nothing")
    return column


def find_column(rows: Iterator[list[str]], column: str, source: str, *, withheld: bool = False) -> int:
    """The place of a column, counted from 0; a name is looked up in the first line, which this takes from the rows.

    A refusal lists the names, unless they are withheld: a file without a header has items in its first line.

    >>> find_column(iter([["who", "drink"]]), "drink", "drinks.csv")
    1
    >>> find_column(iter([["who;drink"]]), "drink", "drinks.csv")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    hgldp.errors.InvalidField: column must be a name in the first line (who;drink), got drink; columns must be ...
    """
    if column.isdecimal():
        return int(column) - 1
    header = next(rows, None)
    if header is None:
        raise InvalidField("column", "must be a name in the first line", column, f"; {source} is empty")
    names = [name.strip() for name in header]
    if column in names:
        return names.index(column)
    if withheld:
        rule, near = f"must be a name in the first line, which has {len(names)}", ""
    else:
        rule, near = f"must be a name in the first line ({_listed(names)})", did_you_mean(column, names)
    raise InvalidField("column", rule, column, _other_separator(header) or near)


def _other_separator(header: Sequence[str]) -> str:
    for mark, called in OTHER_SEPARATORS.items():
        if len(header) == 1 and mark in header[0]:
            return f"; columns must be separated by commas, and this file seems to use {called}"
    return ""


def _listed(names: Sequence[str]) -> str:
    more = [f"and {len(names) - MOST_NAMES} more"] if len(names) > MOST_NAMES else []
    return ", ".join([*map(_shown, names[:MOST_NAMES]), *more]) or "which is empty"


def _shown(name: str) -> str:
    text = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in name)
    return text if len(text) <= LONGEST_NAME else f"{text[: LONGEST_NAME - 1]}…"

"""Refusals that name the file, and where it is known the row and the column. What a row holds is never told."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pyarrow as pa

from hgldp.errors import InvalidField
from hgldp.tallies.tally import MOST_SYMBOLS

CELL = re.compile(r"In CSV column #(\d+): (?:Row #(\d+): )?CSV conversion error")
ROW = re.compile(r"CSV parse error: (?:Row #(\d+): )?Expected (\d+) columns, got (\d+)")
RULES = {"bulletin": "must be text in UTF-8", "symbol": f"must be a whole number in 0 … {MOST_SYMBOLS - 1}"}


@contextmanager
def naming(file: str) -> Iterator[None]:
    """Whatever is refused inside is refused with the name of the file. Arrow's own messages may repeat a row."""
    try:
        yield
    except InvalidField as wrong:
        raise InvalidField(f"{file}: {wrong.field}", wrong.rule, wrong.value, wrong.hint) from None
    except pa.ArrowMemoryError:
        raise InvalidField("reports", "must fit into memory, some rows at a time", f"more in {file}") from None
    except (pa.ArrowException, OSError, UnicodeDecodeError) as wrong:
        reason = (
            wrong.strerror if isinstance(wrong, OSError) and wrong.strerror else "empty, damaged, or of another kind"
        )
        raise InvalidField("reports", "must be whole Parquet or CSV files", f"{file} ({reason})") from None


def check_rows(names: list[str], opened: Callable[[], Any]) -> None:
    """Refuse the first row of a CSV file that cannot be read. It is read once more, by one thread, which counts rows.

    The row of the headings is the first. `names` are the headings, or empty if these cannot be read.
    """
    try:
        with opened() as reader:
            for _ in reader:
                pass
    except pa.ArrowInvalid as wrong:
        if found := CELL.match(str(wrong)):
            field = names[int(found[1])] if int(found[1]) < len(names) else "a cell"
            where = f"row {found[2]}, {field}" if found[2] else field
            raise InvalidField(where, RULES.get(field, "must fit"), "another value (withheld)") from None
        if found := ROW.match(str(wrong)):
            where = f"row {found[1]}" if found[1] else "rows"
            raise InvalidField(where, f"must have {found[2]} cells, as the first row has", found[3]) from None

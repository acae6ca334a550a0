"""The stream that a command line names; what cannot be read is refused with a way out."""

from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hgldp.errors import InvalidField, MalformedLine
from hgldp.sources.data_folder import data_folder
from hgldp.sources.find import Source, find_source, find_strings

OTHERWISE = "(strings: --open; CSV: --column)"


def find_stream(chosen: Namespace) -> Source:
    """Items of a list: numbers, a column, or a generator's."""
    folder = data_folder(chosen.data)
    there = Path(chosen.stream).name == chosen.stream and (folder / chosen.stream).exists()
    with _missing_first(chosen, there=there):
        try:
            return find_source(chosen.stream, chosen.column, folder)
        except MalformedLine as wrong:
            if chosen.column is None:
                wrong.args = (f"{wrong} {OTHERWISE}",)
            raise


def find_open_stream(chosen: Namespace) -> Source:
    """Strings that nobody listed."""
    with _missing_first(chosen, there=False):
        return find_strings(chosen.stream, chosen.column)


@contextmanager
def _missing_first(chosen: Namespace, *, there: bool) -> Iterator[None]:
    """Nobody is asked for a column of a file that does not exist."""
    try:
        yield
    except InvalidField as wrong:
        if wrong.field == "column" and chosen.column is None and not there and not Path(chosen.stream).exists():
            raise InvalidField("stream", "must be a file that exists", chosen.stream) from None
        raise

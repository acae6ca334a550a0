"""The stream that a command line names; what cannot be read is refused with a way out."""

from argparse import Namespace
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from hgldp.cli.values import COLUMN_RULE
from hgldp.errors import InvalidField, MalformedLine, did_you_mean
from hgldp.simulation.generators import EXAMPLES, SHAPES
from hgldp.sources.datasets import DATASETS, data_folder
from hgldp.sources.find import Source, find_source, find_strings

OTHERWISE = "(strings: --open; CSV: --column)"


def find_stream(chosen: Namespace) -> Source:
    """Items of a list: numbers, a column, or a generator's."""
    folder = data_folder(chosen.data)
    there = Path(chosen.stream).name == chosen.stream and (folder / chosen.stream).exists()
    with _missing_first(chosen, (*DATASETS, *SHAPES), there=there):
        try:
            return find_source(chosen.stream, chosen.column, folder)
        except MalformedLine as wrong:
            if chosen.column is None:
                wrong.args = (f"{wrong} {OTHERWISE}",)
            raise


def find_open_stream(chosen: Namespace) -> Source:
    """Strings that nobody listed."""
    with _missing_first(chosen, (), there=False):
        return find_strings(chosen.stream, chosen.column)


@contextmanager
def _missing_first(chosen: Namespace, names: Iterable[str], *, there: bool) -> Iterator[None]:
    """Say first that a file does not exist, before anything about its column, and suggest what may be meant."""
    try:
        yield
    except InvalidField as wrong:
        missing = not there and chosen.stream != "-" and not Path(chosen.stream).exists()
        if missing and wrong.field == "stream" and (near := did_you_mean(chosen.stream.partition(":")[0], names)):
            rule = f"must be a file that exists, a data set (hgldp data list) or a generator such as {EXAMPLES[0]}"
            raise InvalidField("stream", rule, f"{chosen.stream}{near}") from None
        if wrong.field == "column" and chosen.column is None:
            if missing:
                raise InvalidField("stream", "must be a file that exists", chosen.stream) from None
            raise InvalidField("--column", COLUMN_RULE, "none") from None
        raise

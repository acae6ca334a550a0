"""What a collector has written, read where it lies: in its folder, or in the database that several collectors share.

The collectors may keep running: what they do meanwhile is not seen. A task is named as people name it.
"""

from argparse import Namespace
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from hgldp.cli.data_folder import usable
from hgldp.cli.place_given import store_given
from hgldp.cli.tasks import FEWEST, SeveralTasks
from hgldp.cli.units import label
from hgldp.collector.log.reading import Frozen, Reading
from hgldp.collector.log.storage import TaskRow
from hgldp.errors import InvalidField, did_you_mean


@contextmanager
def opened_log(chosen: Namespace) -> Iterator[Reading]:
    """Of the folder or the database that was typed."""
    if store := store_given(chosen):
        with opened_store(store) as log:
            yield log
    else:
        folder = Path(chosen.data)
        with usable(folder), closing(Frozen(folder)) as log:
            yield log


@contextmanager
def opened_store(url: str) -> Iterator[Reading]:
    """The database as it is at this moment."""
    from hgldp.collector.log.postgres.database import Database  # noqa: PLC0415 - an extra of its own
    from hgldp.collector.log.postgres.frozen import FrozenDatabase  # noqa: PLC0415

    with closing(Database(url)) as database, closing(FrozenDatabase(database)) as frozen:
        yield frozen


def find_logged(log: Reading, text: str) -> TaskRow:
    """The one task that is meant by its name, its id, or the first digits of its id."""
    rows, start = log.tasks(), text.lower()
    fitting = [
        row for row in rows if row.terms.name == text or (len(start) >= FEWEST and row.id.hex().startswith(start))
    ]
    if not fitting:
        rule = f"must be the name, the id, or at least {FEWEST} first digits of the id of a task of the collector"
        raise InvalidField("task", rule, label(f"{text}{did_you_mean(text, [row.terms.name for row in rows])}", 200))
    if len(fitting) > 1:
        raise SeveralTasks(text, [{"id": row.id.hex(), "name": row.terms.name} for row in fitting])
    return fitting[0]

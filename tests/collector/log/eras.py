"""Folders as versions of another era leave them: what they published does not follow by the rules of this one."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from hgldp.collector.log import shown_top
from hgldp.collector.log.schema import FILE
from hgldp.collector.log.task_copy import ranked_items
from hgldp.stores.frontier import Frontier
from hgldp.stores.strings import OpenFrontier

ranked = ranked_items


@contextmanager
def other_rules(room: float = 3.0) -> Iterator[None]:
    """Estimates that are half a report higher, other hash keys, and for pfr `room` times as long epochs."""
    listed, strings = Frontier.epoch_length.fget, OpenFrontier.epoch_length.fget  # type: ignore[attr-defined]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shown_top, "ranked_items", _higher)
        patch.setattr(Frontier, "_next_key", lambda store: 77 + 1_000_003 * store.sealed)
        patch.setattr(Frontier, "epoch_length", property(lambda store: int(room * listed(store))))
        patch.setattr(OpenFrontier, "epoch_length", property(lambda store: int(room * strings(store))))
        yield


def _higher(answer: object, before: object) -> object:
    return tuple(replace(line, estimate=line.estimate + 0.5) for line in ranked(answer, before))  # type: ignore[arg-type]


def of_another_era(folder: Path, era: int | None = 1) -> None:
    """As if another version had written it; None is one that knew no eras."""
    with closing(sqlite3.connect(folder / FILE)) as database:
        if era is None:
            database.execute("DELETE FROM service WHERE name = 'era'")
            database.execute("DROP TABLE takeovers")
        else:
            database.execute("UPDATE service SET value = ? WHERE name = 'era'", (era,))
        database.commit()

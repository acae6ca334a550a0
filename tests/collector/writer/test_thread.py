"""The thread around the writer: whoever asks is answered, also at the end and when the disk is full."""

import threading
from collections import deque
from pathlib import Path

import pytest

from hgldp.collector.collector import Collector
from hgldp.collector.problems import Refused
from hgldp.collector.writer.command import Command
from hgldp.collector.writer.writer import Writer
from hgldp.errors import StorageFailed
from tests.collector.fakes import HOT, SEARCH, FakeClock, create, now, open_by_hand
from tests.patience import PATIENCE


class ClosedMeanwhile(deque[Command]):
    """While a command is put into it, the collector ends."""

    def __init__(self, collector: Collector) -> None:
        super().__init__()
        self.closing = threading.Thread(target=collector.close)

    def append(self, command: Command) -> None:
        self.closing.start()
        self.closing.join(0.5)
        super().append(command)


def test_a_command_that_comes_just_before_the_end_is_answered(tmp_path: Path) -> None:
    collector = Collector.open(tmp_path)
    (view,) = create(collector, HOT)
    commands = ClosedMeanwhile(collector)
    collector._writer._queue._commands = commands
    asking = threading.Thread(target=collector.close_task, args=(view.id,), daemon=True)
    asking.start()
    asking.join(PATIENCE)
    assert not asking.is_alive()
    commands.closing.join(PATIENCE)
    assert now(collector, view).closed is not None
    with pytest.raises(Refused):
        collector.close_task(view.id)


def test_a_deleted_task_is_gone_although_the_disk_is_full_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    collector = open_by_hand(tmp_path, FakeClock())
    gone, _ = create(collector, HOT, SEARCH)

    def full(_: Writer) -> None:
        raise StorageFailed("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(Writer, "flush", full)
        collector.delete_task(gone.id)
        assert [view.id for view in collector.tasks()] == [SEARCH.id]
        assert collector.view(gone.id) is None
        create(collector, HOT)
    collector.close()

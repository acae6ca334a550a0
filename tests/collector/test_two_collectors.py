"""Two collectors on one folder would write one log in two ways: the second never starts, whatever was removed."""

from pathlib import Path

import pytest

from hgldp.collector.collector import Collector
from hgldp.errors import FolderInUse


def test_a_second_collector_is_refused_even_when_the_lock_file_is_removed(tmp_path: Path) -> None:
    first = Collector.open(tmp_path)
    try:
        (tmp_path / "collector.lock").unlink()
        with pytest.raises(FolderInUse, match="is in use by another process"):
            Collector.open(tmp_path)
    finally:
        first.close()
    Collector.open(tmp_path).close()

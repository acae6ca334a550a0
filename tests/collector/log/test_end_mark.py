"""Accepting a loss: the mark goes, the database stays, and a copy of both is kept."""

from pathlib import Path
from unittest.mock import patch

import pytest

from hgldp.cli.commands.doctor.finding import PROBLEM
from hgldp.cli.commands.doctor.log import END, check_log
from hgldp.collector.collector import Collector
from hgldp.collector.log import end_mark
from hgldp.collector.log.backup import back_up
from hgldp.collector.log.end_mark import accept_loss
from hgldp.collector.log.schema import FILE
from hgldp.errors import DamagedLog


@pytest.fixture
def data(tmp_path: Path) -> Path:
    Collector.open(tmp_path / "data", threaded=False).close()
    return tmp_path / "data"


def test_the_database_stays_in_use_and_is_copied(data: Path) -> None:
    before = (data / FILE).read_bytes()
    aside = accept_loss(data)
    assert (data / FILE).read_bytes() == (aside / FILE).read_bytes() == before
    assert (aside / end_mark.FILE).is_file()
    assert not (data / end_mark.FILE).exists()


def test_two_losses_in_one_second_are_kept_apart(data: Path) -> None:
    with patch.object(end_mark.time, "strftime", lambda *_: "20261115-120000"):
        first = accept_loss(data)
        (data / end_mark.FILE).write_bytes(b"another")
        second = accept_loss(data)
    assert (first.name, second.name) == ("damaged-20261115-120000", "damaged-20261115-120000-2")
    assert (second / end_mark.FILE).read_bytes() == b"another"


def test_a_folder_in_the_place_of_the_mark_is_called_that_and_can_be_accepted(data: Path, tmp_path: Path) -> None:
    (data / end_mark.FILE).unlink()
    (data / end_mark.FILE).mkdir()
    for attempt in (lambda: Collector.open(data, threaded=False), lambda: back_up(data, tmp_path / "a.tar")):
        with pytest.raises(DamagedLog, match=r"collector\.end must be a file, but it is a folder: .* --accept-loss"):
            attempt()
    assert [each.verdict for each in check_log(data) if each.check == END] == [PROBLEM]
    assert (accept_loss(data) / end_mark.FILE).is_dir()
    Collector.open(data, threaded=False).close()

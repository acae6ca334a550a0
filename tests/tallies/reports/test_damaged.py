"""Whatever has become of a file, it is counted or refused with its name: no other error, and nothing is written."""

import random
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from hgldp.cli.tally_files import read_tally
from hgldp.errors import HgldpError
from hgldp.tallies.reports.counting import count_files
from tests.cli.conftest import run
from tests.tallies.reports.test_counting import A, B, reports, tally_of, uploads

DAMAGES = 60


def written(table: pa.Table, **terms: object) -> bytes:
    file = BytesIO()
    parquet.write_table(table, file, **terms)
    return file.getvalue()


PLAIN = pa.schema([("bulletin", pa.string()), ("symbol", pa.uint32())])
COUNTED = pa.table({"bulletin": [A] * 50 + [B] * 50, "symbol": list(range(50)) * 2, "count": [3] * 100})
SOUND = {
    "reports": written(reports(400), row_group_size=150, compression="none"),
    "packed reports": written(reports(400), row_group_size=150),
    "plain reports": written(reports(400).cast(PLAIN), use_dictionary=False, compression="none"),
    "uploads": written(uploads(60), row_group_size=25, compression="none", data_page_version="2.0"),
    "packed uploads": written(uploads(60), row_group_size=25, compression="zstd"),
}


def damaged(data: bytes, draw: random.Random) -> bytes:
    """Cut off, with a piece missing before the footer, or with some bytes changed, in the footer or elsewhere."""
    footer = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    kind = draw.random()
    if kind < 0.1:
        return data[: draw.randrange(len(data))]
    if kind < 0.2:
        return data[: draw.randrange(footer)] + data[footer:]
    changed = bytearray(data)
    first, last = draw.choice([(0, len(data)), (0, footer), (footer, len(data))])
    for _ in range(draw.choice([1, 2, 5, 20])):
        changed[draw.randrange(first, last)] = draw.randrange(256)
    return bytes(changed)


def refusals(path: Path, sound: bytes, read: Callable[[], object]) -> list[str]:
    """What is said to each damage that cannot be read."""
    draw, said = random.Random(1), []
    for _ in range(DAMAGES):
        path.write_bytes(damaged(sound, draw))
        try:
            read()
        except HgldpError as wrong:
            said.append(str(wrong))
    return said


@pytest.mark.parametrize("kind", SOUND)
def test_damaged_reports_are_refused_by_name(tmp_path: Path, kind: str) -> None:
    """Before: a traceback where a text was no UTF-8 any more, about one damage in twenty-five."""
    path = tmp_path / "a.parquet"
    said = refusals(path, SOUND[kind], lambda: count_files([path]))
    assert len(said) > DAMAGES // 2
    assert all("a.parquet" in each for each in said)


def test_a_damaged_tally_is_refused_by_name(tmp_path: Path) -> None:
    """Before: the same traceback."""
    path = tmp_path / "a.parquet"
    said = refusals(path, written(COUNTED, compression="none"), lambda: read_tally(path))
    assert len(said) > DAMAGES // 2
    assert all("a.parquet" in each for each in said)


def test_a_damaged_file_leaves_no_tally(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = reports(400)
    data = written(table, compression="none", use_dictionary=False)
    (tmp_path / "sound.parquet").write_bytes(data)
    assert count_files([tmp_path / "sound.parquet"]).tally == tally_of(table)
    place = data.index(A.encode(), 4000) + 5  # among the values: the header before them has some too
    (tmp_path / "a.parquet").write_bytes(data[:place] + b"\xff" + data[place + 1 :])
    outputs = ("--output", str(tmp_path / "tally.csv"), "--no-progress")
    code, out, err = run(capsys, "tally", str(tmp_path / "sound.parquet"), str(tmp_path / "a.parquet"), *outputs)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert f"{tmp_path / 'a.parquet'} (empty, damaged, or of another kind)" in err
    assert not (tmp_path / "tally.csv").exists()

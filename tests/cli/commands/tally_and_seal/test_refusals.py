"""What cannot be counted or sealed is refused, with the name of the file, and nothing is written."""

import re
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from hgldp.model.task import Task
from hgldp.tallies import SealState, Tally
from tests.cli.commands.tally_and_seal.conftest import OTHER, Capture, seal
from tests.cli.conftest import run
from tests.collector.fakes import HOT, FakeClock, create, open_by_hand


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("tally",), "PATH must be given; or --task, and --data or HGLDP_STORE_FILE"),
        (("tally", "a.parquet", "--data", "x"), "got both"),
        (("tally", "a.parquet", "--store", "x"), "got both"),
        (("tally", "--data", "x", "--store", "y", "--task", "z"), "--store must be given instead of a data folder"),
        (("tally", "--store", "x", "--task", "y"), "store must be like postgresql://"),
        (("seal", "--data", "x", "--store", "y", "--output-state", "s"), "got data and store"),
        (("seal", "--new", "x", "--task", "y", "--output-state", "s"), "--task must be given with --data or --store"),
        (("tally", "--data", "x"), "--task must be given with --data"),
        (("tally", "a.parquet", "--epoch", "1"), "--epoch must come with --data"),
        (("tally", "a.parquet", "--json"), "--json must come with --output"),
        (("tally", "a.parquet", "--output", "x.txt"), "must be a file that ends in .csv or .parquet"),
        (("tally", "nowhere.parquet"), "got nowhere.parquet (No such file or directory)"),
        (("tally", "--data", "nowhere", "--task", "x"), "must hold the data of a collector"),
        (("tally", "--data", "nowhere", "--task", "x", "--epoch", "-1"), "must be the number of an epoch, or open"),
        (("seal",), "--state must be given, or to begin --new, --data or --store, got none"),
        (("seal", "--new", "x", "--state", "y"), "got state and new"),
        (("seal", "--new", "x", "--output-state", "s"), "task must be a readable file"),
        (("seal", "--new", "x"), "--output-state must say where the next state goes"),
        (("seal", "--state", "x"), "state must be a readable file"),
        (("seal", "--state", "x", "--output-state", "y"), "--tally must be given to end the epoch"),
        (("seal", "--state", "x", "--seed", "1"), "--seed must come with --new"),
        (("seal", "--new", "x", "--output-state", "y", "--bulletin", "y"), "--bulletin must be another file"),
        (("seal", "--state", "x", "--bulletin", "./x"), "--bulletin must be another file than all others, got ./x"),
        (("seal", "--state", "x", "--result", "y"), "--result must come with --tally"),
        (("seal", "--data", "x", "--output-state", "y"), "--task must be given with --data"),
    ],
)
def test_what_cannot_be_done_is_refused(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert said in err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.csv", f"bulletin,symbol\n{OTHER},7\n".encode(), "a.csv: tally must have .*: run hgldp tally first"),
        ("a.csv", f"bulletin,symbol,count\n{OTHER},x,1\n".encode(), "a.csv: tally, line 2: symbol and count must be"),
        ("a.csv", f"bulletin,symbol,count\n{OTHER},1,0\n".encode(), "a.csv: count must lie in 1"),
        ("a.parquet", b"PAR1", "a.parquet: tally must be a whole Parquet file"),
        ("a.parquet", pa.table({"bulletin": [OTHER], "symbol": [7]}), "columns bulletin, symbol: these look like rep"),
        ("a.parquet", pa.table({"event": [OTHER], "item": [7]}), "a.parquet: tally must .* columns event, item$"),
    ],
)
def test_a_file_that_is_no_tally_is_named(
    tmp_path: Path, capsys: Capture, begun: SealState, name: str, data: bytes | pa.Table, said: str
) -> None:
    if isinstance(data, bytes):
        (tmp_path / name).write_bytes(data)
    else:
        parquet.write_table(data, tmp_path / name)
    code, _, err = seal(capsys, tmp_path, "--state", "state.json", "--tally", name, "--output-state", "1.json")
    assert code == 2
    assert re.search(said, err.rstrip())


def test_a_failed_seal_leaves_no_file(tmp_path: Path, capsys: Capture, begun: SealState) -> None:
    (tmp_path / "t.csv").write_bytes(Tally({begun.bulletin.version: [60]}).to_csv())
    (tmp_path / "wrong.csv").write_bytes(Tally({OTHER: [1]}).to_csv())
    before = sorted(each.name for each in tmp_path.iterdir())
    words = ("--state", "state.json", "--output-state", "1.json", "--tally", "t.csv")
    for more in (("wrong.csv",), ("no.csv",), ("--bulletin", str(tmp_path / "no" / "folder.bin"))):
        code, _, err = seal(capsys, tmp_path, *words, *more)
        assert code == 2, err
        assert sorted(each.name for each in tmp_path.iterdir()) == before


def test_hot_lists_are_refused(tmp_path: Path, capsys: Capture) -> None:
    collector = open_by_hand(tmp_path / "data", FakeClock())
    create(collector, HOT)
    collector.close()
    (tmp_path / "task.json").write_bytes(Task("bgr", epsilon=2.0, domain=range(30), k=2).canonical)
    for words in (
        ("seal", "--new", str(tmp_path / "task.json"), "--output-state", str(tmp_path / "s.json")),
        ("seal", "--data", str(tmp_path / "data"), "--task", "dsr", "--output-state", str(tmp_path / "s.json")),
        ("tally", "--data", str(tmp_path / "data"), "--task", "dsr"),
    ):
        code, _, err = run(capsys, *words)
        assert code == 2
        assert "scheme must be pfr, whose reports add up in any order; hot lists decide in order of arrival" in err
    assert not (tmp_path / "s.json").exists()
    code, _, err = run(capsys, "tally", "--data", str(tmp_path / "data"), "--task", "dsx")
    assert "did you mean dsr?" in err


def test_a_damaged_parquet_tally_is_named(tmp_path: Path, capsys: Capture, begun: SealState) -> None:
    """Arrow says OSError of some damage. Before: a traceback."""
    table = pa.table({"bulletin": [begun.bulletin.version] * 60, "symbol": range(60), "count": [1] * 60})
    parquet.write_table(table, tmp_path / "whole.parquet")
    whole = (tmp_path / "whole.parquet").read_bytes()
    for start in range(4, len(whole) - 40, 20):
        (tmp_path / "t.parquet").write_bytes(whole[:start] + bytes(40) + whole[start + 40 :])
        words = ("--state", "state.json", "--tally", "t.parquet", "--output-state", "1.json", "--anyway")
        code, _, err = seal(capsys, tmp_path, *words)
        assert code == 0 or (code == 2 and str(tmp_path / "t.parquet") in err), err
        (tmp_path / "1.json").unlink(missing_ok=True)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_reports_with_a_column_twice_are_refused(tmp_path: Path, capsys: Capture, ending: str) -> None:
    file = tmp_path / f"twice.{ending}"
    if ending == "csv":
        file.write_text(f"bulletin,symbol,symbol\n{OTHER},1,2\n")
    else:
        columns = [pa.array([OTHER]), pa.array([1]), pa.array([2])]
        parquet.write_table(pa.Table.from_arrays(columns, ["bulletin", "symbol", "symbol"]), file)
    code, out, err = run(capsys, "tally", str(file))
    assert (code, out) == (2, "")
    assert f"{file}: reports must have each column once, got symbol twice" in err


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"{}", 'state must be JSON whose format is "hgldp state 1"'),
        (b'{"format":"hgldp state 2"}', 'but a later version wrote it as "hgldp state 2"'),
        (b'{"format":"hgldp state 1"}', "state must hold the hash of its other fields"),
    ],
)
def test_a_state_or_a_task_that_cannot_be_read_is_named(
    tmp_path: Path, capsys: Capture, data: bytes, said: str
) -> None:
    file = tmp_path / "a.json"
    file.write_bytes(data)
    (tmp_path / "r.csv").write_text(f"bulletin,symbol\n{OTHER},1\n")
    for words in (("seal", "--state", str(file)), ("tally", str(tmp_path / "r.csv"), "--state", str(file))):
        code, _, err = run(capsys, *words)
        assert code == 2
        assert f"{file}: state must " in err
        assert said in err
    code, _, err = run(capsys, "seal", "--new", str(file), "--output-state", str(tmp_path / "s.json"))
    assert (code, f"{file}: task must be" in err) == (2, True)

"""`hgldp tally` and `hgldp seal`: from reports in files to the next state, bulletin and result, or a refusal."""

import json
import re
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from hgldp.collector.log.reading import Frozen
from hgldp.model.task import Task
from hgldp.tallies import SealState, Tally, estimate
from hgldp.tallies.from_collector import state_of
from hgldp.wire.bulletin import read_bulletin
from tests.cli.conftest import run
from tests.collector.fakes import HOT, FakeClock, create, now, open_by_hand, upload
from tests.collector.homes import DatabaseHome
from tests.tallies.lives import LISTED, Life, live

Capture = pytest.CaptureFixture[str]
OTHER = "ff" * 32


@pytest.fixture
def begun(tmp_path: Path, capsys: Capture) -> SealState:
    """A state in state.json, of a task whose document has spaces that a canonical one lacks."""
    (tmp_path / "task.json").write_text(json.dumps(json.loads(LISTED.canonical), indent=1))
    outputs = ("--output-state", str(tmp_path / "state.json"), "--bulletin", str(tmp_path / "0.bin"))
    code, out, _ = run(capsys, "seal", "--new", str(tmp_path / "task.json"), "--seed", "7", *outputs)
    assert code == 0
    assert "full with  40 reports" in out
    return SealState.read((tmp_path / "state.json").read_bytes())


def write_reports(path: Path, state: SealState, count: int, seed: int = 1, *others: str) -> None:
    symbols = np.random.default_rng(seed).integers(0, state.symbol_limits[state.bulletin.version], count)
    versions = [state.bulletin.version] * (count - len(others)) + list(others)
    parquet.write_table(pa.table({"bulletin": versions, "symbol": symbols}), path)


def seal(capsys: Capture, folder: Path, *words: str) -> tuple[int, str, str]:
    words = tuple(
        str(folder / word) if word.endswith((".json", ".csv", ".parquet", ".bin")) else word for word in words
    )
    return run(capsys, "seal", *words)


def test_from_a_task_to_a_result_and_on(tmp_path: Path, capsys: Capture, begun: SealState) -> None:
    assert begun == SealState.start(LISTED, 7)
    assert read_bulletin((tmp_path / "0.bin").read_bytes()) == begun.bulletin
    assert (tmp_path / "state.json").stat().st_mode & 0o777 == 0o600
    (tmp_path / "lake").mkdir()
    write_reports(tmp_path / "lake" / "a.parquet", begun, 50, 1, OTHER)
    places = (str(tmp_path / "lake"), "--state", str(tmp_path / "state.json"))
    code, out, _ = run(capsys, "tally", *places, "--output", str(tmp_path / "tally.csv"))
    assert code == 0
    assert "reports of other bulletins, left out  1" in out
    assert "49; a full epoch has 40" in out
    outputs = ("--output-state", "1.json", "--bulletin", "1.bin", "--result", "r.json")
    code, out, err = seal(capsys, tmp_path, "--state", "state.json", "--tally", "tally.csv", *outputs)
    assert (code, err) == (0, "")
    assert "Epoch 0: 49 reports, 49 in all" in out
    sealed = estimate(begun, Tally.from_csv((tmp_path / "tally.csv").read_bytes()))
    assert (tmp_path / "1.json").read_bytes() == sealed.state.write()
    assert (tmp_path / "1.bin").read_bytes() == sealed.bulletin.canonical
    result = json.loads((tmp_path / "r.json").read_text())
    assert [each["item"] for each in result["top"]] == [each.item for each in sealed.result.top]
    assert (result["epoch"], result["bulletin"], result["reports"]) == (0, begun.bulletin.version, 49)
    code, out, _ = seal(capsys, tmp_path, "--state", "1.json", "--json")
    assert json.loads(out)["bulletins"] == [begun.bulletin.version, sealed.bulletin.version]


def test_a_symbol_that_the_bulletin_lacks_is_refused_when_it_is_counted(
    tmp_path: Path, capsys: Capture, begun: SealState
) -> None:
    limit = begun.symbol_limits[begun.bulletin.version]
    parquet.write_table(pa.table({"bulletin": [begun.bulletin.version], "symbol": [limit]}), tmp_path / "a.parquet")
    write_reports(tmp_path / "0.parquet", begun, 50)
    words = ("tally", str(tmp_path), "--state", str(tmp_path / "state.json"))
    code, out, err = run(capsys, *words, "--output", str(tmp_path / "t.csv"))
    assert (code, out) == (2, "")
    assert f"{tmp_path / 'a.parquet'}: symbols must lie in 0 … {limit - 1} where they answer" in err
    assert f"{begun.bulletin.version}, got a larger one (withheld)" in err
    assert not (tmp_path / "t.csv").exists()


def test_whoever_counts_nothing_for_the_bulletin_in_force_is_told_what_there_is(
    tmp_path: Path, capsys: Capture, begun: SealState
) -> None:
    words = ("tally", str(tmp_path / "a.csv"), "--state", str(tmp_path / "state.json"), "--output", "t.csv")
    here, file = begun.bulletin.version, tmp_path / "a.csv"
    for rows, said in (
        ([OTHER, OTHER, "ab" * 32], f"no report answers the bulletin in force, {here}; of the 3 .* 2 answer {OTHER}$"),
        (["secret"], "of the 1 that are left out 1 answer something that is no version of a bulletin$"),
        ([], f"no report answers the bulletin in force, {here}$"),
        ([OTHER, here], "^$"),
    ):
        file.write_text("\n".join(["bulletin,symbol", *(f"{version},1" for version in rows)]) + "\n")
        code, _, err = run(capsys, *words[:-1], str(tmp_path / "t.csv"))
        assert code == 0
        assert re.search(said, err.rstrip())


def test_tallies_of_parts_add_up_in_csv_and_in_parquet(tmp_path: Path, capsys: Capture, begun: SealState) -> None:
    for number, ending in enumerate(("csv", "parquet")):
        write_reports(tmp_path / "a.parquet", begun, 30, number)
        code, out, _ = run(
            capsys, "tally", str(tmp_path / "a.parquet"), "--output", str(tmp_path / f"{number}.{ending}"), "--json"
        )
        assert (code, json.loads(out)["reports"]) == (0, 30)
    code, out, _ = seal(
        capsys, tmp_path, "--state", "state.json", "--tally", "0.csv", "1.parquet", "--output-state", "1.json", "--json"
    )
    assert (code, json.loads(out)["result"]["reports"]) == (0, 60)
    code, out, _ = run(capsys, "tally", str(tmp_path / "a.parquet"))
    assert Tally.from_csv(out.encode()).reports == 30


def test_an_epoch_that_is_far_from_full_is_refused_unless_somebody_says_anyway(
    tmp_path: Path, capsys: Capture, begun: SealState
) -> None:
    (tmp_path / "t.csv").write_bytes(Tally({begun.bulletin.version: [19]}).to_csv())
    (tmp_path / "more.csv").write_bytes(Tally({begun.bulletin.version: [1]}).to_csv())
    words = ("--state", "state.json", "--tally", "t.csv", "--output-state", "1.json")
    code, _, err = seal(capsys, tmp_path, *words)
    assert code == 2
    assert "at least half of the 40 reports that an epoch should have, got 19: wait for more, or say --anyway" in err
    assert not (tmp_path / "1.json").exists()
    code, _, err = seal(capsys, tmp_path, *words[:3], "t.csv", "more.csv", *words[4:])
    assert (code, err) == (0, "hgldp: the epoch is 50% full: 20 of 40 reports answer its bulletin\n")
    (tmp_path / "1.json").unlink()
    assert seal(capsys, tmp_path, *words, "--anyway")[0] == 0


def test_what_was_counted_is_not_counted_again(tmp_path: Path, capsys: Capture, begun: SealState) -> None:
    first = Tally({begun.bulletin.version: [90, 20, 0, 9]})
    state = estimate(begun, first).state
    (tmp_path / "1.json").write_bytes(state.write())
    late, new = Tally({begun.bulletin.version: [0, 3]}), Tally({state.bulletin.version: [400, 700]})
    (tmp_path / "total.csv").write_bytes((first + late + new).to_csv())
    (tmp_path / "new.csv").write_bytes((late + new).to_csv())
    words = ("--state", "1.json", "--output-state", "2.json", "--tally")
    code, _, err = seal(capsys, tmp_path, *words, "total.csv")
    assert code == 2
    assert "tally must not hold the 119 reports of" in err
    assert "leave them out, or say --total if it holds everything" in err
    assert seal(capsys, tmp_path, *words, "total.csv", "--total")[0] == 0
    (tmp_path / "2.json").replace(tmp_path / "by-total.json")
    assert seal(capsys, tmp_path, *words, "new.csv")[0] == 0
    assert (tmp_path / "by-total.json").read_bytes() == (tmp_path / "2.json").read_bytes()
    code, _, err = seal(capsys, tmp_path, *words, "new.csv", "--total")
    assert code == 2
    assert "must be a file that is not there yet" in err


def test_one_tally_counts_once_under_two_names_too(tmp_path: Path, capsys: Capture, begun: SealState) -> None:
    here = begun.bulletin.version
    for name, counts in (("mon.csv", [90, 20]), ("tue.csv", [90, 21]), ("small.csv", [9]), ("again.csv", [9])):
        (tmp_path / name).write_bytes(Tally({here: counts}).to_csv())
    (tmp_path / "copy.csv").write_text(f"symbol,bulletin,count\n1,{here},20\n0,{here},90\n")
    (tmp_path / "link.csv").symlink_to(tmp_path / "small.csv")
    words = ("--state", "state.json", "--output-state", "1.json", "--tally")
    for names, said in (
        (("mon.csv", "mon.csv"), "--tally must name each file once, got "),
        (("small.csv", "link.csv"), "--tally must name each file once, got "),
        (("mon.csv", "copy.csv"), "--tally must be given once, got the same counts in "),
    ):
        code, _, err = seal(capsys, tmp_path, *words, *names)
        assert (code, (tmp_path / "1.json").exists()) == (2, False)
        assert said in err
    code, out, _ = seal(capsys, tmp_path, *words, "mon.csv", "tue.csv", "small.csv", "again.csv")
    assert code == 0
    assert "Epoch 0: 239 reports, 239 in all" in out


def test_late_reports_are_told_and_many_of_them_are_warned_of(
    tmp_path: Path, capsys: Capture, begun: SealState
) -> None:
    before = estimate(begun, Tally({begun.bulletin.version: [90, 20]})).state
    (tmp_path / "1.json").write_bytes(before.write())
    new, words = Tally({before.bulletin.version: [90, 30]}), ("--state", "1.json", "--output-state")
    for number, (late, told, warned) in enumerate(((0, "none", False), (54, "54", False), (55, "55", True))):
        tally = new + Tally({begun.bulletin.version: [0, 0, late]})
        (tmp_path / "t.csv").write_bytes(tally.to_csv())
        code, out, err = seal(capsys, tmp_path, *words, f"a{number}.json", "--tally", "t.csv")
        assert (code, "55 late reports answer epoch 0, beside 110 that were counted before" in err) == (0, warned)
        rows = f"in time  120 for epoch 1\nlate     {told}"
        assert rows + (" for epoch 0, where 110 were counted before" if late else "") in out
        assert f"Epoch 1: {120 + late} reports, {230 + late} in all" in out
        (tmp_path / "t.csv").write_bytes((tally + before.counted).to_csv())
        words_of_all = (*words, f"b{number}.json", "--tally", "t.csv", "--total", "--json")
        code, out, err = seal(capsys, tmp_path, *words_of_all)
        assert (code, err) == (0, "")
        assert json.loads(out)["late"] == ([{"epoch": 0, "reports": late, "counted": 110}] if late else [])
    elsewhere = replace(before, counted=Tally())
    (tmp_path / "1.json").write_bytes(elsewhere.write())
    (tmp_path / "t.csv").write_bytes(tally.to_csv())
    code, out, err = seal(capsys, tmp_path, *words, "c.json", "--tally", "t.csv")
    assert (code, err) == (0, "")
    assert "late     55 for epoch 0, where others were counted elsewhere" in out


def test_a_tally_that_fits_no_state_or_brings_nothing_is_refused_with_the_reason(
    tmp_path: Path, capsys: Capture, begun: SealState
) -> None:
    first = Tally({begun.bulletin.version: [90, 20]})
    after = estimate(begun, first).state
    (tmp_path / "1.json").write_bytes(after.write())
    (tmp_path / "0.csv").write_bytes(first.to_csv())
    (tmp_path / "1.csv").write_bytes(Tally({after.bulletin.version: [60]}).to_csv())
    end = ("--output-state", "2.json", "--tally")
    code, _, err = seal(capsys, tmp_path, "--state", "1.json", "--total", *end, "0.csv")
    assert code == 2
    assert "got nothing new: all 110 reports answer earlier epochs and were counted already" in err
    code, _, err = seal(capsys, tmp_path, "--state", "state.json", *end, "1.csv")
    assert code == 2
    assert "1.csv: tally must answer bulletins of this state, which reads those of epoch 0, got 60 reports" in err
    assert f"that answer {after.bulletin.version}, none of them: is there a later state file?" in err


def test_every_file_that_was_written_is_named_and_a_bulletin_can_be_had_again(
    tmp_path: Path, capsys: Capture, begun: SealState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    (tmp_path / "t.csv").write_bytes(Tally({begun.bulletin.version: [60]}).to_csv())
    words = ("--state", "state.json", "--tally", "t.csv", "--output-state")
    code, out, _ = seal(capsys, tmp_path, *words, "1.json", "--bulletin", "1.bin", "--result", "r.json")
    assert code == 0
    assert out.rstrip().endswith(f"\nWritten: {tmp_path / '1.json'}, {tmp_path / '1.bin'}, {tmp_path / 'r.json'}")
    code, out, _ = seal(capsys, tmp_path, *words, "2.json")
    assert code == 0
    *_, files, bulletin, result = out.rstrip().splitlines()
    assert files == f"Written: {tmp_path / '2.json'}"
    assert bulletin == f"Not written: the bulletin; hgldp seal --state {tmp_path / '2.json'} --bulletin FILE writes it"
    assert result.startswith("Not written: the result, which no state holds")
    code, out, _ = seal(capsys, tmp_path, "--state", "2.json", "--bulletin", "again.bin")
    assert (code, out.rstrip().splitlines()[-1]) == (0, f"Written: {tmp_path / 'again.bin'}")
    assert (tmp_path / "again.bin").read_bytes() == (tmp_path / "1.bin").read_bytes()


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> Life:
    return live(tmp_path_factory.mktemp("life"), LISTED, uploads=40)


def test_a_collector_is_followed_offline(tmp_path: Path, capsys: Capture, life: Life) -> None:
    folder = ("--data", str(life.folder), "--task", life.row.id.hex()[:8])
    code, _, _ = seal(capsys, tmp_path, *folder, "--output-state", "s.json")
    assert code == 0
    with closing(Frozen(life.folder)) as log:
        assert (tmp_path / "s.json").read_bytes() == state_of(log, life.row).write()
    state = SealState.start(LISTED, life.row.seed)
    (tmp_path / "0.json").write_bytes(state.write())
    for number, published in enumerate(life.results[:3]):
        tally = str(tmp_path / f"{number}.csv")
        assert run(capsys, "tally", *folder, "--epoch", str(number), "--output", tally)[0] == 0
        files = ("--tally", f"{number}.csv", "--output-state", f"{number + 1}.json", "--bulletin", "b.bin", "--json")
        code, out, _ = seal(capsys, tmp_path, "--state", f"{number}.json", *files)
        assert code == 0
        assert [each["estimate"] for each in json.loads(out)["result"]["top"]] == [
            each.estimate for each in published.result.top
        ]
        assert (tmp_path / "b.bin").read_bytes() == life.bulletins[number + 1].data
    reports = str(tmp_path / "all.parquet")
    code, out, _ = run(capsys, "tally", *folder, "--reports", reports)
    assert code == 0
    assert run(capsys, "tally", reports)[1] == out


def test_collectors_that_share_a_store_are_followed_offline(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch, postgres_url: str
) -> None:
    collector = DatabaseHome(postgres_url).collector(FakeClock())
    (view,) = create(collector, LISTED)
    for seed in range(12):
        collector.offer(now(collector, view), upload(now(collector, view), 9, seed=seed))
        collector.step()
    (row,), bulletins = collector.storage.tasks(), collector.storage.bulletins(view.number)
    collector.close()
    assert len(bulletins) > 2
    shared = ("--store", postgres_url, "--task", "pfr")
    (tmp_path / "0.json").write_bytes(SealState.start(LISTED, row.seed).write())
    for epoch in range(len(bulletins) - 1):
        tally = str(tmp_path / f"{epoch}.csv")
        assert run(capsys, "tally", *shared, "--epoch", str(epoch), "--output", tally)[0] == 0
        files = ("--tally", f"{epoch}.csv", "--output-state", f"{epoch + 1}.json", "--bulletin", f"{epoch}.bin")
        assert seal(capsys, tmp_path, "--state", f"{epoch}.json", *files)[0] == 0
        assert (tmp_path / f"{epoch}.bin").read_bytes() == bulletins[epoch + 1].data
    reports = str(tmp_path / "all.parquet")
    code, out, _ = run(capsys, "tally", *shared, "--reports", reports)
    assert (code, Tally.from_csv(out.encode()).reports) == (0, 12 * 9)
    monkeypatch.setenv("HGLDP_STORE", postgres_url)
    assert run(capsys, "tally", reports)[1] == out == run(capsys, "tally", "--task", "pfr")[1]
    assert seal(capsys, tmp_path, "--task", "pfr", "--output-state", "s.json")[0] == 0
    assert (tmp_path / "s.json").read_bytes() == (tmp_path / f"{len(bulletins) - 1}.json").read_bytes()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("tally",), "PATH must be given, or --data or --store with --task instead, got neither"),
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
        (("tally", "nowhere.parquet"), "got nowhere.parquet (no such file or folder)"),
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

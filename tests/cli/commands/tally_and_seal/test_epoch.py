"""From reports in files to the next state, bulletin and result."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from hgldp.tallies import SealState, Tally, estimate
from hgldp.wire.bulletin import read_bulletin
from tests.cli.commands.tally_and_seal.conftest import OTHER, Capture, seal, write_reports
from tests.cli.conftest import run
from tests.tallies.lives import LISTED


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
    first = Tally({begun.bulletin.version: [90, *range(15)]})
    state = estimate(begun, first).state
    (tmp_path / "1.json").write_bytes(state.write())
    late, new = Tally({begun.bulletin.version: [0, 3]}), Tally({state.bulletin.version: [400, 700]})
    (tmp_path / "total.csv").write_bytes((first + late + new).to_csv())
    (tmp_path / "new.csv").write_bytes((late + new).to_csv())
    words = ("--state", "1.json", "--output-state", "2.json", "--tally")
    code, _, err = seal(capsys, tmp_path, *words, "total.csv")
    assert code == 2
    assert "tally must not hold the 195 reports of" in err
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


def test_many_more_late_reports_than_were_counted_are_not_taken_for_those(
    tmp_path: Path, capsys: Capture, begun: SealState
) -> None:
    """Before: three times as many late reports had each symbol at least as often, and nothing but --total was left."""
    here, random = begun.bulletin.version, np.random.default_rng(1)
    shares = np.full(16, 1 / 16)
    counted = random.multinomial(7_000, shares)
    after = estimate(begun, Tally({here: counted})).state
    (tmp_path / "1.json").write_bytes(after.write())
    new = Tally({after.bulletin.version: [9_000]})
    words = ("--state", "1.json", "--output-state", "2.json", "--tally", "t.csv")
    for again in (counted, counted + random.multinomial(1_500, shares)):
        (tmp_path / "t.csv").write_bytes((new + Tally({here: again})).to_csv())
        code, _, err = seal(capsys, tmp_path, *words)
        assert code == 2
        assert "tally must not hold the 7,000 reports" in err
    late = random.multinomial(19_000, shares)
    assert (late >= counted).all()
    (tmp_path / "t.csv").write_bytes((new + Tally({here: late})).to_csv())
    code, out, err = seal(capsys, tmp_path, *words)
    assert (code, "19,000 late reports answer epoch 0, beside 7,000 that were counted before" in err) == (0, True)
    assert "Epoch 1: 28,000 reports, 35,000 in all" in out


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

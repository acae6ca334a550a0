"""What `hgldp simulate` refuses: settings, streams and files, each in one line without an item."""

import json
from pathlib import Path

import pytest

from hgldp.cli import main
from tests.cli.commands.simulate.test_run import SMALL, as_json

PRIVATE = "very-private-item"


def test_the_papers_own_bdr_and_cnr_ask_for_a_warmup_or_a_share(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = (SMALL, "--k", "5", "--scheme", "cnr", "--variant", "paper")
    assert main(["simulate", *arguments]) == 2
    assert "--warmup must be given for cnr in the variant paper, for example 0.01" in capsys.readouterr().err
    assert as_json(capsys, *arguments, "--hot-share", "0.5")["warmup"] == 0


def test_csv_and_json_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", SMALL, "--csv", "--json"]) == 2
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--epsilon", "0"), "--epsilon must be finite and above 0, got 0"),
        (("--epsilon", "-1"), "--epsilon must be finite and above 0, got -1"),
        (("--epsilon", "inf"), "--epsilon must be finite and above 0, got inf"),
        (("--epsilon", "nan"), "--epsilon must be finite and above 0, got nan"),
        (("--epsilon", "many"), "--epsilon must be a number, got many"),
        (("--k", "0"), "--k must be a whole number of at least 1, got 0"),
        (("--k", "-2"), "--k must be a whole number of at least 1, got -2"),
        (("--k", "5", "--cells", "4"), "--cells must be at least k = 5, got 4"),
        (("--k", "60"), "--k must be smaller than the 60 items of the domain: one stays off the hot list, got 60"),
        (("--k", "5", "--cells", "60"), "--cells must be fewer than the 60 items of the domain, got 60"),
        (("--light-cells", "-1"), "--light-cells must be a whole number of at least 0, got -1"),
        (("--warmup", "3001"), "--warmup must leave something of the 3000 items to report, got 3001"),
        (
            ("--warmup", "1"),
            "--warmup must be a share of the stream below 1, such as 0.01, or a whole number of items above 1, got 1",
        ),
        (("--warmup", "-0.5"), "--warmup must be a share of the stream below 1"),
        (("--scheme", "cms"), "--scheme must be all or one of bgr, dsr, bdr, cnr,"),
        (("--variant", "best"), "--variant must be one of default, paper, as-published, got best"),
        (("--scheme", "grr", "--variant", "paper"), "--variant must be default for grr, got paper"),
        (("--hot-share", "2"), "--hot-share must be online, warm-up or a number in 0 … 1, got 2"),
        (("--hot-share", "0.5", "--tight"), "--hot-share must be online where the judge is tight"),
        (("--hot-share", "warm-up", "--warmup", "0"), "--hot-share must not be warm-up where there is no warm-up"),
        (("--level", "user", "--events", "0"), "--events must be a whole number of at least 1, got 0"),
        (("--level", "user"), "--events must be given with --level user, got none"),
        (("--level", "window"), "--events must be given with --level window, got none"),
        (("--scheme", "dsr,hr", "--no-tight"), "--tight works with bdr and cnr only, got dsr, hr"),
        (("--scheme", "bgr", "--hot-share", "0.5"), "--hot-share works with bdr and cnr only, got bgr"),
        (("--scheme", "hr", "--structure", "misra-gries"), "--structure works with bgr, dsr, bdr, cnr only, got hr"),
        (
            ("--variant", "paper", "--hot-share", "0.5", "--structure", "space-saving"),
            "--structure works only with hot lists in the default variant, got bdr",
        ),
        (("--structure", "count-min"), "--structure must be one of heavy-guardian, space-saving, misra-gries,"),
        (("--events", "3"), "--events must be 1 when the level is event, got 3"),
        (("--level", "week"), "--level must be one of event, window, user, got week"),
        (("--epoch", "0"), "--epoch must be a whole number of at least 1, got 0"),
        (("--seed", "-1"), "--seed must lie in 0 … 2^64 − 1"),
        (("--repeats", "0"), "--repeats must be at least 1, got 0"),
        (("--column", "2"), "--column must be given for a CSV file only, got 2"),
    ],
)
def test_a_bad_setting_is_one_line_and_exit_code_2(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    defaults = () if "--scheme" in arguments else ("--scheme", "bdr")
    assert main(["simulate", SMALL, *defaults, *(() if "--k" in arguments else ("--k", "5")), *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"hgldp: error: {message}")
    assert said.err.count("\n") == 1


@pytest.mark.parametrize(
    ("stream", "message"),
    [
        ("nowhere.dat", "STREAM must be a readable file, '-' or a generator such as normal:"),
        ("norml:n=9,d=3", "STREAM must be a file that exists, a data set (hgldp data list) or a generator such as"),
        ("normal", "normal needs n, d, sigma, as in normal:n=100000,d=1000,sigma=5"),
        ("uniform:", "uniform needs n, d, as in uniform:n=100000,d=1000"),
        ("normal:n=9,d=3", "sigma must be given for normal"),
        ("uniform:n=0,d=3", "n must be a whole number in 1 …"),
        ("uniform:n=9,d=1", "d must be a whole number in 2 …"),
    ],
)
def test_a_stream_that_is_not_there_is_one_line(stream: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", stream]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"hgldp: error: {message}")
    assert said.err.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "text", "column", "message"),
    [
        ("empty.dat", "", (), "STREAM must hold at least one item"),
        ("bad.dat", f"1 2\n3 {PRIVATE}\n", (), "{path}, line 2: every item must be a whole number"),
        ("bad.csv", f"a,b\n1,2\n{PRIVATE}\n", ("--column", "b"), "{path}, line 3: there must be a column 2"),
        ("bad.csv", f'a,b\n1,"{PRIVATE}\n', ("--column", "b"), "{path}, line 2: must be CSV"),
        ("one.dat", "7 7 7", (), "STREAM must hold at least two distinct items"),
        ("good.csv", "a\n1\n2\n", (), "--column must be given for a CSV file"),
    ],
)
def test_a_bad_file_is_one_line_without_its_items(
    name: str, text: str, column: tuple[str, ...], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_text(text)
    assert main(["simulate", str(path), *column]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"hgldp: error: {message.format(path=path)}")
    assert said.err.count("\n") == 1
    assert PRIVATE not in said.err


def test_a_file_of_words_is_refused_with_the_way_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "words.txt"
    path.write_text("tea\nmilk\n")
    assert main(["simulate", str(path)]) == 2
    assert capsys.readouterr().err.endswith(" (strings: --open; CSV: --column)\n")
    path.write_text("1 2\n")
    assert main(["simulate", str(path), "--column", "9"]) == 2
    assert "--open" not in capsys.readouterr().err


@pytest.mark.parametrize("more", [(), ("--open",)])
def test_nobody_is_asked_for_a_column_of_a_file_that_is_not_there(
    more: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", "nope.csv", *more]) == 2
    assert capsys.readouterr().err == "hgldp: error: STREAM must be a file that exists, got nope.csv\n"


def test_all_schemes_leave_pfr_out_where_its_cells_are_too_few(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["simulate", "zipf:n=2000,d=100,s=1.1", "--k", "10", "--cells", "29", "--json"]
    assert main([*options, "--scheme", "all"]) == 0
    assert "pfr" not in {line["scheme"] for line in json.loads(capsys.readouterr().out)}
    assert main([*options, "--scheme", "pfr"]) == 2
    assert "--cells must lie in 30 … 4096 for pfr and this k, got 29" in capsys.readouterr().err

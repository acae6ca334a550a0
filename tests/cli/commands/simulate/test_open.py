"""`hgldp simulate --open`: strings that nobody listed, from the typed line to the printed answer."""

import csv
import gzip
import json
from io import BufferedReader, BytesIO, StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from hgldp.cli import main
from hgldp.stores.strings.state import most_state_bytes
from tests.cli.commands.simulate.test_run import WANTED

FREQUENT = ("https://example.com/a/tea-and-toast", "maté", "two words", "日本", "x" * 70)
FEW = ["--epsilon", "4", "--k", "4", "--cells", "128", "--epoch", "500"]


def write_words(path: Path, n: int = 80_000) -> Path:
    """Four frequent strings, one frequent but too long, and a tail."""
    generator = np.random.default_rng(1)
    strings = [*FREQUENT, *(f"rare {number}" for number in range(200))]
    chances = np.array([0.2, 0.25, 0.15, 0.1, 0.05] + [0.25 / 200] * 200)
    lines = "\n".join(strings[place] for place in generator.choice(len(strings), n, p=chances))
    path.write_bytes(gzip.compress(lines.encode(), 1, mtime=0) if path.suffix == ".gz" else lines.encode())
    return path


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_words(tmp_path_factory.mktemp("strings") / "words.txt")


def simulate(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert main(["simulate", *map(str, arguments)]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    return said.out


def as_json(capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:
    return json.loads(simulate(capsys, *arguments, "--json"))


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert main(["simulate", *map(str, arguments)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    return said.err


def test_the_answer_has_the_strings_verbatim_with_intervals_and_the_truth(
    words: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = as_json(capsys, words, "--open", "--scheme", "pfr", *FEW)
    truth = words.read_text(encoding="utf-8").split("\n")
    assert {line["item"] for line in result["runs"][0]["top"]} == set(FREQUENT[:4])
    for line in result["runs"][0]["top"]:
        assert line["true_count"] == truth.count(line["item"])
        assert abs(line["count"] - line["true_count"]) < 6 * line["standard_error"]
        assert line["in_true_top"]
    assert (result["precision"], result["recall"], result["ndcg"]) == (1, 1, 1)
    assert set(result) >= WANTED
    assert 0 < result["state_bytes"] <= most_state_bytes(128, 64)
    assert (result["open"], result["most_bytes"], result["cells"], result["warmup"]) == (True, 64, 128, 0)
    assert (result["items"], result["domain_size"]) == (80_000, len(set(truth)))
    assert result["without_code"] == truth.count(FREQUENT[4])


def test_people_see_whole_strings_and_what_had_no_code(words: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = simulate(capsys, words, "--open", *FEW)
    said = " ".join(shown.split())
    assert all(f"  {text} " in shown for text in FREQUENT[:4])
    assert "of them different; nobody listed them." in said
    assert "of them are longer than 64 bytes or not text, and counted as 'everything else'." in said
    assert "95 % interval" in shown
    assert "No warm-up: every item is randomised." in shown


def test_longer_strings_can_be_asked_for(words: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = as_json(capsys, words, "--open", *FEW, "--most-bytes", 70)
    assert (result["most_bytes"], result["without_code"]) == (70, 0)


def test_csv_has_one_row_a_run(words: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = "--open --k 4 --cells 64 --epsilon 2,4 --repeats 2 --csv --epoch 9000"
    rows = list(csv.DictReader(StringIO(simulate(capsys, words, *options.split()))))
    assert [(row["scheme"], row["epsilon"], row["seed"]) for row in rows] == [
        ("pfr", "2.0", "1"), ("pfr", "2.0", "2"), ("pfr", "4.0", "1"), ("pfr", "4.0", "2"),
    ]  # fmt: skip
    assert {row["open"] for row in rows} == {"true"}


def test_gzip_standard_input_and_a_column_give_the_same(
    words: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = words.read_text(encoding="utf-8").split("\n")
    table = tmp_path / "events.csv"
    with table.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("who", "what"), *enumerate(lines)])
    data = BufferedReader(BytesIO(words.read_bytes()))
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=data))
    tops = [
        as_json(capsys, *arguments, "--open", *FEW)["runs"][0]["top"]
        for arguments in ((words,), (write_words(tmp_path / "words.gz"),), ("-",), (table, "--column", "what"))
    ]
    assert all(top == tops[0] for top in tops)


def test_the_same_seed_gives_the_same_and_another_does_not(words: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, again, other = (as_json(capsys, words, "--open", *FEW, "--seed", seed)["runs"][0]["top"] for seed in (1, 1, 2))
    assert one == again != other


def test_a_level_spends_its_part_of_the_budget(words: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = simulate(capsys, words, "--open", *FEW, "--level", "user", "--events", 4)
    assert "ε covers all of a person's events, at most 4: 1 per report." in shown


def test_where_few_strings_occur_precision_says_what_it_divides_by(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "few.txt"
    path.write_text("tea\ncoffee\nmate\n" * 10_000)
    for options in (FEW, ["--epsilon", "4", "--k", "16", "--cells", "128", "--epoch", "500"]):
        said = " ".join(simulate(capsys, path, "--open", *options).split())
        result = as_json(capsys, path, "--open", *options)
        top = result["runs"][0]["top"]
        assert result["precision"] == sum(line["in_true_top"] for line in top) / max(3, len(top))
        assert "hits over lines of the answer, or over the 3 items that occurred if the answer is shorter" in said
        assert "share of the true top" not in said
    assert "share of the true top 3 that was found" in simulate(capsys, path, "--open", "--k", 3, "--cells", 64)


def test_a_single_string_has_to_be_found_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, table = tmp_path / "one.txt", tmp_path / "one.csv"
    path.write_text("tea\n" * 20_000)
    table.write_text("what\n" + "tea\n" * 20_000)
    said = " ".join(simulate(capsys, path, "--open", *FEW).split())
    assert "20,000 strings, all the same; nobody listed them." in said
    for arguments in ((path,), (table, "--column", "what")):
        first = as_json(capsys, *arguments, "--open", *FEW)["runs"][0]["top"][0]
        assert (first["item"], first["in_true_top"], first["may_be_noise"]) == ("tea", True, False)
        assert first["high"] <= 20_000


def test_with_few_lines_it_says_how_many_it_takes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "few.txt"
    path.write_text("tea\ncoffee\nmate\ntea\ntea\n")
    shown = simulate(capsys, path, "--open")
    said = " ".join(shown.split())
    assert "Nothing stands out yet." in said
    assert "takes about 4 epochs, a long or rare one more: 4 have 147,388 reports here, and 5 have come." in said
    assert "95 % interval" not in shown


@pytest.mark.parametrize(("seed", "found"), [(2, ["tea"]), (5, [])])
def test_a_line_that_may_be_noise_is_shown_with_how_many_it_takes(
    seed: int, found: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "few.txt"
    path.write_text("tea\ncoffee\nmate\ntea\ntea\n" * 2)
    options = (path, "--open", "--epsilon", 6, "--epoch", 2, "--cells", 64, "--k", 4, "--seed", seed)
    shown = simulate(capsys, *options)
    top = as_json(capsys, *options)["runs"][0]["top"]
    assert [line["item"] for line in top] == found
    assert all(line["may_be_noise"] for line in top)
    assert "4 epochs have passed, in which a short and frequent string is found." in " ".join(shown.split())
    assert ("Nothing stands out yet." in shown) is (not found)
    assert ("95 % interval" in shown) is bool(found)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ("--scheme dsr", "--scheme must be"),
        ("--scheme pfr,dsr", "--scheme must be"),
        ("--warmup 0.01", "--warmup must be left out with --open"),
        ("--memory 4096", "--memory must be left out with --open"),
        ("--variant paper", "--variant must be left out with --open"),
        ("--tight", "--tight must be left out with --open"),
        ("--no-tight", "--tight must be left out with --open"),
        ("--hot-share 0.5", "--hot-share must be left out with --open"),
        ("--light-cells 3", "--light-cells must be left out with --open"),
        ("--buckets 2", "buckets must be left out with --open"),
        ("--level user", "--events must be given"),
        ("--most-bytes 0", "--most-bytes must be a whole number in 1 … 255"),
        ("--most-bytes 256", "--most-bytes must be a whole number in 1 … 255"),
        ("--cells 63", "symbols must be a whole number in 64 … 4096"),
        ("--half-life -1", "--half-life must be"),
    ],
)
def test_what_could_have_no_effect_or_makes_no_sense_is_refused(
    options: str, why: str, words: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert why in refused(capsys, words, "--open", "--k", 4, *options.split())


def test_too_few_cells_for_k_are_refused(words: Path, capsys: pytest.CaptureFixture[str]) -> None:
    why = "--cells must be at least 8 times k with --open, got 128"
    assert why in refused(capsys, words, "--open", "--k", 20, "--cells", 128)


def test_a_generator_has_no_strings_and_a_listed_stream_no_longest_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert "must be a file of strings" in refused(capsys, "zipf:n=10,d=5,s=1", "--open")
    assert "--most-bytes works with --open only" in refused(capsys, "zipf:n=10,d=5,s=1", "--most-bytes", 9)
    assert "STREAM must be a readable file" in refused(capsys, "no-such-file", "--open")

"""The whole contest on a small file: the table, the file of all numbers, the picture and the page."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks.strings.contest.__main__ import PART, main
from benchmarks.strings.contest.contestants import LISTED, METHODS, PEM_SETTINGS, PEM_TOLD, PFR, Run
from benchmarks.strings.contest.picture import draw
from benchmarks.strings.contest.rows import Key, Row, best, gather
from hgldp.experiments.plotting.look import as_svg

HEAD = "Brot,900\nMilch,800\nTee,700\nKäse,600\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "kitchen.csv"
    rest = "".join(f"rest{number},2\n" for number in range(200))
    path.write_text(f"word,count\n{HEAD}{rest}", encoding="utf-8")
    return path


def test_every_method_is_measured_on_the_same_streams(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    numbers, picture, page = (file.parent / name for name in ("a.json", "a.svg", "a.md"))
    page.write_text(f"Before\n\n{PART.begin}\nstale\n{PART.end}\n\nafter\n", encoding="utf-8")
    asked = f"--file {file} --counts --n 60000 --k 4 --epsilon 5 --repeats 2 --longest 8 --markdown"
    main([*asked.split(), "--json", str(numbers), "--picture", str(picture), "--paste", str(page)])
    printed = capsys.readouterr().out
    rows = json.loads(numbers.read_text(encoding="utf-8"))["rows"]
    assert {row["method"] for row in rows} == set(METHODS)
    assert all(row["seeds"] == [1, 2] and len(row["f1"]) == 2 for row in rows)
    assert sum(row["method"] == PEM_TOLD for row in rows) == len(PEM_SETTINGS)
    assert sum(row["best"] for row in rows) == len(METHODS)
    found = {row["method"]: row["f1"] for row in rows if row["best"]}
    assert found[LISTED] == found[PEM_TOLD] == [1.0, 1.0]
    assert "| kitchen.csv | 5 |" in printed
    assert "1.00 ± 0.00" in printed
    assert printed.strip() in page.read_text(encoding="utf-8")
    assert page.read_text(encoding="utf-8").startswith("Before")
    assert "stale" not in page.read_text(encoding="utf-8")
    ElementTree.parse(picture)  # noqa: S314 - it is ours


def test_one_method_can_be_measured_alone(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--file", str(file), "--counts", "--k", "4", "--epsilon", "5", "--repeats", "1", "--only", LISTED])
    printed = capsys.readouterr().out
    assert LISTED in printed
    assert PFR not in printed


@pytest.mark.parametrize(
    "wrong",
    [
        "--n 0",
        "--cut 0",
        "--epsilon 0",
        "--repeats 0",
        "--k 0",
        "--only SHA",
        "--json no/such/a.json",
        "--paste no.md",
        "--file none.csv --processes 2",
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_is_measured(
    file: Path, wrong: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["--file", str(file), "--counts", *wrong.split()])
    assert refused.value.code == 2
    assert "Brot" not in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["--counts"])


def rows(values: dict[tuple[str, str], list[float]]) -> list[Row]:
    gathered: dict[Key, Row] = {}
    for (method, setting), found in values.items():
        gather((Run("names", 2.0, method, setting, seed, f1, 100) for seed, f1 in enumerate(found)), gathered)
    return list(gathered.values())


def test_the_best_setting_has_the_best_mean_not_the_best_seed() -> None:
    measured = rows({(PEM_TOLD, "a"): [0.9, 0.1], (PEM_TOLD, "b"): [0.6, 0.6], (PFR, "default"): [0.5, 0.7]})
    found = best(measured)
    assert found["names", 2.0, PEM_TOLD].setting == "b"
    assert found["names", 2.0, PFR].shown() == "0.60 ± 0.10"


def test_the_picture_has_a_bar_of_two_standard_errors_around_each_mean() -> None:
    figure = draw(rows({(PFR, "default"): [0.5, 0.7], (PEM_TOLD, "a"): [0.2, 0.2]}), 20)
    (panel,) = figure.axes
    ends = [collection.get_segments()[0][:, 0].tolist() for collection in panel.collections]
    assert ends[0] == pytest.approx([0.5, 0.7])
    assert ends[1] == pytest.approx([0.2, 0.2])
    text = as_svg(figure)
    assert 'width="390pt"' in text
    assert all(name in text for name in (PFR, PEM_TOLD, "names", "ε = 2"))

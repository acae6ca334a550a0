"""`hgldp data` from the typed line to the copy."""

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest

from hgldp.cli import main
from hgldp.sources import datasets
from hgldp.sources.datasets import DATASETS
from tests.sources.test_fetch import NUMBERS, PACKED, Asked, Publisher, little, publisher

__all__ = ["publisher"]


def said(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert main(["data", *arguments]) == code
    told = capsys.readouterr()
    assert (told.err if code == 0 else told.out) == ""
    return told.out if code == 0 else told.err


@pytest.fixture
def known(publisher: Publisher, monkeypatch: pytest.MonkeyPatch) -> Publisher:
    monkeypatch.setitem(datasets.DATASETS, "little", little(publisher))
    monkeypatch.setitem(datasets.DATASETS, "unpinned", replace(little(publisher, None), name="unpinned", file="u.dat"))
    return publisher


def test_the_list_names_every_data_set_its_publisher_and_whether_it_is_here(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "retail.dat.gz").write_bytes(gzip.compress(b"1 2\n"))
    shown = said(capsys, "list", "--data", str(tmp_path))
    rows = {line.split()[0]: line for line in shown.splitlines() if line.split()[:1] and line.split()[0] in DATASETS}
    assert set(rows) == set(DATASETS)
    table = shown.partition("Folder:")[0].splitlines()
    assert [line.split()[-3:] for line in table if line.startswith("retail ")] == [["web", "yes", "yes"]]
    assert [line.split()[-3:] for line in table if line.startswith("webdocs ")] == [["web", "not", "yet"]]
    for dataset in DATASETS.values():
        assert " ".join(dataset.publisher.split()[:3]) in shown
    listed = json.loads(said(capsys, "list", "--data", str(tmp_path), "--json"))
    assert {entry["name"]: entry["path"] for entry in listed if entry["path"]} == {
        "retail": str(tmp_path / "retail.dat.gz")
    }


def test_fetch_then_path_then_simulate(
    known: Publisher, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HGLDP_DATA", str(tmp_path / "data"))
    assert "hgldp data fetch little" in said(capsys, "path", "little", code=2)
    place = tmp_path / "data" / "little.dat.gz"
    assert said(capsys, "fetch", "little") == f"{place}\nverified; SHA-256 of its numbers: {NUMBERS}\n"
    assert said(capsys, "path", "little") == f"{place}\n"
    assert json.loads(said(capsys, "path", "little", "--json")) == {"name": "little", "path": str(place)}
    assert json.loads(said(capsys, "fetch", "little", "--json"))["verified"] is True
    monkeypatch.chdir(tmp_path)
    for options in ([], ["--data", str(tmp_path / "data")]):
        assert main(["simulate", "little", "--scheme", "grr", "--k", "3", "--json", *options]) == 0
        result = json.loads(capsys.readouterr().out)
        assert (result["stream"], result["items"]) == ("little", 60_000)
    assert main(["simulate", "little", "--scheme", "grr", "--data", str(tmp_path)]) == 2
    assert (
        f"{tmp_path} has no copy of little; fetch it with: hgldp data fetch little --data {tmp_path}"
        in capsys.readouterr().err
    )


def test_what_nobody_pinned_is_said_to_be_unverified(
    known: Publisher, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    shown = said(capsys, "fetch", "unpinned", "--data", str(tmp_path))
    assert shown.splitlines()[1].startswith("unverified: it has no pinned checksum")
    assert NUMBERS in shown
    assert (tmp_path / "u.dat").read_bytes() == PACKED


def test_a_refusal_is_one_line(known: Publisher, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    known.behaviour = lambda asked: Asked.answer(asked, 404, b"")
    why = said(capsys, "fetch", "little", "--data", str(tmp_path), code=2)
    assert why.count("\n") == 1
    assert "got 404" in why


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["fetch"], "NAME must be one of kosarak"),
        (["path"], "NAME must be one of kosarak"),
        (["path", "nowhere"], "NAME must be one of kosarak"),
        (["list", "retail"], "NAME must be left out of hgldp data list"),
        (["path", "retial"], "got retial; did you mean retail?"),
        (["dance"], "ACTION must be one of list, fetch, path, got dance"),
        (["ftech", "retail"], "got ftech; did you mean fetch?"),
        ([], "ACTION must be given"),
    ],
)
def test_a_wrong_line_is_refused(arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert why in said(capsys, *arguments, code=2)


def test_the_help_has_every_action_and_fits(capsys: pytest.CaptureFixture[str]) -> None:
    shown = said(capsys, "--help")
    assert all(f"hgldp data {action}" in shown for action in ("list", "fetch", "path"))
    assert max(len(line) for line in shown.splitlines()) <= 100

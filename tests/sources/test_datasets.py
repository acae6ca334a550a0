"""What is known of data sets, and how a copy is found."""

import gzip
import re
from pathlib import Path

import pytest

from hgldp.errors import InvalidField
from hgldp.sources.datasets import DATASETS, NoCopy, data_folder, find_dataset, is_known, known_dataset
from hgldp.sources.find import find_source


@pytest.mark.parametrize("name", DATASETS)
def test_an_entry_is_complete_and_its_checksums_look_like_some(name: str) -> None:
    dataset = DATASETS[name]
    assert all((dataset.title, dataset.publisher, dataset.citation, dataset.terms, dataset.page))
    assert dataset.file == Path(dataset.file).name
    assert dataset.numbers is None or re.fullmatch(r"[0-9a-f]{64}", dataset.numbers)
    assert dataset.git_blob is None or re.fullmatch(r"[0-9a-f]{40}", dataset.git_blob)
    assert dataset.address is not None or (dataset.is_pinned and dataset.note)


def test_the_papers_data_sets_are_known_and_can_be_fetched() -> None:
    assert all(DATASETS[name].address for name in ("retail", "kosarak", "webdocs"))


def test_a_data_set_is_known_by_its_name_and_by_its_file() -> None:
    assert {known_dataset(name).name for name in ("retail", "Retail", "retail.dat", "retail.dat.gz")} == {"retail"}
    assert not any(is_known(name) for name in ("retail.csv", "./retail", "", "kosarak2"))
    with pytest.raises(InvalidField, match="name must be one of kosarak, "):
        known_dataset("kosarak2")


@pytest.mark.parametrize("file", ["retail.dat.gz", "retail.dat", "retail.txt"])
def test_a_copy_is_found_by_any_of_its_names(tmp_path: Path, file: str) -> None:
    assert find_dataset("retail", tmp_path) is None
    (tmp_path / file).write_bytes(b"1 2\n")
    assert find_dataset("retail", tmp_path) == find_dataset(file, tmp_path) == tmp_path / file


def test_a_file_that_is_no_known_data_set_is_found_in_the_folder_and_nowhere_else(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    (tmp_path / "secret.dat").write_bytes(b"1 2\n")
    assert find_dataset("secret.dat", tmp_path) == tmp_path / "secret.dat"
    assert find_dataset("../secret.dat", inner) is None
    assert find_dataset("inner", tmp_path) is None


def test_a_name_stands_for_a_copy_unless_there_is_a_file_of_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, here = tmp_path / "data", tmp_path / "here"
    for each in (folder, here, here / "kosarak"):
        each.mkdir()
    (folder / "retail.dat.gz").write_bytes(gzip.compress(b"1 2 3\n"))
    (folder / "kosarak.dat").write_bytes(b"7 8\n")
    monkeypatch.chdir(here)
    assert find_source("retail", folder=folder).domain_size == 3
    assert find_source("retail.dat.gz", folder=folder).name == "retail.dat.gz"
    assert find_source("kosarak", folder=folder).domain_size == 2
    (here / "retail").write_bytes(b"5 6 5 6\n")
    assert find_source("retail", folder=folder).domain_size == 2


def test_a_missing_copy_says_how_to_fetch_it_and_a_missing_file_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NoCopy, match=r"has no copy of retail; fetch it with: hgldp data fetch retail --data "):
        find_source("retail.dat", folder=tmp_path)
    with pytest.raises(InvalidField, match="stream must be a readable file"):
        find_source("else.dat", folder=tmp_path)
    with pytest.raises(InvalidField, match="stream must be a readable file"):
        find_source("retail")


def test_the_folder_is_the_chosen_one_then_the_variables_then_the_cache() -> None:
    variables = {"HGLDP_DATA": "/b", "XDG_CACHE_HOME": "/c", "LOCALAPPDATA": "/d"}
    assert data_folder("/a", variables) == Path("/a")
    assert data_folder(None, variables) == Path("/b")
    del variables["HGLDP_DATA"]
    assert data_folder(None, variables, "linux") == Path("/c/hgldp")
    assert data_folder(None, variables, "win32") == Path("/d/hgldp/cache")
    assert data_folder(None, {}, "linux") == Path.home() / ".cache" / "hgldp"
    assert data_folder(None, {}, "darwin") == Path.home() / "Library" / "Caches" / "hgldp"

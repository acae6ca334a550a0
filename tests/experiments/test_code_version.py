"""Editing what computes throws results away; editing what shows them does not."""

import shutil
from pathlib import Path

import pytest

from hgldp.experiments.code_version import PACKAGE, RELEVANT, code_version, digest


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("copy") / "hgldp"
    shutil.copytree(PACKAGE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def after_editing(package: Path, part: str) -> str:
    file = package / part
    before = file.read_text(encoding="utf-8")
    try:
        file.write_text(f"{before}\n", encoding="utf-8")
        return digest(package)
    finally:
        file.write_text(before, encoding="utf-8")


@pytest.mark.parametrize("part", ["schemes/bdr.py", "kernels/streams.py", "simulate/metrics.py", *RELEVANT])
def test_an_edit_of_what_computes_is_another_version(package: Path, part: str) -> None:
    assert after_editing(package, part) != digest(package)


@pytest.mark.parametrize("part", ["cli/reproduce.py", "experiments/figures/look.py", "experiments/results.py"])
def test_an_edit_of_what_shows_is_the_same_version(package: Path, part: str) -> None:
    assert after_editing(package, part) == digest(package)


def test_the_version_is_that_of_this_package() -> None:
    assert code_version() == digest(PACKAGE)

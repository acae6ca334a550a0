"""Editing what computes throws results away; editing what shows them does not, and nothing is left undecided."""

import ast
import shutil
from pathlib import Path

import pytest

from hgldp.experiments.code_version import COMPUTES, PACKAGE, code_version, counted, digest

COMPUTING = [name for name, computes in COMPUTES.items() if computes and name.endswith(".py")]
MEASURING = [path.relative_to(PACKAGE).as_posix() for path in (PACKAGE / "experiments" / "measuring").glob("*.py")]


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


@pytest.mark.parametrize(
    "part", ["schemes/bdr.py", "kernels/streams.py", "simulation/metrics.py", *COMPUTING, *sorted(MEASURING)]
)
def test_an_edit_of_what_computes_is_another_version(package: Path, part: str) -> None:
    assert after_editing(package, part) != digest(package)


@pytest.mark.parametrize(
    "part",
    ["cli/__init__.py", "experiments/plotting/look.py", "experiments/results.py", "stores/strings/search.py"],
)
def test_an_edit_of_what_shows_or_spells_strings_is_the_same_version(package: Path, part: str) -> None:
    assert after_editing(package, part) == digest(package)


def test_a_file_that_moves_within_its_package_still_counts_and_is_the_same_version(package: Path) -> None:
    before = digest(package)
    (package / "stores" / "hot_list" / "state.py").rename(package / "stores" / "string_state.py")
    try:
        assert counted(Path("stores/string_state.py")) == "stores"
        assert digest(package) == before
        assert after_editing(package, "stores/string_state.py") != before
    finally:
        (package / "stores" / "string_state.py").rename(package / "stores" / "hot_list" / "state.py")


def test_a_file_that_leaves_the_computing_packages_is_another_version(package: Path) -> None:
    before = digest(package)
    (package / "simulation" / "metrics.py").rename(package / "cli" / "metrics.py")
    try:
        assert digest(package) != before
    finally:
        (package / "cli" / "metrics.py").rename(package / "simulation" / "metrics.py")


def test_what_is_listed_exists_and_every_package_is_listed() -> None:
    assert [name for name in COMPUTES if not (PACKAGE / name).exists()] == []
    found = {path.name for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert found <= set(COMPUTES)


def test_a_package_that_nobody_listed_counts() -> None:
    assert counted(Path("new/idea.py")) == "new"


def imported(file: Path) -> set[Path]:
    """The modules of the package that a file names in its imports, with the packages that they lie in."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    places = {PACKAGE.joinpath(*name.split(".")[1:]) for name in names if name.startswith("hgldp.")}
    return {place.with_suffix(".py") for place in places} | {place / "__init__.py" for place in places}


def test_whatever_a_measurement_imports_counts_or_is_listed_as_not_computing() -> None:
    """From `measure` on, through everything that counts: nothing is reached that this list was not asked about."""
    waiting, reached = [PACKAGE / "experiments" / "measuring" / "measure.py"], set()
    while waiting:
        file = waiting.pop()
        if file in reached or not file.is_file():
            continue
        reached.add(file)
        if counted(file.relative_to(PACKAGE)):
            waiting += imported(file)
    parts = {file.relative_to(PACKAGE) for file in reached}
    idle = {part.as_posix() for part in parts if not counted(part)}
    allowed = (
        "errors.py",
        "client/",
        "experiments/",
        "schemes/open_pfr.py",
        "stores/strings/",
        "wire/",
        "system/code_folder.py",
    )
    assert {part for part in idle if not part.startswith(allowed)} == set()
    experiments = {part for part in idle if part.startswith("experiments/")}
    assert experiments <= {"experiments/__init__.py", "experiments/measurement.py"}
    assert len(parts) > 80


def test_the_version_is_that_of_this_package() -> None:
    assert code_version() == digest(PACKAGE)

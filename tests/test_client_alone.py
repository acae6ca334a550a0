"""`pip install hgldp` alone is a client that needs the standard library and nothing else."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hatchling.build import build_wheel

from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parent.parent

CLIENT = """
import importlib, pkgutil, sys

import hgldp, hgldp.client, hgldp.errors, hgldp.mechanisms.registry, hgldp.schemes.registry
import hgldp.mechanisms, hgldp.model, hgldp.schemes
for package in (hgldp.client, hgldp.mechanisms, hgldp.model, hgldp.schemes):
    for module in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        importlib.import_module(module.name)

from hgldp.client import Randomizer
from hgldp.model.budget import Budget
from hgldp.model.bulletins import Bulletin
from hgldp.model.domain import Vocabulary
from hgldp.model.randomness import OSWords
from hgldp.model.task import Task

words = Vocabulary(("tea", "coffee", "mate", "water"))
for scheme in hgldp.schemes.registry.HOT_LISTS:
    task = Task(scheme, Budget(1.0), words, k=1, cells=2)
    bulletin = Bulletin(task.id, 0, domain_size=4, hot=(0, 1))
    report = Randomizer(task, max_epsilon=1.0).report("mate", bulletin)
    assert report.bulletin == bulletin.version
for mechanism in hgldp.mechanisms.registry.MECHANISMS.values():
    mechanism(4, 1.0).randomize(2, OSWords())

print(sorted(name.partition(".")[0] for name in sys.modules if name.partition(".")[0] not in sys.stdlib_module_names))
"""

SERVER = """
try:
    import {module}
except ImportError as missing:
    print(type(missing).__name__, missing)
"""


def alone(script: str, source: Path) -> str:
    """What a script prints in an interpreter that sees the standard library and one more folder or wheel."""
    finds = f"import sys; sys.path.insert(0, {str(source)!r})\n"
    command = [sys.executable, "-I", "-S", "-W", "error", "-c", finds + script]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=PATIENCE).stdout.strip()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as it would be installed, built here and now."""
    folder = tmp_path_factory.mktemp("wheel")
    with pytest.MonkeyPatch.context() as here:
        here.chdir(ROOT)
        return folder / build_wheel(str(folder))


def test_the_package_depends_on_nothing() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["dependencies"] == []
    assert {name.partition(">")[0] for name in project["optional-dependencies"]["track"]} == {"numpy", "numba"}


def test_without_site_packages_there_is_no_numpy() -> None:
    """Otherwise the tests below would prove nothing."""
    for missing in ("numpy", "numba", "rich", "hgldp"):
        with pytest.raises(subprocess.CalledProcessError):
            alone(f"import {missing}", ROOT / "docs")


def test_a_client_reports_with_the_standard_library_alone() -> None:
    loaded = alone(CLIENT, ROOT / "src")
    assert set(ast.literal_eval(loaded)) == {"__main__", "hgldp"}


def test_a_client_reports_from_the_wheel_alone(wheel: Path) -> None:
    loaded = alone(CLIENT, wheel)
    assert set(ast.literal_eval(loaded)) == {"__main__", "hgldp"}


@pytest.mark.parametrize("module", ["hgldp.tracker", "hgldp.simulation.run", "hgldp.stores.heavy_guardian.sketch"])
def test_whatever_counts_names_the_extra_that_it_needs(module: str, wheel: Path) -> None:
    said = alone(SERVER.format(module=module), wheel)
    assert said.startswith("MissingExtra this needs the extra 'track' (num")
    assert said.endswith("is missing): pip install '.[track]' in a checkout of hgldp")

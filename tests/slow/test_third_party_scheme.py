"""A scheme from outside the package: registered by a call or an entry point, then checked, simulated and served."""

import json
import os
import re
import subprocess
import sys
from dataclasses import make_dataclass
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from hgldp import (
    HotListRules,
    HotListScheme,
    InvalidField,
    Randomizer,
    Reading,
    SeededWords,
    Task,
    Tracker,
    register,
    simulate,
)
from hgldp.checks import check_scheme, run
from hgldp.checks.certificate import Uncertified, certificate, has_certificate
from hgldp.cli import main
from hgldp.cli.commands.task.run import request_of
from hgldp.cli.parser import make_parser
from hgldp.collector.dashboard.regions import privacy_region
from hgldp.model import rules
from hgldp.model.bulletins import Bulletin
from hgldp.schemes import registry
from hgldp.wire.task import read_task
from tests.collector.fake_collector import view

FOLDER = Path(__file__).parents[2] / "examples" / "halves_scheme"
STREAM = np.random.default_rng(1).normal(20, 3, 4000).round().astype(int).clip(0, 39)


@pytest.fixture
def halves(monkeypatch: pytest.MonkeyPatch) -> type[HotListScheme]:
    """The scheme of the example; whatever is registered here is forgotten with the test."""
    monkeypatch.setattr(rules, "_RULES", rules._RULES.copy())
    monkeypatch.setattr(registry, "_OTHERS", registry._OTHERS.copy())
    monkeypatch.syspath_prepend(FOLDER)
    monkeypatch.delitem(sys.modules, "halves", raising=False)
    found: type[HotListScheme] = import_module("halves").Halves
    return found


def test_the_contract_holds_for_it(halves: type[HotListScheme]) -> None:
    for result in run([halves.name], [0.5, 2.0]):
        assert result.passed, result.failures
        assert result.exact_epsilon == pytest.approx(result.epsilon, abs=1e-8)
        assert result.memory_constant


def test_a_planted_bias_in_it_would_be_noticed(halves: type[HotListScheme]) -> None:
    """As a beginner would forget the half: the estimates of tracked items come out too low."""

    class Biased(halves):  # type: ignore[misc, valid-type]
        def reading(self, bulletin: Bulletin) -> Reading:
            del bulletin
            return Reading.even(self.reduced.p, self.reduced.q, self.cells)

    found = check_scheme(Biased(6, 2, 1.0))
    assert found.private
    assert not found.unbiased


def test_tasks_trackers_and_clients_know_it_and_its_task_travels(halves: type[HotListScheme]) -> None:
    task = Task("Halves", epsilon=3.0, domain=range(40), k=3, epoch=200)
    assert read_task(task.canonical) == task
    tracker, client = Tracker(task, seed=1), Randomizer(task, max_epsilon=3.0, words=SeededWords(1))
    for event in STREAM.tolist():
        tracker.insert(client.report(event, tracker.bulletin))
    assert Tracker.restore(task, Tracker(task, seed=1).serialize()).bulletin == Tracker(task, seed=1).bulletin
    assert {item for item, _ in tracker.top()} & {19, 20, 21}
    with pytest.raises(InvalidField, match="scheme must be one that this client accepts"):
        Randomizer(task, max_epsilon=3.0, accepted=frozenset({"dsr"}))


def test_it_has_no_certificate_so_the_privacy_card_links_to_none(halves: type[HotListScheme]) -> None:
    for scheme, expected in ((halves.name, False), ("dsr", True)):
        task = Task(scheme, epsilon=1.0, domain=range(40), k=3)
        card = privacy_region(view(task), "/hot")
        assert f'href="/hot/v1/tasks/{task.id.hex()}/privacy">Full statement</a>' in card
        assert (f'href="/hot/v1/tasks/{task.id.hex()}/certificate">Certificate</a>' in card) is expected
        assert ("ertificate" in card) is has_certificate(task) is expected
    with pytest.raises(Uncertified, match=f"no certificate for {halves.name}"):
        certificate(Task(halves.name, epsilon=1.0, domain=range(40), k=3))


def test_simulate_runs_it_without_a_kernel(halves: type[HotListScheme]) -> None:
    result = simulate(STREAM, halves.name, epsilon=3.0, k=3)
    assert result.scores.precision > 0
    assert simulate(STREAM, halves.name, epsilon=3.0, k=3).top == result.top


def test_the_command_line_completes_it_and_creates_a_task_of_it(
    halves: type[HotListScheme], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", "bash"]) == 0
    assert re.search(rf"\b{halves.name}\b", capsys.readouterr().out)
    words = f"task create --name x --scheme {halves.name} --epsilon 1 --k 3 --range 0 9".split()
    assert request_of(make_parser().parse_args(words))["scheme"] == halves.name


def test_names_that_are_taken_or_none_are_refused(halves: type[HotListScheme]) -> None:
    wrong: dict[str, tuple[dict[str, object], str]] = {
        "a name of ours": ({"name": "dsr"}, "name must not be taken by another scheme, got dsr"),
        "a name of somebody else": ({"name": "halves"}, "name must not be taken by another scheme, got halves"),
        "a capital": ({"name": "Half"}, "name must be 1 … 32 lower-case letters"),
        "no name": ({"name": ""}, "name must be 1 … 32 lower-case letters"),
        "no rules": ({"name": "half", "rules": None}, "rules must be a class that extends Rules, got None"),
        "no family": ({"name": "half", "family": "somewhere"}, "family must be like package.module:Class"),
        "a setting that hides ε": (
            {
                "name": "half",
                "rules": make_dataclass("Hiding", [("epsilon", int, 1)], bases=(HotListRules,), frozen=True),
            },
            "rules must not have a setting that every task has, got epsilon",
        ),
    }
    for fields, message in wrong.values():
        with pytest.raises(InvalidField, match=message):
            register(type("Taken", (halves,), fields))
    with pytest.raises(InvalidField, match="scheme must be a class without abstract methods"):
        register(HotListScheme)
    bare = type("Bare", (), {"name": "bare", "rules": HotListRules, "family": "a:B"})
    with pytest.raises(
        InvalidField, match="scheme must have everything that the protocol Scheme has, got no starts_cold, "
    ):
        register(bare)
    assert register(halves) is halves


def test_a_broken_plugin_is_named_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise ZeroDivisionError

    found = [SimpleNamespace(value="broken:plug_in", load=lambda: broken)]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: found)
    rules.load_plugins.cache_clear()
    with pytest.warns(RuntimeWarning, match="broken:plug_in could not register its scheme: ZeroDivisionError"):
        assert "pfr" in registry.names()


@pytest.mark.parametrize("command", [["check"], ["simulate", "normal:n=3000,d=40,sigma=3", "--k", "3"]])
def test_the_command_finds_it_by_its_entry_point(command: list[str], tmp_path: Path) -> None:
    """As an installer would leave it: the module, and a folder of metadata that names the entry point."""
    info = tmp_path / "hgldp_halves-1.0.dist-info"
    info.mkdir()
    (tmp_path / "halves.py").write_bytes((FOLDER / "halves.py").read_bytes())
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: hgldp-halves\nVersion: 1.0\n", encoding="ascii")
    (info / "entry_points.txt").write_text("[hgldp.schemes]\nhalves = halves:plug_in\n", encoding="ascii")
    folders = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "hgldp.cli",
            *command,
            "--scheme",
            "halves",
            "--epsilon",
            "2",
            "--json",
            "--no-progress",
        ],
        env={**os.environ, "PYTHONPATH": folders},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found[0]["name"] if command == ["check"] else found["scheme"]) == "halves"

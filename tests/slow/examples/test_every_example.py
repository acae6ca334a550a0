"""What all examples have in common: two lines start each, and the tests run these lines and no others."""

import re
import shlex
from pathlib import Path

import pytest

from hgldp.cli.commands.task.run import request_of, take_name
from hgldp.cli.parser import make_parser
from tests.slow.examples.running import EXAMPLES, lines_to_start

OTHERS = {"halves_scheme"}  # a scheme, not an application: tests/slow/test_third_party_scheme.py
NAMES = sorted(path.name for path in EXAMPLES.iterdir() if path.is_dir() and path.name not in OTHERS)
_TYPED = re.compile(r"`(python [^`]+)`")


def test_there_is_one_for_each_kind_of_application() -> None:
    assert NAMES == ["notebook", "react_component", "static_page", "usage_of_a_tool", "web_shop"]


@pytest.mark.parametrize("name", NAMES)
def test_one_line_makes_a_task_that_a_collector_would_take_and_one_starts_it(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    create, _start = lines_to_start(name)
    monkeypatch.chdir(EXAMPLES / name)
    words = shlex.split(re.split(r" [|>] ", create)[0])
    assert words[:3] == ["hgldp", "task", "create"]
    chosen = make_parser().parse_args(words[1:])
    take_name(chosen)
    asked = request_of(chosen)
    assert (asked["level"], chosen.json) == ("event", True)
    assert len(asked["domain"]["words"]) > 3


@pytest.mark.parametrize("name", NAMES)
def test_its_tests_run_what_its_readme_shows(name: str) -> None:
    test = (Path(__file__).parent / f"test_{name}.py").read_text(encoding="utf-8")
    assert f'lines_to_start("{name}")' in test
    told = (EXAMPLES / name / "README.md").read_text(encoding="utf-8")
    assert [command for command in _TYPED.findall(told) if command not in test] == []


@pytest.mark.parametrize("name", NAMES)
def test_its_readme_names_files_that_exist(name: str) -> None:
    told = (EXAMPLES / name / "README.md").read_text(encoding="utf-8")
    made = (EXAMPLES / ".gitignore").read_text(encoding="utf-8")
    named = set(re.findall(r"`([\w]+\.(?:py|jsx|mjs|js|html|txt|ipynb|json))`", told))
    there = {path.name for path in (EXAMPLES / name).rglob("*") if "node_modules" not in path.parts}
    assert {each for each in named if each not in there and each not in made} == set()

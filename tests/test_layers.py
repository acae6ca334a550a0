"""The picture of the layers in CONTRIBUTING.md is the import contract, and no imports run in a circle."""

import re
import sys
import tomllib
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest

from tests.documents import blocks, read

_ROW = re.compile(r"[a-z]+(?: · [a-z]+)*")


def drawn(picture: str) -> list[list[str]]:
    """The layers of a picture, from top to bottom: each line starts with the names of one layer."""
    names = (_ROW.match(line) for line in picture.splitlines())
    return [row[0].split(" · ") for row in names if row is not None]


def contracted() -> list[list[str]]:
    """The layers that `lint-imports` enforces."""
    contracts = tomllib.loads(read("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    (layers,) = (each["layers"] for each in contracts if each["name"].startswith("Imports point down"))
    return [layer.split(" | ") for layer in layers]


def picture() -> str:
    (text,) = (block.text for block in blocks("CONTRIBUTING.md") if block.kind == "text" and "cli" in block.text)
    return text


def test_the_picture_of_the_layers_is_the_import_contract() -> None:
    assert drawn(picture()) == contracted()


def test_a_wrong_picture_would_be_noticed() -> None:
    lines = picture().splitlines()
    swapped = [lines[1], lines[0], *lines[2:]]
    for wrong in (swapped, lines[1:], [*lines, "utils"], [lines[0].replace("cli", "cli · utils"), *lines[1:]]):
        assert drawn("\n".join(wrong)) != contracted()


def circle(arrows: dict[str, set[str]]) -> list[str]:
    """Names that import each other in a circle; none if there is no such circle."""
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as found:
        return list(found.args[1])
    return []


def circles(package: str, *, annotations: bool) -> list[list[str]]:
    """Circles among all modules, and then in each folder among what stands in it: a package there is one thing.

    `annotations` counts what is imported for type checkers alone.
    """
    graph = grimp.build_graph(package, exclude_type_checking_imports=not annotations, cache_dir=None)
    arrows = {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    found = [circle(arrows)]
    for folder in sorted(graph.modules):
        inside = {name: _inside(folder, name) for name in graph.modules if name.startswith(f"{folder}.")}
        between: dict[str, set[str]] = {child: set() for child in inside.values()}
        for name, child in inside.items():
            between[child] |= {inside[other] for other in arrows[name] if other in inside} - {child}
        found.append(circle(between))
    return [each for each in found if each]


def _inside(folder: str, name: str) -> str:
    return name.removeprefix(f"{folder}.").partition(".")[0]


@pytest.mark.parametrize("annotations", [False, True])
def test_no_imports_run_in_a_circle(annotations: bool) -> None:
    assert circles("hgldp", annotations=annotations) == []


FOR_CHECKERS = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from planted.a import one\n"
PLANTED = {
    "modules": ({"a": "from planted.b import one\n", "b": "from planted.a import one\n"}, 1, 1),
    "late": ({"a": "from planted.b import one\n", "b": "def f():\n    from planted.a import one\n"}, 1, 1),
    "checkers": ({"a": "from planted.b import one\n", "b": FOR_CHECKERS}, 0, 1),
    "packages": (
        {"x/a": "from planted.y.a import one\n", "y/a": "", "y/b": "from planted.x.b import one\n", "x/b": ""},
        1,
        1,
    ),
    "none": (
        {"x/a": "from planted.y.a import one\n", "y/a": "", "x/b": "from planted.y.b import one\n", "y/b": ""},
        0,
        0,
    ),
}


@pytest.mark.parametrize("case", PLANTED)
def test_a_planted_circle_is_found(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files, at_run_time, with_annotations = PLANTED[case]
    for name, text in {"__init__": "", **files}.items():
        path = tmp_path / "planted" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        (path.parent / "__init__.py").touch()
        path.write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "planted", raising=False)
    assert bool(circles("planted", annotations=False)) == bool(at_run_time)
    assert bool(circles("planted", annotations=True)) == bool(with_annotations)

"""The picture of the layers in CONTRIBUTING.md is the import contract, and cannot drift from it."""

import re
import tomllib

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

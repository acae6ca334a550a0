"""The committed pictures of the search are the ones that the code draws."""

import re
from pathlib import Path

import pytest
from benchmarks.frontier.pictures import PICTURES

from hgldp.experiments.plotting.look import as_svg

FIGURES = Path(__file__).parents[4] / "docs" / "figures"
TEXT, PATH = re.compile(r"<text[^>]*>([^<]*)</text>"), re.compile(r'<path d="([^"]*)"')


@pytest.mark.parametrize("name", PICTURES)
def test_the_committed_picture_is_what_the_code_draws(name: str) -> None:
    """Every text, and every line within a tenth of a point, so that another processor's rounding is no change."""
    drawn = as_svg(PICTURES[name]())
    kept = (FIGURES / f"{name}.svg").read_text(encoding="utf-8")
    assert TEXT.findall(drawn) == TEXT.findall(kept)
    assert numbers(drawn) == pytest.approx(numbers(kept), abs=0.1)
    assert len(numbers(kept)) > 500


def numbers(svg: str) -> list[float]:
    return [float(number) for path in PATH.findall(svg) for number in re.findall(r"-?\d+\.?\d*", path)]

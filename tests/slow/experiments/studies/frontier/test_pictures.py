"""The committed pictures of the search are the ones that the code draws."""

import re
from pathlib import Path
from platform import machine

import pytest

from benchmarks.frontier.pictures import PICTURES
from hgldp.experiments.plotting.look import as_svg

FIGURES = Path(__file__).parents[5] / "docs" / "figures"
DRAWN_ON = "x86_64"
TEXT, PATH = re.compile(r"<text[^>]*>([^<]*)</text>"), re.compile(r'<path d="([^"]*)"')


@pytest.mark.parametrize("name", PICTURES)
def test_the_committed_picture_is_what_the_code_draws(name: str) -> None:
    """Every text, and every line within a tenth of a point, so that another processor's rounding is no change.

    Among items whose sums are exactly equal, the search of a listed domain takes those that NumPy's partition happens
    to put first, which differs between kinds of processors. Elsewhere than on the kind that drew the pictures most
    lines must still be the same.
    """
    drawn = as_svg(PICTURES[name]())
    kept = (FIGURES / f"{name}.svg").read_text(encoding="utf-8")
    assert TEXT.findall(drawn) == TEXT.findall(kept)
    now, before = numbers(drawn), numbers(kept)
    assert len(now) == len(before) > 500
    same = [one == pytest.approx(other, abs=0.1) for one, other in zip(now, before, strict=True)]
    assert sum(same) >= (1.0 if machine() == DRAWN_ON else 0.7) * len(same)


def numbers(svg: str) -> list[float]:
    return [float(number) for path in PATH.findall(svg) for number in re.findall(r"-?\d+\.?\d*", path)]

"""Contrast as WCAG 2 has it, for every pair of colours that the style sheet puts together, in light and dark."""

import re
from importlib.resources import files

import pytest

STYLE = files("hgldp.collector.dashboard").joinpath("static", "dashboard.css").read_text(encoding="utf-8")
TEXT = [
    ("ink", "paper"), ("ink", "card"), ("soft", "paper"), ("soft", "card"), ("accent", "card"), ("accent", "paper"),
    ("down", "card"), ("ink", "accent-soft"), ("on-accent", "accent"), ("ink", "alert"), ("soft", "track"),
]  # fmt: skip
DRAWN = [("accent", "card"), ("accent", "track"), ("accent", "accent-soft"), ("soft", "card")]


def colours(part: str) -> dict[str, str]:
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", part))


LIGHT = colours(STYLE[: STYLE.index("@media (prefers-color-scheme: dark)")])
DARK = LIGHT | colours(STYLE[STYLE.index("@media (prefers-color-scheme: dark)") :])


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_is_computed_as_published() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_text_can_be_read(palette: dict[str, str]) -> None:
    weak = {pair: contrast(palette[pair[0]], palette[pair[1]]) for pair in TEXT}
    assert {pair: found for pair, found in weak.items() if found < 4.5} == {}


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_drawings_can_be_seen(palette: dict[str, str]) -> None:
    weak = {pair: contrast(palette[pair[0]], palette[pair[1]]) for pair in DRAWN}
    assert {pair: found for pair, found in weak.items() if found < 3} == {}

"""What the figures of PFR show is what was measured."""

from pathlib import Path

import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hgldp.experiments.measuring.over_time import at_step
from hgldp.experiments.plotting.look import SCHEMES, as_svg
from hgldp.experiments.results import Results, Row
from hgldp.experiments.studies.frontier.drift import ASKED
from hgldp.experiments.studies.registry import PICTURES, SWEEPS
from tests.slow.experiments.made import TINY, made_values

DOCS = Path(__file__).parents[5] / "docs"


def draw(name: str) -> Figure:
    picture = PICTURES[name]
    rows = []
    for one in (one for sweep in picture.sweeps for one in SWEEPS[sweep].measurements(TINY)):
        cells = one.get("cells")
        memory = 64.0 * float(cells) if cells is not None else 4000.0 if one.scheme in ("olh", "hr") else 900.0
        curve = {at_step(step): step / ASKED for step in range(1, ASKED + 1)} if one.scheme == "pfr" else {}
        rows.append(Row(one, made_values(one) | {"state_bytes": memory} | curve))
    return picture.draw(Results.of(rows))


def points(panel: Axes, label: str) -> tuple[list[float], list[float]]:
    (line,) = (one for one in panel.get_lines() if one.get_label() == label)
    return list(line.get_xdata()), list(line.get_ydata())


def test_memory_is_in_bytes_and_everyone_else_is_marked_at_their_own() -> None:
    panel = draw("frontier-memory-ndcg").axes[0]
    assert panel.get_xscale() == "log"
    assert points(panel, SCHEMES["pfr cold"].label)[0] == [
        64.0 * cells for cells in (32, 64, 128, 256, 512, 1024, 2048, 4096)
    ]
    for name, memory in (("olh", 4000.0), ("cnr", 900.0)):
        (line,) = (one for one in panel.get_lines() if one.get_label() == SCHEMES[name].label)
        places, heights = points(panel, SCHEMES[name].label)
        assert [places[number] for number in line.get_markevery()] == [memory]
        assert len(set(heights)) == 1


def test_lengths_are_those_of_the_streams() -> None:
    panel = draw("frontier-length").axes[0]
    assert points(panel, "PFR, ε = 8")[0] == [50_000.0, 150_000.0]
    assert points(panel, "OLH (memory ~ d), ε = 0.25")[0] == [50_000.0, 150_000.0]


def test_the_way_through_the_stream_is_drawn_from_first_to_last() -> None:
    panel = draw("frontier-drift").axes[0]
    seen, heights = points(panel, "PFR, half-life n/8")
    assert (seen[0], seen[-1]) == (100 / ASKED, 100.0)
    assert heights == [step / ASKED for step in range(1, ASKED + 1)]
    assert len([line for line in panel.get_lines() if not str(line.get_label()).startswith("_")]) == 8


@pytest.mark.parametrize("name", ["frontier-memory-precision", "frontier-length", "frontier-drift"])
def test_figures_stay_small(name: str) -> None:
    assert len(as_svg(draw(name))) < 150_000


@pytest.mark.parametrize("file", sorted((DOCS / "figures").glob("*.svg")), ids=lambda file: file.stem)
def test_committed_pictures_are_small_and_shown(file: Path) -> None:
    assert file.stat().st_size < 250_000
    assert any(f"](figures/{file.name})" in page.read_text(encoding="utf-8") for page in DOCS.glob("*.md"))
    assert "<dc:date>" not in file.read_text(encoding="utf-8")

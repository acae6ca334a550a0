"""Every figure says what its axes show, and has a line for everyone it speaks of."""

import re

import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hgldp.experiments.plotting.axes import NEAR_ONE
from hgldp.experiments.plotting.look import SCHEMES, as_svg
from hgldp.experiments.results import Results
from hgldp.experiments.scale import QUICK
from hgldp.experiments.studies.registry import PICTURES, SWEEPS
from tests.slow.experiments.made import made_results

UNIT = re.compile(r"\(.+\)$")
every_figure = pytest.mark.parametrize("name", PICTURES)


@pytest.fixture(scope="module")
def results() -> Results:
    return made_results()


@pytest.fixture(scope="module")
def drawn(results: Results) -> dict[str, Figure]:
    return {name: draw(name, results) for name in PICTURES}


def draw(name: str, results: Results) -> Figure:
    picture = PICTURES[name]
    return picture.draw(results.among(one for sweep in picture.sweeps for one in SWEEPS[sweep].measurements(QUICK)))


def labels(figure: Figure) -> list[str]:
    return [text.get_text() for legend in figure.legends for text in legend.get_texts()]


@every_figure
def test_every_axis_names_what_it_shows_with_its_unit(name: str, drawn: dict[str, Figure]) -> None:
    for panel in drawn[name].axes:
        assert UNIT.search(panel.get_xlabel()), panel.get_xlabel()
        assert UNIT.search(panel.get_ylabel()), panel.get_ylabel()
        assert panel.get_title()


@every_figure
def test_every_panel_has_lines_and_the_legend_names_each_once(name: str, drawn: dict[str, Figure]) -> None:
    figure = drawn[name]
    shown = labels(figure)
    assert len(shown) == len(set(shown)) > 1
    for panel in figure.axes:
        lines = {str(line.get_label()) for line in panel.get_lines() if not str(line.get_label()).startswith("_")}
        assert lines
        assert lines <= set(shown)


@every_figure
def test_text_does_not_overlap(name: str, drawn: dict[str, Figure]) -> None:
    """Titles, axis labels and the legend, as laid out; and no label lies in another panel."""
    figure = drawn[name]
    figure.draw_without_rendering()
    boxes = [legend.get_window_extent() for legend in figure.legends]
    for panel in figure.axes:
        boxes += [text.get_window_extent() for text in (panel.title, panel.xaxis.label, panel.yaxis.label)]
        inside = [other.get_window_extent() for other in figure.axes if other is not panel]
        assert not any(panel.yaxis.label.get_window_extent().overlaps(other) for other in inside)
    for place, one in enumerate(boxes):
        assert not any(one.overlaps(other) for other in boxes[place + 1 :]), f"{name}: {one}"
        assert one.x0 >= 0
        assert one.y0 >= 0
        assert one.x1 <= figure.bbox.x1
        assert one.y1 <= figure.bbox.y1


@pytest.mark.parametrize("metric", ["ndcg", "precision", "aae"])
def test_the_accuracy_figures_have_one_line_for_each_scheme(metric: str, drawn: dict[str, Figure]) -> None:
    names = ("heavyguardian", "warmup", "grr", "hr", "olh", "bgr", "dsr", "bdr", "cnr", "pfr", "pfr cold")
    expected = sorted(SCHEMES[name].label for name in names)
    for panel in drawn[metric].axes:
        assert sorted(str(line.get_label()) for line in panel.get_lines()) == expected
    assert len(drawn[metric].axes) == 7
    published = [SCHEMES[name].label for name in ("heavyguardian", "warmup", "bgr", "dsr", "bdr", "cnr")]
    assert sorted(labels(drawn[f"{metric}-published"])) == sorted(published)


def line(panel: Axes, label: str) -> tuple[list[float], list[float]]:
    (found,) = (one for one in panel.get_lines() if one.get_label() == label)
    return list(found.get_xdata()), list(found.get_ydata())


def test_a_line_goes_through_the_means(results: Results, drawn: dict[str, Figure]) -> None:
    panel = drawn["ndcg"].axes[0]
    stream = "normal:n=30000,d=500,sigma=5"
    mine = results.where(stream=stream, scheme="dsr", warmup="1%").with_no_settings_but()
    budgets, means = line(panel, SCHEMES["dsr"].label)
    assert budgets == [0.5, 1.0, 2.0, 3.0, 4.0, 5.0]
    assert means == [mine.where(epsilon=epsilon).mean("ndcg") for epsilon in budgets]
    assert panel.get_ylabel() == f"NDCG {NEAR_ONE}"


def test_no_two_schemes_look_the_same_in_black_and_white() -> None:
    looks = [(look.marker, look.dash, look.hollow) for look in SCHEMES.values()]
    assert len(set(looks)) == len(looks)


def test_the_same_results_give_the_same_svg(results: Results) -> None:
    first, second = (as_svg(draw("mechanisms", results)) for _ in range(2))
    assert first == second
    assert "<text" in first

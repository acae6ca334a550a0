"""A figure comes apart into whole panels of one size and a legend that names every line."""

import re

import pytest
from matplotlib.figure import Figure

from hgldp.errors import InvalidField
from hgldp.experiments.plotting.look import SCHEMES, as_svg
from hgldp.experiments.plotting.panels import grid, legend_below, name_axes
from hgldp.experiments.plotting.pieces import Pieces, cut
from hgldp.experiments.studies.registry import PICTURES, SWEEPS
from tests.slow.experiments.made import TINY, made_results

POINT = re.compile(r'<text [^>]*(?:x="(-?[\d.]+)" y="(-?[\d.]+)"|translate\((-?[\d.]+) (-?[\d.]+)\))')


def drawn(panels: int) -> Figure:
    figure, axes = grid(panels, 2)
    for number, panel in enumerate(axes):
        for name in ("bgr", "dsr", "heavyguardian"):
            panel.plot([0, 1], [0.2, 0.4], **SCHEMES[name].style)
        name_axes(panel, f"panel <{number}> & more", "across (unit)", "ndcg")
    legend_below(figure, axes)
    return figure


def pieces_of(figure: Figure) -> Pieces:
    return cut(figure, as_svg(figure))


def test_each_panel_is_one_piece_in_order_and_all_are_as_large() -> None:
    pieces = pieces_of(drawn(3))
    assert pieces.columns == 2
    assert [piece.label for piece in pieces.panels] == [f"panel <{number}> & more" for number in range(3)]
    assert len({piece.window[2:] for piece in pieces.panels}) == 1
    assert len({piece.window[:2] for piece in pieces.panels}) == 3


def test_every_line_of_the_legend_has_its_name_and_a_sample() -> None:
    legend = pieces_of(drawn(2)).legend
    assert [piece.label for piece in legend] == [SCHEMES[name].label for name in ("bgr", "dsr", "heavyguardian")]
    assert all(SCHEMES[name].colour.lower() in piece.body for name, piece in zip(("bgr", "dsr"), legend, strict=False))
    assert not any("<text" in piece.body for piece in legend)


@pytest.mark.parametrize("name", ["aae", "defaults", "epochs", "frontier-drift", "frontier-memory-ndcg", "warm-up"])
def test_no_text_of_a_panel_lies_outside_its_window(name: str) -> None:
    picture = PICTURES[name]
    wanted = [one for sweep in picture.sweeps for one in SWEEPS[sweep].measurements(TINY)]
    figure = picture.draw(made_results(TINY, *picture.sweeps).among(wanted))
    pieces = pieces_of(figure)
    labels = {text.get_text() for legend in figure.legends for text in legend.get_texts()}
    assert {piece.label for piece in pieces.legend} == labels
    for piece in pieces.panels:
        left, top, width, height = piece.window
        found = [(float(a or c), float(b or d)) for a, b, c, d in POINT.findall(piece.body)]
        assert len(found) > 5
        assert all(left <= across <= left + width and top <= down <= top + height for across, down in found)


def test_what_a_panel_refers_to_is_in_one_of_the_pieces() -> None:
    pieces = pieces_of(drawn(3))
    whole = "".join(piece.body for piece in (*pieces.panels, *pieces.legend))
    names = set(re.findall(r'id="([^"]+)"', whole))
    referred = set(re.findall(r'(?:url\(|href=")#([^)"]+)', whole))
    assert referred
    assert referred <= names


def test_an_svg_of_another_figure_is_refused() -> None:
    with pytest.raises(InvalidField, match="must hold every panel"):
        cut(drawn(3), as_svg(drawn(2)))

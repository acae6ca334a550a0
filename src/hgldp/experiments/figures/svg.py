"""A figure as SVG text: small, with selectable letters, the same for the same results."""

from io import StringIO
from typing import Any

import matplotlib
from matplotlib.figure import Figure

SETTINGS: Any = {"svg.fonttype": "none", "svg.hashsalt": "hgldp", "font.family": "sans-serif", "path.simplify": True}


def as_svg(figure: Figure) -> str:
    """The document, without a date."""
    out = StringIO()
    with matplotlib.rc_context(SETTINGS):
        figure.savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue()

"""One look for all figures: lines that the colour-blind can tell apart (Okabe, Ito), names of streams and metrics."""

from dataclasses import dataclass
from io import StringIO
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from hgldp.simulation.generators import is_generator, parse_generator

GREY = "#707070"


@dataclass(frozen=True)
class Look:
    """How a line is drawn, so that it can be told apart in print too."""

    label: str
    colour: str
    marker: str = ""
    dash: str | tuple[float, tuple[float, ...]] = "-"
    hollow: bool = False

    @property
    def style(self) -> dict[str, Any]:
        """As arguments for matplotlib."""
        face = "white" if self.hollow else self.colour
        return {
            "label": self.label,
            "color": self.colour,
            "marker": self.marker or None,
            "linestyle": self.dash,
            "markerfacecolor": face,
            "markersize": 5,
            "linewidth": 1.4,
        }


DASHED, DOTTED = (0.0, (5.0, 2.0)), (0.0, (1.0, 1.5))
DASH_DOT = (0.0, (6.0, 2.0, 1.0, 2.0))
SCHEMES = {
    "heavyguardian": Look("HeavyGuardian (not private)", "#000000", "", DOTTED),
    "warmup": Look("warm-up alone (the raw sample)", GREY, "", DASH_DOT),
    "bgr": Look("BGR, the baseline", "#E69F00", "o"),
    "dsr": Look("DSR, domain shrinkage", "#009E73", "s"),
    "bdr": Look("BDR, budget division", "#D55E00", "D"),
    "cnr": Look("CNR, cold nomination", "#CC79A7", "P"),
    "pfr": Look("PFR, the frontier", "#0072B2", "*"),
    "pfr cold": Look("PFR, no warm-up", "#0072B2", "*", DASHED, hollow=True),
    "grr": Look("GRR, randomised response (memory ~ d)", "#56B4E9", "^", DASHED, hollow=True),
    "hr": Look("HR, Hadamard response (memory ~ d)", "#8A7A00", "v", DASHED, hollow=True),
    "olh": Look("OLH, local hashing (memory ~ d)", "#6A3D9A", "X", DASHED, hollow=True),
    "oue": Look("OUE, optimised unary encoding", "#000000", "h", DASHED, hollow=True),
    "sue": Look("SUE, symmetric unary encoding", "#D55E00", "<", DASHED, hollow=True),
    "rappor": Look("RAPPOR", "#E69F00", ">", DASHED, hollow=True),
    "subset": Look("subset selection", "#009E73", "p", DASHED, hollow=True),
    "cyclic": Look("cyclic response", "#CC79A7", "d", DASHED, hollow=True),
}
SEQUENCE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", GREY)
MARKERS = ("o", "s", "D", "^", "v", "P", "X", "*")
METRICS = {
    "ndcg": "NDCG (0 to 1)",
    "precision": "precision (0 to 1)",
    "aae": "AAE (events)",
    "published_bytes_per_report": "bulletins (bytes per report)",
}
BUDGET = "privacy budget ε per report (nats)"

STREAM_NAMES = {"kosarak-first100k": "kosarak, first 100,000 lines"}
STREAM_ORDER = ("normal", "exponential", "retail", "kosarak", "kosarak-first100k", "zipf", "webdocs")


def stream_title(stream: str) -> str:
    """A generator in words, a data set by its name.

    >>> stream_title("normal:n=100000,d=1000,sigma=5")
    'normal, d = 1,000, n = 100,000'
    >>> stream_title("zipf:n=300000000,d=5260000,s=1.1")
    'Zipf 1.1, d = 5,260,000, n = 300,000,000'
    """
    if not is_generator(stream):
        return STREAM_NAMES.get(stream, stream)
    drawn = parse_generator(stream)
    kind = f"Zipf {drawn.shape:g}" if drawn.kind == "zipf" else drawn.kind
    return f"{kind}, d = {drawn.d:,}, n = {drawn.n:,}"


def stream_place(stream: object) -> tuple[int, int, str]:
    """Synthetic ones by their domain, then data sets, then the largest."""
    text = str(stream)
    kind = text.partition(":")[0]
    size = parse_generator(text).d if is_generator(text) else 0
    return (STREAM_ORDER.index(kind) if kind in STREAM_ORDER else len(STREAM_ORDER)), size, text


SVG_SETTINGS: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "hgldp",
    "font.family": "sans-serif",
    "path.simplify": True,
}


def as_svg(figure: Figure) -> str:
    """The figure as an SVG document without a date: the same results give the same bytes."""
    out = StringIO()
    with matplotlib.rc_context(SVG_SETTINGS):
        figure.savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue()

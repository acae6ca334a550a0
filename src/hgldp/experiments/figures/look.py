"""One look for all figures: colours that the colour-blind can tell apart (Okabe, Ito), with a marker and dash each."""

from dataclasses import dataclass
from typing import Any

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
        """For matplotlib."""
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
    "warmup": Look("warm-up alone (raw sample)", GREY, "", DASH_DOT),
    "bgr": Look("BGR", "#E69F00", "o"),
    "dsr": Look("DSR", "#009E73", "s"),
    "bdr": Look("BDR", "#D55E00", "D"),
    "cnr": Look("CNR", "#CC79A7", "P"),
    "pfr": Look("PFR", "#0072B2", "*"),
    "pfr cold": Look("PFR, no warm-up", "#0072B2", "*", DASHED, hollow=True),
    "grr": Look("GRR (memory ~ d)", "#56B4E9", "^", DASHED, hollow=True),
    "hr": Look("HR (memory ~ d)", "#8A7A00", "v", DASHED, hollow=True),
    "olh": Look("OLH (memory ~ d)", "#6A3D9A", "X", DASHED, hollow=True),
    "oue": Look("OUE", "#000000", "h", DASHED, hollow=True),
    "sue": Look("SUE", "#D55E00", "<", DASHED, hollow=True),
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

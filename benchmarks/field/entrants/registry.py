"""Everybody who takes part, by name. Only names: a library is imported in the process that measures it."""

from dataclasses import dataclass
from typing import Literal

ROOM = "benchmarks.field.entrants"
OURS = "hgldp"
Home = Literal["ours", "peers"]


@dataclass(frozen=True)
class Entrant:
    """Where to find an entrant, whose it is, and what to know about it."""

    title: str
    library: str
    place: str
    contests: tuple[str, ...]
    remark: str = ""

    @property
    def home(self) -> Home:
        """Which environment it runs in."""
        return "ours" if self.library == OURS else "peers"


def _sketch(title: str, library: str, place: str, remark: str = "") -> Entrant:
    return Entrant(title, library, f"{ROOM}.{place}", ("sketches",), remark)


def _private(title: str, library: str, place: str, remark: str = "", *, large: bool = False) -> Entrant:
    return Entrant(title, library, f"{ROOM}.{place}", ("private", "large") if large else ("private",), remark)


RAW, ASKED, NO_SERVER = "first 1 % raw", "asked for every item", "no server of its own"
EXACT, WHOLE = "exact, unbounded", "one counter an item"

SKETCHES = (
    _sketch("numpy.bincount", "numpy", "yardsticks:NumpyBincount", EXACT),
    _sketch("numpy.unique", "numpy", "yardsticks:NumpyUnique", EXACT),
    _sketch("collections.Counter", "", "yardsticks:PythonCounter", EXACT),
    _sketch("HeavyGuardian", OURS, "ours:Guardian"),
    _sketch("frequent items", "datasketches", "heavy_hitter_lists:DataSketches"),
    _sketch("count-min", "datasketches", "count_tables:DataSketchesCountMin", ASKED),
    _sketch("HeavyHitters", "river", "heavy_hitter_lists:River"),
    _sketch("HeavyKeeper", "heavykeeper", "heavy_hitter_lists:HeavyKeeper"),
    _sketch("approx_top_k", "duckdb", "duckdb_entrant:DuckDB", "no counts"),
    _sketch("HeavyHitters", "sketchnu", "heavy_hitter_lists:SketchNu"),
    _sketch("HeavyHitters", "pyprobables", "heavy_hitter_lists:PyProbables"),
    _sketch("hash table", "bounter", "count_tables:Bounter"),
    _sketch("count-min", "madoka", "count_tables:Madoka", ASKED),
    _sketch("count-min", "probstructs", "count_tables:ProbStructs", ASKED),
    _sketch("count-min", "cmsketch", "count_tables:CMSketch", ASKED),
    _sketch("count-min", "countminsketch", "count_tables:CountMinSketch", ASKED),
    _sketch("count-min", "count-min-sketch", "count_tables:CythonCountMin", ASKED),
    _sketch("count-min", "pdsa", "count_tables:PDSA", ASKED),
)

PRIVATE = (
    _private("bgr", OURS, "ours:bgr", RAW, large=True),
    _private("dsr", OURS, "ours:dsr", RAW, large=True),
    _private("bdr", OURS, "ours:bdr", RAW, large=True),
    _private("cnr", OURS, "ours:cnr", RAW, large=True),
    _private("pfr", OURS, "ours:pfr", large=True),
    _private("pfr, 48 kB", OURS, "ours:pfr_wide", large=True),
    _private("grr", OURS, "ours:grr", WHOLE, large=True),
    _private("olh", OURS, "ours:olh", WHOLE, large=True),
    _private("hr", OURS, "ours:hr", WHOLE, large=True),
    _private("oue", OURS, "ours:oue", WHOLE),
    _private("sue", OURS, "ours:sue", WHOLE),
    _private("rappor", OURS, "ours:rappor", WHOLE),
    _private("subset", OURS, "ours:subset", WHOLE),
    _private("cyclic", OURS, "ours:cyclic", WHOLE),
    _private("grr by hand", "numpy", "yardsticks:numpy_grr", "insecure generator", large=True),
    _private("GRR", "pure-ldp", "pure_ldp:GRR", large=True),
    _private("OLH", "pure-ldp", "pure_ldp:OLH", large=True),
    _private("fast OLH", "pure-ldp", "pure_ldp:FastOLH"),
    _private("HR", "pure-ldp", "pure_ldp:HR", large=True),
    _private("OUE", "pure-ldp", "pure_ldp:OUE"),
    _private("SUE", "pure-ldp", "pure_ldp:SUE"),
    _private("SHE", "pure-ldp", "pure_ldp:SHE"),
    _private("PEM", "pure-ldp", "pure_ldp:PEM", "no domain list"),
    _private("Hadamard mechanism", "pure-ldp", "pure_ldp:HadamardMechanism"),
    _private("Apple's CMS", "pure-ldp", "pure_ldp:CMS"),
    _private("GRR", "multi-freq-ldpy", "multi_freq_ldpy:GRR", large=True),
    _private("OLH", "multi-freq-ldpy", "multi_freq_ldpy:OLH"),
    _private("OUE", "multi-freq-ldpy", "multi_freq_ldpy:OUE"),
    _private("subset selection", "multi-freq-ldpy", "multi_freq_ldpy:Subset"),
    _private("randomised response", "opendp", "opendp_entrant:RandomizedResponse", NO_SERVER, large=True),
)
ENTRANTS = (*SKETCHES, *PRIVATE)

"""Bytes of a report, and of the bulletin that it answers."""

from hgldp.experiments.judging.claim import Claim, Section, Verdict
from hgldp.experiments.judging.view import LARGE, View
from hgldp.experiments.measurement import HOT_LISTS
from hgldp.experiments.results import Results
from hgldp.experiments.studies.costs.lines import by_stream
from hgldp.experiments.studies.study import Grid, Study, Table, Topic

SAME, LESS = 0.05, 0.9
LOW = 1.2


def per_report(view: View, scheme: str, direction: str) -> float:
    """Bytes of one report, or of one bulletin fetched for each report, where the domain is large."""
    rows = view.accuracy(scheme, LARGE)
    return float((rows.values(direction) / rows.values("reports")).mean())


def table(view: View, direction: str) -> dict[str, float]:
    """Bytes of one report for each of the four schemes."""
    return {scheme: per_report(view, scheme, direction) for scheme in HOT_LISTS}


def shown(sizes: dict[str, float]) -> str:
    """The sizes as text."""
    return ", ".join(f"{scheme} {size:,.2f} B" for scheme, size in sizes.items())


def nothing_to_download(view: View) -> Verdict:
    """BGR's clients need the task alone."""
    sizes = table(view, "download_bytes")
    holds = sizes["bgr"] == 0 and min(sizes[scheme] for scheme in ("dsr", "bdr", "cnr")) > 0
    return Verdict(holds, shown(sizes), "bytes down for each report if the list is fetched for each")


def same_upload(view: View) -> Verdict:
    """DSR against BGR."""
    sizes = table(view, "upload_bytes")
    return Verdict(
        abs(sizes["dsr"] / sizes["bgr"] - 1) <= SAME, shown(sizes), "bytes up a report; equal to a twentieth"
    )


def smaller_upload(view: View) -> Verdict:
    """BDR and CNR against BGR."""
    sizes = table(view, "upload_bytes")
    holds = max(sizes["bdr"], sizes["cnr"]) <= LESS * sizes["bgr"]
    return Verdict(holds, shown(sizes), "bytes up a report; at least a tenth less (printed: a quarter less on Kosarak)")


def larger_download(view: View) -> Verdict:
    """DSR against BDR and CNR."""
    sizes = table(view, "download_bytes")
    ratios = [sizes["dsr"] / sizes[scheme] for scheme in ("bdr", "cnr")]
    number = f"dsr downloads {ratios[0]:.2f} times as much as bdr, {ratios[1]:.2f} times as much as cnr"
    return Verdict(min(ratios) >= LOW, number, f"printed: 1.5 times on Kosarak; at least {LOW} times")


def _per_report(rows: Results, direction: str) -> str:
    return f"{(rows.values(direction) / rows.values('reports')).mean():,.2f}"


def _upload(results: Results) -> Grid:
    return by_stream(results, lambda rows: _per_report(rows, "upload_bytes"))


def _download(results: Results) -> Grid:
    return by_stream(results, lambda rows: _per_report(rows, "download_bytes"))


UPLOAD = Table(
    "upload",
    "Upload (bytes a report)",
    "Whole bytes of the symbol alone, without the bulletin's version or any envelope; mean over all ε and repeats.",
    _upload,
)
DOWNLOAD = Table(
    "download",
    "Download (bytes a report, if the bulletin is fetched for each)",
    "As the paper counts it. A client that keeps the bulletin of the epoch downloads it once an epoch.",
    _download,
)

CLAIMS = (
    Claim(
        "bgr-downloads-nothing",
        Section.SUPPLEMENT,
        "BGR's clients download nothing, those of the others do.",
        nothing_to_download,
    ),
    Claim("dsr-uploads-like-bgr", Section.SUPPLEMENT, "DSR's clients upload as much as BGR's.", same_upload),
    Claim(
        "bdr-and-cnr-upload-less",
        Section.SUPPLEMENT,
        "BDR's and CNR's clients upload about a quarter less.",
        smaller_upload,
    ),
    Claim(
        "dsr-downloads-most",
        Section.SUPPLEMENT,
        "DSR's clients download half as much again as those of BDR and CNR.",
        larger_download,
    ),
)

STUDY = Study("traffic", Topic.COSTS, tables=(UPLOAD, DOWNLOAD), claims=CLAIMS)

"""Appendix, Supplementary Experiments: bytes up and down."""

from hgldp.experiments.claims.claim import Claim, Verdict
from hgldp.experiments.claims.view import IN_TURN, LARGE, View

SECTION = "Appendix, Supplementary Experiments"
SAME, LESS = 0.05, 0.9
LOW = 1.2


def per_report(view: View, scheme: str, direction: str) -> float:
    """Bytes of one report, or of one bulletin fetched for each report, where the domain is large."""
    rows = view.accuracy(scheme, LARGE)
    return float((rows.values(direction) / rows.values("reports")).mean())


def table(view: View, direction: str) -> dict[str, float]:
    """All four schemes."""
    return {scheme: per_report(view, scheme, direction) for scheme in IN_TURN}


def shown(sizes: dict[str, float]) -> str:
    """As text."""
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


CLAIMS = (
    Claim(
        "bgr-downloads-nothing", SECTION, "BGR's clients download nothing, those of the others do.", nothing_to_download
    ),
    Claim("dsr-uploads-like-bgr", SECTION, "DSR's clients upload as much as BGR's.", same_upload),
    Claim("bdr-and-cnr-upload-less", SECTION, "BDR's and CNR's clients upload about a quarter less.", smaller_upload),
    Claim(
        "dsr-downloads-most",
        SECTION,
        "DSR's clients download half as much again as those of BDR and CNR.",
        larger_download,
    ),
)

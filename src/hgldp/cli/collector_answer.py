"""What the answers of a collector have in common on the terminal, be it the top or the items that were asked for."""

from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Group
from rich.text import Text

from hgldp.cli.terminal import page
from hgldp.cli.units import counted, in_count
from hgldp.collector.cold_start import starts_cold
from hgldp.model.estimate import STARTED_COLD

RAW = "raw"
RAW_TERM = (RAW, "of the estimate, from the warm-up: items that nobody randomised")
ONE_ERROR = ("±", "one standard error")


def title_of(answer: dict[str, Any]) -> str:
    """How far the task is, and how much of it the answer counts."""
    window = "" if answer["window"] is None else f"; this counts only the last {in_count(answer['covered'])}"
    whole = f"{window}, in whole epochs" if window else ""
    return f"Epoch {in_count(answer['epoch'])}, {counted(answer['reports'], 'report')}{whole}"


def nothing_counted(answer: dict[str, Any]) -> Group | None:
    """A page that says why there is no answer yet; None if there is one."""
    if not answer["reports"]:
        return nothing(answer, "No reports yet.")
    if not answer["covered"]:
        larger = f"ask for a larger one, of at most {counted(answer['reports'], 'report')}"
        return nothing(answer, f"No whole epoch fits into this window: {larger}.")
    return None


def nothing(answer: dict[str, Any], why: str) -> Group:
    """A page without a table."""
    return page(title_of(answer), Text(why, style="dim"))


def start_in_words(answer: dict[str, Any]) -> list[Text]:
    """What the counts started from, where that matters."""
    raw = answer.get("warmup_raw_items", 0)
    told = [f"Started from a warm-up of {counted(raw, 'raw item')}, which nobody randomised."] if raw else []
    return [Text(each) for each in (*told, *([f"{STARTED_COLD}."] if starts_cold(answer["scheme"], raw) else []))]


def has_raw(lines: Iterable[dict[str, Any]]) -> bool:
    """Whether any estimate includes items of a warm-up; an older collector does not say so."""
    return any(line.get("warmup", 0) for line in lines)


def shown_headings(headings: Sequence[str], *, raw: bool) -> list[str]:
    """Those of a table, with the column of raw items only where there are any."""
    return [heading for heading in headings if raw or heading != RAW]


def number(value: float | None) -> str:
    """A count; JSON has null for one that is not finite."""
    return "unknown" if value is None else in_count(value)


def interval(low: float | None, high: float | None) -> str:
    """From one end to the other."""
    return f"{number(low)} … {number(high)}"

"""What all answers of a collector say on the terminal: what they count, or why they count nothing."""

from collections.abc import Iterable, Sequence
from typing import Any

from rich.text import Text

from hgldp.cli.units import counted, in_count
from hgldp.collector.cold_start import starts_cold
from hgldp.model.estimate import RAW, STARTED_COLD

RAW_TERM = (RAW, "of the estimate, from the warm-up: items that nobody randomised")
ONE_ERROR = ("±", "one standard error")


def title_of(answer: dict[str, Any]) -> str:
    """The epoch and the reports; with a window, how many of them are counted."""
    last = "" if answer["window"] is None else f"; this counts only the last {in_count(answer['covered'])}"
    whole = ", in whole epochs" if last and answer["covered"] else ""
    return f"Epoch {in_count(answer['epoch'])}, {counted(answer['reports'], 'report')}{last}{whole}"


def why_nothing(answer: dict[str, Any]) -> str:
    """Why there is nothing to show; empty if anything is counted, even if that is only the warm-up."""
    if answer["covered"] or is_warm_up_alone(answer):
        return ""
    if not answer["reports"]:
        return "No reports yet."
    least, most = answer.get("least_window"), answer["reports"]
    if least is None:
        return f"No whole epoch fits into this window: ask for a larger one, of at most {counted(most, 'report')}."
    return f"No whole epoch fits into this window: ask for {in_count(least)} to {counted(most, 'report')}."


def is_warm_up_alone(answer: dict[str, Any]) -> bool:
    """Whether no report has come yet, and everything shown is raw."""
    return bool(not answer["reports"] and answer["window"] is None and answer.get("warmup_raw_items"))


def start_of(answer: dict[str, Any]) -> list[Text]:
    """What the counts started from, where that matters."""
    raw = answer.get("warmup_raw_items", 0)
    told = []
    if is_warm_up_alone(answer):
        told.append(f"No reports yet: this is the warm-up alone, {counted(raw, 'raw item')} that nobody randomised.")
    elif raw:
        told.append(f"Started from a warm-up of {counted(raw, 'raw item')}, which nobody randomised.")
    if starts_cold(answer["scheme"], raw):
        told.append(f"{STARTED_COLD}.")
    return [Text(each) for each in told]


def has_raw(lines: Iterable[dict[str, Any]]) -> bool:
    """Whether any estimate includes items of a warm-up; an older collector does not say so."""
    return any(line.get("warmup", 0) for line in lines)


def shown_headings(headings: Sequence[str], *, raw: bool, since: bool = True) -> list[str]:
    """The headings of a table, without the columns of raw items and of tracked counts if those are empty."""
    return [name for name in headings if (raw or name != RAW) and (since or "since" not in name)]


def number(value: float | None) -> str:
    """A count; JSON has null for one that is not finite."""
    return "unknown" if value is None else in_count(value)


def interval(low: float | None, high: float | None) -> str:
    """From one end to the other."""
    return f"{number(low)} … {number(high)}"

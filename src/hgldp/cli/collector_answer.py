"""What all answers of a collector say on the terminal: what they count, or why they count nothing."""

from collections.abc import Iterable, Sequence
from math import inf
from typing import Any

from rich.text import Text

from hgldp.cli.units import counted, in_count
from hgldp.collector.donation import starts_cold
from hgldp.model.estimate import RAW, STARTED_COLD, WARM_UP_ALONE, half_life_in_words, in_numbers, raw_items

RAW_TERM = (RAW, "of the estimate, from the warm-up: items that nobody randomised")
ONE_ERROR = ("±", "one standard error")
_WEIGHED = {
    "people": ("estimate", "people: each counts once a period or a bulletin, with one of their events"),
    "events": ("estimate", "reported events: whoever has more of them counts more"),
}


def weight_of(answer: dict[str, Any]) -> list[tuple[str, str]]:
    """What an estimate counts; an older collector does not say so."""
    return [_WEIGHED[answer["weighs"]]] if answer.get("weighs") in _WEIGHED else []


def title_of(answer: dict[str, Any], new: int | None = None) -> str:
    """The epoch and the reports; with a window, how many of them are counted; with a half-life, that they fade.

    If it is known how many are `new`, from this epoch, they come first.
    """
    epoch, reports = in_count(answer["epoch"]), answer["reports"]
    head = f"Epoch {epoch}, {counted(reports, 'report')}"
    if new is not None:
        head = f"Epoch {epoch}: {counted(new, 'report')}, {in_count(reports)} in all"
    if answer["window"] is not None:
        counts = f"; this counts only the last {in_count(answer['covered'])}, in whole epochs"
        return head + counts if answer["covered"] else head
    return f"{head}, the recent ones counting most" if _fades(answer) else head


def _fades(answer: dict[str, Any]) -> bool:
    """Whether recent reports count more than others; an older collector does not say so."""
    return bool(answer["reports"] and answer.get("half_life"))


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


def basis_of(answer: dict[str, Any]) -> list[Text]:
    """How reports were weighed and what the counts started from, where that matters."""
    raw = answer.get("warmup_raw_items", 0)
    told = [half_life_in_words(answer["half_life"])] if _fades(answer) else []
    if is_warm_up_alone(answer):
        told.append(f"{WARM_UP_ALONE}, {raw_items(raw)} that nobody randomised.")
    elif raw:
        told.append(f"Started from a warm-up of {raw_items(raw)}, which nobody randomised.")
    if starts_cold(answer["scheme"], raw):
        told.append(f"{STARTED_COLD}.")
    return [Text(each) for each in told]


def has_raw(lines: Iterable[dict[str, Any]]) -> bool:
    """Whether any estimate includes items of a warm-up; an older collector does not say so."""
    return any(line.get("warmup", 0) for line in lines)


def shown_headings(headings: Sequence[str], *, raw: bool, since: bool = True) -> list[str]:
    """The headings of a table, without the columns of raw items and of tracked counts if those are empty."""
    return [name for name in headings if (raw or name != RAW) and (since or "since" not in name)]


def number_cells(line: dict[str, Any]) -> dict[str, str]:
    """The count, how much of it is raw, its error and its interval; JSON has null for what is not finite.

    >>> number_cells({"estimate": 0.3, "standard_error": 0.5, "low": -0.6, "high": 1.2})
    {'estimate': '0.3', 'raw': '0', '±': '0.5', '95 % interval': '-0.6 … 1.2'}
    """
    names = ("estimate", "standard_error", "low", "high")
    count, error, low, high = (inf if line[name] is None else line[name] for name in names)
    told, off, *ends = in_numbers(count, error, low, high, error=error)
    return {"estimate": told, RAW: in_count(line.get("warmup", 0)), "±": off, "95 % interval": " … ".join(ends)}

"""What an answer says about itself: how its reports were weighed, or why it knows nothing."""

from typing import Any

from hgldp.model.estimate import WARM_UP_ALONE, Answer, half_life_in_words
from hgldp.tracker.family import Family


def note_on(family: Family[Any], found: Answer, window: int | None) -> str:
    """For an answer of this family; empty if its counts are plain counts."""
    if not family.reports:
        raw = window is None and any(line.warmup for _, line in found)
        return f"{WARM_UP_ALONE}." if raw else "No reports yet."
    if window is None:
        return half_life_in_words(family.task.rules.fading)
    return "" if family.covered(window) else _no_epoch_fits(window, family.least_window)


def _no_epoch_fits(window: int, least: int) -> str:
    reports = f"{window:,} report{'s' if window != 1 else ''}"
    smallest = f"; the smallest that holds one has {least:,}" if least else ""
    return f"No whole epoch fits into a window of {reports}{smallest}."

"""What `hgldp seal` shows: a state, what was counted, and which files it wrote."""

from argparse import Namespace
from typing import Any

from rich.console import Group
from rich.text import Text

from hgldp.cli.commands.seal.given import late_in
from hgldp.cli.output import visible
from hgldp.cli.terminal import facts, page
from hgldp.cli.units import counted, in_count
from hgldp.collector.http.documents.results import top_rows
from hgldp.collector.views import clear_top
from hgldp.tallies import Sealed, SealState, Tally

LATER = "the bulletin; hgldp seal --state {state} --bulletin FILE writes it"
LOST = "the result, which no state holds; to have it, seal again with --result FILE"


def fields_of(state: SealState) -> dict[str, Any]:
    """A state for programs."""
    return {
        "task": state.task.id,
        "epoch": state.bulletin.epoch,
        "epoch_length": state.epoch_length,
        "bulletin": state.bulletin.version,
        "bulletins": [each.version for each in state.bulletins],
    }


def rows_of(state: SealState) -> list[tuple[str, str]]:
    """A state for people."""
    earlier = [each.version for each in reversed(state.bulletins[:-1])]
    return [
        ("task", state.task.id.hex()),
        ("epoch", in_count(state.bulletin.epoch)),
        ("full with", counted(state.epoch_length, "report")),
        ("bulletin", state.bulletin.version),
        *((("and still read" if not place else ""), version) for place, version in enumerate(earlier)),
    ]


def answer_of(sealed: Sealed) -> dict[str, Any]:
    """As a collector answers, for the table that its answers have."""
    result, task = sealed.result, sealed.state.task
    return {
        "epoch": result.epoch,
        "reports": result.reports,
        "window": None,
        "covered": result.reports,
        "scheme": task.scheme,
        "half_life": task.rules.fading,
        "weighs": task.weighs,
        "clear_top": clear_top(result.top),
        "top": top_rows(result.top),
    }


def counted_page(state: SealState, tally: Tally) -> Group:
    """How many reports answer the bulletin in force, and how many earlier ones, beside what was counted before."""
    late = [
        f"{in_count(each.reports)} for epoch {in_count(each.epoch)}, where "
        + ("others were counted elsewhere" if each.counted is None else f"{in_count(each.counted)} were counted before")
        for each in late_in(state, tally)
    ]
    here = f"{in_count(tally.answering(state.bulletin.version))} for epoch {in_count(state.bulletin.epoch)}"
    rows = [("late" if not place else "", line) for place, line in enumerate(late or ["none"])]
    return page("What was counted", facts([("in time", here), *rows]))


def written(chosen: Namespace) -> list[Text]:
    """Which files, and which others could have been written."""
    files = [each for each in (chosen.output_state, chosen.bulletin, chosen.result) if each]
    lines = [f"Written: {', '.join(files)}"] if files else []
    if chosen.output_state and not chosen.bulletin:
        lines.append(f"Not written: {LATER.format(state=chosen.output_state)}")
    if chosen.tally and not chosen.result:
        lines.append(f"Not written: {LOST}")
    return [Text(visible("\n".join(lines)))] if lines else []

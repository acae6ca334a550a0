"""What the collector found beside the truth that only the demo knows."""

from collections import Counter
from typing import Any

from rich.console import Group
from rich.text import Text

from hgldp.cli.answer_table import answer_table, certainty, no_clear_top, terms_of
from hgldp.cli.collector_answer import ONE_ERROR
from hgldp.cli.terminal import Legend, page
from hgldp.cli.units import counted, in_bytes, in_count
from hgldp.model.estimate import LIKELY

HEADINGS = ("rank", LIKELY, "product", "estimate", "±", "95 % interval", "truth", "its rank", "✓")


def precision_at(k: int, found: list[str], truth: Counter[str]) -> float:
    """The share of the true top k that was found; an item that ties with the last place counts too.

    >>> precision_at(2, ["tea", "mate"], Counter({"tea": 9, "coffee": 5, "mate": 4}))
    0.5
    """
    ranked = truth.most_common()
    last = ranked[min(k, len(ranked)) - 1][1]
    return sum(truth[item] >= last for item in found[:k]) / k


def comparison(answer: dict[str, Any], truth: Counter[str], k: int, facts: list[tuple[str, str]]) -> Group:
    """A row for each item of the answer, and the figures of the run."""
    ranks = {item: rank for rank, (item, _) in enumerate(truth.most_common(), start=1)}
    rows: list[dict[str, str | Text]] = [
        {
            "rank": str(line["rank"]),
            "product": Text(line["item"]),
            "estimate": in_count(line["estimate"]),
            "±": in_count(line["standard_error"]),
            "95 % interval": f"{in_count(line['low'])} … {in_count(line['high'])}",
            "truth": in_count(truth[line["item"]]),
            "its rank": str(ranks.get(line["item"], "–")),
            "✓": "✓" if precision_at(k, [line["item"]], truth) else "✗",
            **certainty(line["rank_low"], line["rank_high"], line["may_be_noise"]),
        }
        for line in answer["top"][:k]
    ]
    warning = [no_clear_top()] if rows and not answer["clear_top"] else []
    title = f"Top {k} as the collector found it, beside the truth"
    table = answer_table(rows, HEADINGS, ("±", "✓", "its rank"))
    return page(title, *warning, table, Legend(table, [*facts, *terms_of(rows)]))


def figures(
    sent_bytes: int, uploads: int, reports: int, too_late: int, epsilon: float, each: int
) -> list[tuple[str, str]]:
    """The numbers below the table."""
    return [
        ("reports", f"{in_count(reports)} in {in_count(uploads)} uploads, each acknowledged once it was on disk"),
        ("sent", f"{in_bytes(sent_bytes)}, {sent_bytes / max(1, uploads):.0f} bytes per upload"),
        (
            "too late",
            f"{counted(too_late, 'report')}, not counted: the bulletin that was answered was no longer current",
        ),
        ("privacy", f"ε = {epsilon:g} for each report; the collector never saw which product anyone looked at"),
        (
            "a person",
            f"{each} reports, which cost ε = {epsilon * each:g} together (one a day, at the level period: {epsilon:g})",
        ),
        ("95 % interval", "about one line in twenty misses the truth"),
        ONE_ERROR,
        ("its rank", "by the truth"),
        ("✓", "one of the true top, which only the demo knows"),
    ]

"""What the collector found beside the truth that only the demo knows."""

from collections import Counter
from typing import Any

from rich.console import Group, JustifyMethod
from rich.text import Text

from hgldp.cli.terminal import legend, open_table, page
from hgldp.cli.units import in_bytes, in_count

JUSTIFIED: dict[str, JustifyMethod] = {"product": "left", "✓": "center"}


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
    table = open_table()
    for heading in ("rank", "product", "estimate", "95 % interval", "true count", "true rank", "✓"):
        table.add_column(heading, justify=JUSTIFIED.get(heading, "right"))
    ranks = {item: rank for rank, (item, _) in enumerate(truth.most_common(), start=1)}
    for line in answer["top"][:k]:
        item, real = line["item"], truth[line["item"]]
        interval = f"{in_count(line['low'])} … {in_count(line['high'])}"
        mark = "✓" if precision_at(k, [item], truth) else "✗"
        rank = str(ranks.get(item, "–"))
        table.add_row(str(line["rank"]), Text(item), in_count(line["estimate"]), interval, in_count(real), rank, mark)
    title = f"Top {k} as the collector found it, beside the truth"
    return page(title, table, legend(facts))


def figures(sent_bytes: int, uploads: int, reports: int, too_late: int, epsilon: float) -> list[tuple[str, str]]:
    """The numbers below the table."""
    return [
        ("reports", f"{in_count(reports)} in {in_count(uploads)} uploads, each acknowledged once it was on disk"),
        ("sent", f"{in_bytes(sent_bytes)}, {sent_bytes / max(1, uploads):.0f} bytes per upload"),
        ("too late", f"{in_count(too_late)} reports, not counted: they answered a bulletin that was no longer current"),
        ("privacy", f"ε = {epsilon:g} for each report; the collector never saw which product anyone looked at"),
        ("✓", "one of the true top, which only the demo knows"),
    ]

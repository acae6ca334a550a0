"""The result of a steered audit for people and for programs."""

from collections.abc import Sequence
from math import inf
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from hgldp.audit import ExactComparison, SteeredResult
from hgldp.audit.views import UPLOADS
from hgldp.cli.commands.audit.table import around_table, kind_of, mark
from hgldp.cli.terminal import facts, legend, open_table, page
from hgldp.cli.units import counted, in_count
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.task import Task

LEGEND = (
    ("of one", "the exact chance of the report that tells most, with either input"),
    ("spends", "ε of this pair: the logarithm of the largest ratio over all reports; only what is shown is rounded"),
)


def steered_report(bulletins: Sequence[AnyBulletin], results: Sequence[SteeredResult]) -> Group:
    """A table for each bulletin, then what is wrong, then the verdict."""
    parts: list[RenderableType] = []
    for bulletin, result in zip(bulletins, results, strict=True):
        if len(bulletins) > 1:
            parts.append(Text(kind_of(bulletin), style="bold"))
        parts += [_spending(result), _around(result)]
    parts.append(legend(LEGEND))
    said = list(dict.fromkeys(sentence for result in results for sentence in result.sentences))
    if said:
        parts.append(Text("\n".join(said), style="red"))
    return page("What the client spends, with every draw chosen by the audit", *parts, facts(_verdict(results)))


def _verdict(results: Sequence[SteeredResult]) -> list[tuple[str, str]]:
    wrong, most = sum(len(each.broken) for each in results), max(each.spends for each in results)
    runs, checked = sum(each.runs for each in results), sum(each.checked for each in results)
    fine = "spends no more than it claims on these pairs"
    return [
        ("verdict", f"LEAKS: {counted(wrong, 'comparison')} broken" if wrong else fine),
        ("ε", f"{shown(most)} for the worst pair; {float(results[0].claim):.12g} is claimed"),
        ("error rate", "none: chances are counted, not estimated, and compared without rounding"),
        ("runs", f"{in_count(runs)}; in {in_count(checked)} of them the draws were random and all went as predicted"),
    ]


def shown(epsilon: float) -> str:
    """Enough digits to tell a part in 2^32."""
    return "∞" if epsilon == inf else f"{epsilon:.12f}"


def _spending(result: SteeredResult) -> RenderableType:
    table = open_table()
    table.add_column("pair", no_wrap=True)
    for heading in ("of one", "of the other", "spends", "claimed"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for each in result.spending:
        one, other = (f"{float(chance):.2%}" for chance in each.chances)
        claim = f"{float(each.claim):.12g}"
        table.add_row(each.pair.kind, one, other, shown(each.spends), claim, mark(broken=each.broken))
    return table


def _around(result: SteeredResult) -> RenderableType:
    seen = [each for each in result.comparisons if each.view == UPLOADS]
    return around_table([(UPLOADS, seen)], same="exactly the same")


def steered_document(task: Task, bulletins: Sequence[AnyBulletin], results: Sequence[SteeredResult]) -> dict[str, Any]:
    """Everything, for programs; a ratio without bound, where one input never has the report, is written as null."""
    return {
        "task": task.id.hex(),
        "passed": all(result.passed for result in results),
        "claim": float(results[0].claim),
        "spends": max(result.spends for result in results),
        "runs": sum(result.runs for result in results),
        "checked": sum(result.checked for result in results),
        "audits": [
            {"bulletin": bulletin.version, "comparisons": [_fields(each) for each in result.comparisons]}
            for bulletin, result in zip(bulletins, results, strict=True)
        ],
    }


def _fields(each: ExactComparison) -> dict[str, Any]:
    ratio = None if each.ratio is None else str(each.ratio)
    known = {"pair": each.pair.kind, "view": each.view, "claim": float(each.claim), "ratio": ratio}
    return known | {"spends": each.spends, "chances": [str(chance) for chance in each.chances], "broken": each.broken}

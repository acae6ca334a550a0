"""The result of an audit for people and for programs. It names kinds of items, never an item."""

from collections.abc import Sequence
from math import inf
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from hgldp.audit import AuditResult, Comparison, ExactComparison
from hgldp.audit.views import REPORT, SIDE_VIEWS, SPENDS
from hgldp.cli.terminal import facts, legend, open_table, page
from hgldp.cli.units import counted, in_count
from hgldp.model.bulletins import AnyBulletin, Bulletin
from hgldp.model.task import Task

LEGEND = (
    ("event", "what tells the two inputs apart best, and in how many draws of each it came"),
    ("at least", "what the client spends on this pair at least, for all pairs together at the stated error rate"),
    ("finds", "spending this much would have been found with a chance of 95 %"),
)


def report(bulletins: Sequence[AnyBulletin], results: Sequence[AuditResult]) -> Group:
    """A table for each bulletin, then what is wrong, then the verdict."""
    parts: list[RenderableType] = []
    for bulletin, result in zip(bulletins, results, strict=True):
        if len(bulletins) > 1:
            parts.append(Text(kind_of(bulletin), style="bold"))
        parts += [_spending(result), *_around(result)]
    parts.append(legend(LEGEND))
    said = list(dict.fromkeys(sentence for result in results for sentence in result.sentences))
    if said:
        parts.append(Text("\n".join(said), style="red"))
    return page("What the client spends, seen from outside", *parts, facts(verdict(results)))


def verdict(results: Sequence[AuditResult]) -> list[tuple[str, str]]:
    """The bound, its error rate, and the power."""
    error, draws = sum(each.error for each in results), sum(each.draws for each in results)
    least, most = max(each.spends_at_least for each in results), max(each.found_from for each in results)
    rare, wrong = max(each.share_from for each in results), sum(len(each.broken) for each in results)
    spending = "no spending with so few draws" if most == inf else f"spending of {most:.3f}"
    event = "" if rare == inf else f", and what happens in {rare:.2%} of the draws of one input only"
    return [
        ("verdict", f"LEAKS: {counted(wrong, 'comparison')} broken" if wrong else "nothing found"),
        ("ε", f"at least {max(least, 0.0):.3f}; {results[0].claim:g} is claimed"),
        ("error rate", f"at most {error:g}, for all comparisons together; {in_count(draws)} draws"),
        ("power", f"finds with a chance of 95 %: {spending}{event}"),
    ]


def _spending(result: AuditResult) -> RenderableType:
    table = open_table()
    table.add_column("pair", no_wrap=True)
    table.add_column("event", no_wrap=True)
    for heading in ("of one", "of the other", "at least", "finds"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for each in result.spending:
        one, other = (f"{hits / draws:.2%}" for hits, draws in zip(each.hits, each.draws, strict=True))
        least = f"{max(each.least, 0.0):.3f}"
        finds = "–" if each.broken or each.found_from == inf else f"{each.found_from:.3f}"
        table.add_row(each.pair.kind, each.looked_at, one, other, least, finds, mark(broken=each.broken))
    return table


def _around(result: AuditResult) -> list[RenderableType]:
    """One line for each thing around the reports that was compared."""
    views = ((REPORT, "order of the reports"), *((each, each) for each in SIDE_VIEWS))
    rows = [(name, [each for each in result.comparisons if each.view == view]) for view, name in views]
    table = around_table(rows, same="no difference found")
    return [table] if table.row_count else []


def around_table(rows: Sequence[tuple[str, Sequence[Comparison | ExactComparison]]], same: str) -> Table:
    """For each name, how many pairs were compared, and which of them differ."""
    table = open_table()
    for heading in ("around the reports", "pairs", ""):
        table.add_column(heading, no_wrap=True)
    for name, seen in rows:
        if seen:
            broken = [each for each in seen if each.broken]
            told = f"differs: {', '.join(each.pair.kind for each in broken)}" if broken else same
            table.add_row(name, str(len(seen)), Text(told, style="red" if broken else "none"))
    return table


def mark(*, broken: bool) -> Text:
    """At the end of a row."""
    return Text("✗", style="bold red") if broken else Text("✓", style="green")


def kind_of(bulletin: AnyBulletin) -> str:
    """Which of several bulletins it is."""
    if isinstance(bulletin, Bulletin):
        return f"Cold reports {'name their item' if bulletin.nominating else 'name nothing'}"
    return f"Epoch {bulletin.epoch}"


def as_document(task: Task, bulletins: Sequence[AnyBulletin], results: Sequence[AuditResult]) -> dict[str, Any]:
    """Everything, for programs."""
    return {
        "task": task.id.hex(),
        "passed": all(result.passed for result in results),
        "claim": results[0].claim,
        "spends_at_least": max(result.spends_at_least for result in results),
        "error": sum(result.error for result in results),
        "draws": sum(result.draws for result in results),
        "found_from": max(result.found_from for result in results),
        "share_from": max(result.share_from for result in results),
        "audits": [
            {"bulletin": bulletin.version, "comparisons": [_fields(each) for each in result.comparisons]}
            for bulletin, result in zip(bulletins, results, strict=True)
        ],
    }


def _fields(each: Comparison) -> dict[str, Any]:
    found: dict[str, Any] = {"pair": each.pair.kind, "view": each.view, "event": each.looked_at, "claim": each.claim}
    found |= {"draws": list(each.draws), "hits": list(each.hits), "at_least": each.least, "broken": each.broken}
    return found | ({"found_from": each.found_from} if each.view == SPENDS else {})

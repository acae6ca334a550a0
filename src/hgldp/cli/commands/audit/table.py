"""The result of an audit for people and for programs. It names kinds of items, never an item."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, Generic, TypeVar

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from hgldp.audit import AuditResult, Comparison, ExactComparison, SteeredResult
from hgldp.audit.views import REPORT, SIDE_VIEWS, SPENDS
from hgldp.cli.terminal import facts, legend, open_table, page
from hgldp.cli.units import counted, in_count
from hgldp.model.bulletins import AnyBulletin, Bulletin
from hgldp.model.task import Task

R = TypeVar("R", AuditResult, SteeredResult)
TO_THE_LEFT = ("pair", "event", "")


@dataclass(frozen=True)
class Look(Generic[R]):
    """How results of one kind are shown: a line for each pair, and in JSON what sums them up, and each comparison."""

    title: str
    legend: Sequence[tuple[str, str]]
    headings: Sequence[str]
    line: Callable[[Any], Sequence[str]]
    same: str
    verdict: Callable[[Sequence[R]], list[tuple[str, str]]]
    sums: Callable[[Sequence[R]], dict[str, Any]]
    fields: Callable[[Any], dict[str, Any]]

    def report(self, bulletins: Sequence[AnyBulletin], results: Sequence[R]) -> Group:
        """A table for each bulletin, then what is wrong, then the verdict."""
        parts: list[RenderableType] = []
        for bulletin, result in zip(bulletins, results, strict=True):
            if len(bulletins) > 1:
                parts.append(Text(_kind_of(bulletin), style="bold"))
            parts += [self._spending(result), self._around(result)]
        parts.append(legend(self.legend))
        said = list(dict.fromkeys(sentence for result in results for sentence in result.sentences))
        if said:
            parts.append(Text("\n".join(said), style="red"))
        return page(self.title, *parts, facts(self.verdict(results)))

    def _spending(self, result: R) -> Table:
        table = open_table()
        for heading in ("pair", *self.headings, ""):
            table.add_column(heading, justify="left" if heading in TO_THE_LEFT else "right", no_wrap=True)
        for each in result.spending:
            mark = Text("✗", style="bold red") if each.broken else Text("✓", style="green")
            table.add_row(each.pair.kind, *self.line(each), mark)
        return table

    def _around(self, result: R) -> Table:
        """One line for each thing around the reports that was compared: in how many pairs, and which of them differ."""
        table = open_table()
        for heading in ("around the reports", "pairs", ""):
            table.add_column(heading, no_wrap=True)
        for view, name in ((REPORT, "order of the reports"), *((each, each) for each in SIDE_VIEWS)):
            seen = [each for each in result.comparisons if each.view == view]
            if seen:
                broken = [each.pair.kind for each in seen if each.broken]
                told = f"differs: {', '.join(broken)}" if broken else self.same
                table.add_row(name, str(len(seen)), Text(told, style="red" if broken else "none"))
        return table

    def document(self, task: Task, bulletins: Sequence[AnyBulletin], results: Sequence[R]) -> dict[str, Any]:
        """Everything, for programs."""
        found = {"task": task.id.hex(), "passed": all(result.passed for result in results)}
        found |= {"claim": float(results[0].claim)} | self.sums(results)
        audits = [
            {"bulletin": bulletin.version, "comparisons": [self.fields(each) for each in result.comparisons]}
            for bulletin, result in zip(bulletins, results, strict=True)
        ]
        return found | {"audits": audits}


def _kind_of(bulletin: AnyBulletin) -> str:
    """Which of several bulletins it is."""
    if isinstance(bulletin, Bulletin):
        return f"Cold reports {'name their item' if bulletin.nominating else 'name nothing'}"
    return f"Epoch {bulletin.epoch}"


def _verdict(results: Sequence[AuditResult] | Sequence[SteeredResult], fine: str) -> tuple[str, str]:
    wrong = sum(len(each.broken) for each in results)
    return "verdict", f"LEAKS: {counted(wrong, 'comparison')} broken" if wrong else fine


def _sampled_line(each: Comparison) -> tuple[str, ...]:
    one, other = (f"{hits / draws:.2%}" for hits, draws in zip(each.hits, each.draws, strict=True))
    finds = "–" if each.broken or each.found_from == inf else f"{each.found_from:.3f}"
    return each.looked_at, one, other, f"{max(each.least, 0.0):.3f}", finds


def _sampled_verdict(results: Sequence[AuditResult]) -> list[tuple[str, str]]:
    """The bound, its error rate, and the power."""
    sums = _sampled_sums(results)
    most, rare = sums["found_from"], sums["share_from"]
    spending = "no spending with so few draws" if most == inf else f"spending of {most:.3f}"
    event = "" if rare == inf else f", and what happens in {rare:.2%} of the draws of one input only"
    return [
        _verdict(results, "nothing found"),
        ("ε", f"at least {max(sums['spends_at_least'], 0.0):.3f}; {results[0].claim:g} is claimed"),
        ("error rate", f"at most {sums['error']:g}, for all comparisons together; {in_count(sums['draws'])} draws"),
        ("power", f"finds with a chance of 95 %: {spending}{event}"),
    ]


def _sampled_sums(results: Sequence[AuditResult]) -> dict[str, Any]:
    return {
        "spends_at_least": max(result.spends_at_least for result in results),
        "error": sum(result.error for result in results),
        "draws": sum(result.draws for result in results),
        "found_from": max(result.found_from for result in results),
        "share_from": max(result.share_from for result in results),
    }


def _sampled_fields(each: Comparison) -> dict[str, Any]:
    found: dict[str, Any] = {"pair": each.pair.kind, "view": each.view, "event": each.looked_at, "claim": each.claim}
    found |= {"draws": list(each.draws), "hits": list(each.hits), "at_least": each.least, "broken": each.broken}
    return found | ({"found_from": each.found_from} if each.view == SPENDS else {})


SAMPLED = Look[AuditResult](
    title="What the client spends, seen from outside",
    legend=(
        ("event", "what tells the two inputs apart best, and in how many draws of each it came"),
        ("at least", "what the client spends on this pair at least, for all pairs together at the stated error rate"),
        ("finds", "spending this much would have been found with a chance of 95 %"),
    ),
    headings=("event", "of one", "of the other", "at least", "finds"),
    line=_sampled_line,
    same="no difference found",
    verdict=_sampled_verdict,
    sums=_sampled_sums,
    fields=_sampled_fields,
)


def _shown(epsilon: float) -> str:
    """Enough digits to tell a part in 2^32."""
    return "∞" if epsilon == inf else f"{epsilon:.12f}"


def _steered_line(each: ExactComparison) -> tuple[str, ...]:
    one, other = (f"{float(chance):.2%}" for chance in each.chances)
    return one, other, _shown(each.spends), f"{float(each.claim):.12g}"


def _steered_verdict(results: Sequence[SteeredResult]) -> list[tuple[str, str]]:
    sums = _steered_sums(results)
    runs, checked = in_count(sums["runs"]), in_count(sums["checked"])
    return [
        _verdict(results, "spends no more than it claims on these pairs"),
        ("ε", f"{_shown(sums['spends'])} for the worst pair; {float(results[0].claim):.12g} is claimed"),
        ("error rate", "none: chances are counted, not estimated, and compared without rounding"),
        ("runs", f"{runs}; in {checked} of them the draws were random and all went as predicted"),
    ]


def _steered_sums(results: Sequence[SteeredResult]) -> dict[str, Any]:
    return {
        "spends": max(result.spends for result in results),
        "runs": sum(result.runs for result in results),
        "checked": sum(result.checked for result in results),
    }


def _steered_fields(each: ExactComparison) -> dict[str, Any]:
    """A ratio without bound, where one input never has the report, is written as null."""
    ratio = None if each.ratio is None else str(each.ratio)
    known = {"pair": each.pair.kind, "view": each.view, "claim": float(each.claim), "ratio": ratio}
    return known | {"spends": each.spends, "chances": [str(chance) for chance in each.chances], "broken": each.broken}


STEERED = Look[SteeredResult](
    title="What the client spends, with every draw chosen by the audit",
    legend=(
        ("of one", "the exact chance of the report that tells most, with either input"),
        (
            "spends",
            "ε of this pair: the logarithm of the largest ratio over all reports; only what is shown is rounded",
        ),
    ),
    headings=("of one", "of the other", "spends", "claimed"),
    line=_steered_line,
    same="exactly the same",
    verdict=_steered_verdict,
    sums=_steered_sums,
    fields=_steered_fields,
)

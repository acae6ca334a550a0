"""`hgldp check`: the promises of every scheme and mechanism, proved on this machine."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict
from math import isfinite

from rich.console import Group
from rich.text import Text

from hgldp.checks.result import CheckResult
from hgldp.checks.run import run as prove
from hgldp.cli.commands.check.certificates import check_certificates
from hgldp.cli.output import write_json
from hgldp.cli.terminal import legend, open_table, page, progress_bar, show
from hgldp.cli.values import parse_epsilons, parse_names
from hgldp.errors import InvalidField
from hgldp.mechanisms.registry import MECHANISMS
from hgldp.schemes.registry import names as scheme_names

BROKEN = 1
LEGEND = (
    ("exact ε", "ln of the worst ratio of a report's chances under two items, from exact fractions"),
    ("sum", "for each item, the chances of all reports sum to 1"),
    ("mean", "the debiased count is exactly right on average: it is unbiased"),
    ("draw", "clients draw with exactly these chances, and a seed always gives the same draws"),
    ("kernel", "the fast simulation ends in the same state as clients and server step by step"),
    ("memory", "the state does not grow with the stream; pfr never keeps more than its memory"),
)


def run(chosen: Namespace) -> int:
    """Check, print, and say in the exit code whether everything holds."""
    if chosen.certificate is not None:
        return check_certificates(chosen)
    for option in ("document", "task"):
        if getattr(chosen, option) is not None:
            raise InvalidField(option, "must be given together with --certificate", getattr(chosen, option))
    epsilons, names = parse_epsilons(chosen.epsilon), parse_names(chosen.scheme, [*scheme_names(), *MECHANISMS])
    results: list[CheckResult] = []
    with progress_bar("checking", wanted=not chosen.no_progress) as advance:
        for done, name in enumerate(names):
            advance(done, len(names))
            results += prove([name], epsilons)
    if chosen.json:
        write_json([asdict(result) | {"passed": result.passed} for result in results])
    else:
        show(report(results))
    return 0 if all(result.passed for result in results) else BROKEN


def report(results: Sequence[CheckResult]) -> Group:
    """One row for each name and budget, then one line for each failure."""
    table = open_table()
    table.add_column("name", no_wrap=True)
    for heading in ("ε", "exact ε"):
        table.add_column(heading, justify="right", no_wrap=True)
    for heading in ("sum", "mean", "draw", "kernel", "memory", "verdict"):
        table.add_column(heading, justify="center", no_wrap=True)
    several = len({result.epsilon for result in results}) > 1
    last = ""
    for result in results:
        if several and last and result.name != last:
            table.add_section()
        table.add_row(*_row(result, repeated=result.name == last))
        last = result.name
    broken = [f"{result.name}, ε = {result.epsilon:g}: {line}" for result in results for line in result.failures]
    wrong = sum(not result.passed for result in results)
    verdict = f"{wrong} of {len(results)} broken" if wrong else f"all {len(results)} hold"
    lines = [Text(line, style="red") for line in broken]
    return page("What every channel really spends", table, legend(LEGEND), *lines, Text(verdict, style="bold"))


def _row(result: CheckResult, *, repeated: bool) -> tuple[Text, ...]:
    sampled = result.sampler_exact and result.sampler_fits and result.deterministic
    return (
        Text("" if repeated else result.name),
        Text(f"{result.epsilon:g}"),
        Text(f"{result.exact_epsilon:.6f}" if isfinite(result.exact_epsilon) else "∞"),
        _mark(good=result.normalised),
        _mark(good=result.unbiased),
        _mark(good=sampled),
        _mark(good=result.kernel_equal),
        _mark(good=result.memory_constant),
        Text("holds", style="green") if result.passed else Text("BROKEN", style="bold red"),
    )


def _mark(*, good: bool | None) -> Text:
    if good is None:
        return Text("–", style="dim")
    return Text("✓", style="green") if good else Text("✗", style="bold red")

"""`hgldp check --certificate`: the certificate of a task, or one for every scheme."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict

from rich.console import Group
from rich.text import Text

from hgldp.checks.certificate.own import Certified, check_certificate, own_certificates, own_names
from hgldp.cli.output import write_json
from hgldp.cli.service import Service
from hgldp.cli.tasks import fetch_task, find_task
from hgldp.cli.terminal import legend, open_table, page, progress_bar, show
from hgldp.cli.units import in_count
from hgldp.cli.values import parse_epsilons, parse_names, read_file
from hgldp.errors import InvalidField
from hgldp.wire import api
from hgldp.wire.task import read_task

BROKEN, SHOWN_FAILURES, MOST_BYTES = 1, 20, 1 << 20
LEGEND = (
    ("ε", "what one report may spend"),
    ("exact ε", "ln of the worst ratio of two weights of a symbol, over all laws"),
    ("laws", "one for each kind of bulletin that the task can publish"),
    ("bytes", "size of the certificate"),
)


def check_certificates(chosen: Namespace) -> int:
    """Check what was asked for, print, and say in the exit code whether everything holds."""
    found = _given(chosen) if chosen.certificate or chosen.document or chosen.task else _own(chosen)
    if chosen.json:
        write_json([asdict(each) | {"passed": each.passed} for each in found])
    else:
        show(_table(found))
    return 0 if all(each.passed for each in found) else BROKEN


def _given(chosen: Namespace) -> list[Certified]:
    """One certificate, from a collector or from files. The task's document tells what it must say."""
    if chosen.task is not None:
        if chosen.certificate or chosen.document:
            raise InvalidField("task", "must be left out where a certificate is in a file", "both")
        service = Service(chosen.url, chosen.token)
        task = fetch_task(service, find_task(service, chosen.task))
        data = service.fetch(api.CERTIFICATE.format(id=task.id.hex()), most_bytes=MOST_BYTES)
    elif chosen.certificate and chosen.document:
        data, task = read_file("certificate", chosen.certificate), read_task(read_file("document", chosen.document))
    else:
        rule = "must be given together with --certificate FILE, since a certificate belongs to a task"
        raise InvalidField("document", rule, chosen.document or "none")
    return [check_certificate(task.scheme, task, data)]


def _own(chosen: Namespace) -> list[Certified]:
    epsilons, found = parse_epsilons(chosen.epsilon), list[Certified]()
    bases = list(dict.fromkeys(name.partition(" ")[0] for name in own_names()))
    wanted = [name for name in own_names() if name.partition(" ")[0] in parse_names(chosen.scheme, bases)]
    with progress_bar("certifying", wanted=not chosen.no_progress) as advance:
        for done, name in enumerate(wanted):
            advance(done, len(wanted))
            found += [each for epsilon in epsilons for each in own_certificates([name], epsilon)]
    return found


def _table(found: Sequence[Certified]) -> Group:
    table = open_table()
    table.add_column("name", no_wrap=True)
    for heading in ("ε", "exact ε", "laws", "bytes"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("verdict", justify="center", no_wrap=True)
    last = ""
    for each in found:
        numbers = f"{each.epsilon:g}", f"{each.exact_epsilon:.6f}", in_count(each.laws), in_count(each.bytes)
        mark = Text("holds", style="green") if each.passed else Text("REFUSED", style="bold red")
        table.add_row("" if each.name == last else each.name, *numbers, mark)
        last = each.name
    lines = [f"{each.name}, ε = {each.epsilon:g}: {line}" for each in found for line in each.failures[:SHOWN_FAILURES]]
    wrong = sum(not each.passed for each in found)
    verdict = (
        f"{wrong} of {len(found)} refused" if wrong else ("it holds" if len(found) == 1 else f"all {len(found)} hold")
    )
    told = [Text(line, style="red") for line in lines]
    return page("What certificates prove", table, legend(LEGEND), *told, Text(verdict, style="bold"))

"""`hgldp reproduce`: the paper measured again, into a folder with a report."""

from argparse import Namespace
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from rich.console import Group
from rich.text import Text

from hgldp.cli.output import write_error
from hgldp.cli.terminal import legend, page, progress_bar, show
from hgldp.errors import InvalidField, did_you_mean
from hgldp.experiments.measuring.streams import Library
from hgldp.experiments.pool import Advance, Workload, cores
from hgldp.experiments.report import Content, summary
from hgldp.experiments.reproduce import HTML, MARKDOWN, Request, reproduce
from hgldp.experiments.scale import FULL, QUICK, Scale
from hgldp.experiments.studies.registry import PICTURES
from hgldp.sources.datasets import data_folder

DONE, BROKEN = 0, 1
STEPS = 1000


def run(chosen: Namespace) -> int:
    """Refuse what cannot be done, measure, write, and say where the report is."""
    if chosen.list:
        show(page("Figures", legend((picture.name, picture.title) for picture in PICTURES.values())))
        return DONE
    if chosen.data is not None and not Path(chosen.data).is_dir():
        raise InvalidField("data", "must be a folder", chosen.data)
    if unknown := [name for name in chosen.only if name not in PICTURES]:
        rule = "must name figures (hgldp reproduce --list)"
        raise InvalidField("only", rule, unknown[0], did_you_mean(unknown[0], PICTURES))
    request = Request.of(chosen.only, _scale(chosen), Library(data_folder(chosen.data)), chosen.out)
    with ExitStack() as stack:

        def announce(load: Workload) -> Advance:
            write_error(_announcement(load))
            bar = stack.enter_context(progress_bar("measuring", wanted=not chosen.no_progress))
            return lambda done, total: bar(round(STEPS * done), round(STEPS * total))

        content = reproduce(request, announce)
    show(_page(content, chosen.out))
    return BROKEN if content.failures else DONE


def _scale(chosen: Namespace) -> Scale:
    scale = QUICK if chosen.quick else FULL
    return scale if chosen.repeats is None else replace(scale, repeats=chosen.repeats)


def _announcement(load: Workload) -> str:
    """How much there is to measure, how much of it is known already, and about how long the rest takes."""
    wanted, known = len(load.wanted), len(load.known)
    share = load.seconds / cores()
    time = f"{share:.0f} s" if share < 120 else f"{share / 60:.0f} min"
    left = f"about {time} on {cores()} core(s) for the rest" if load.left else "nothing left to measure"
    return f"hgldp: {wanted:,} measurements, {known:,} of them known from before; {left}"


def _page(content: Content, out: Path) -> Group:
    lines = [*summary(content)]
    if content.failures:
        lines.append(f"{len(content.failures)} measurements failed, the first: {content.failures[0]}")
    files = [("report", str(out / HTML)), ("", str(out / MARKDOWN)), ("figures", str(out / "figures"))]
    return page("The paper, reproduced", Text("\n".join(lines)), legend([*files, ("numbers", str(out / "data"))]))

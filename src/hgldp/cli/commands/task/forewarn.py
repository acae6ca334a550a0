"""What to expect of a new task, and a warning before it is created if it cannot work."""

import json
import sys
from argparse import Namespace
from collections.abc import Iterator
from math import log10
from typing import Any

from hgldp.cli.output import write_error, write_output
from hgldp.collector.http.documents.new_task import read_new_task
from hgldp.collector.problems import Refused
from hgldp.errors import HgldpError
from hgldp.model.domain import StringDomain
from hgldp.model.task import Task
from hgldp.planning.expectation import STRINGS, Expectation, expectation
from hgldp.planning.traffic import SPANS
from hgldp.schemes.pfr import PFR

AGREES = ("y", "yes")
HOPELESS = 200_000


class NotCreated(HgldpError):
    """Somebody was asked, and said no."""


def forewarn(chosen: Namespace, wanted: dict[str, Any]) -> str:
    """What the task is expected to find, in a few lines. Whoever sits at a terminal is asked if it cannot work.

    What is no task at all the collector refuses, in its words.
    """
    try:
        task, terms, donation = read_new_task(json.dumps(wanted).encode())
    except Refused:
        return ""
    raw = donation.size
    doubts = list(warnings(task, raw, terms.reports_per_day))
    for doubt in doubts:
        write_error(f"hgldp: warning: {doubt}")
    if doubts and not chosen.json and not chosen.yes and sys.stdin is not None and sys.stdin.isatty():
        write_output("Create it all the same? [y/N] ")
        if sys.stdin.readline().strip().lower() not in AGREES:
            raise NotCreated("no task was created")
    found = None if doubts else expectation(task, raw)
    return "" if found is None else in_words(task, found)


def in_words(task: Task, found: Expectation) -> str:
    """For people, with what it takes for granted.

    >>> task = Task("pfr", epsilon=2.0, domain=range(5000), k=10)
    >>> print(in_words(task, Expectation(1_200, 103_000, 350_000)))
    Expect the first of the top 10 after about 1,200 reports, and most of them after 100,000
    if the items are as frequent as usual (Zipf 1), or 350,000 if the first ones hardly differ.
    With your own traffic: hgldp plan --help
    """
    what, usual, later = f"the first of the top {task.k}", "items", ""
    if isinstance(task.domain, StringDomain):
        what, usual = "the first strings", f"{STRINGS:,} strings"
    elif task.domain_size < 2 * task.k:
        return f"Expect {what} after about {about(found.first)} reports.\nWith your own traffic: hgldp plan --help"
    if task.hints is not None:
        later = "Strings that are on the list come sooner than others. "
    return (
        f"Expect {what} after about {about(found.first)} reports, and most of them after {about(found.whole)}\n"
        f"if the {usual} are as frequent as usual (Zipf 1), or {about(found.whole_if_flat)} if the first ones hardly "
        f"differ.\n{later}With your own traffic: hgldp plan --help"
    )


def warnings(task: Task, raw: int = 0, reports_per_day: int = 0) -> Iterator[str]:
    """What cannot work, in sentences.

    >>> list(warnings(Task("dsr", epsilon=1.0, domain=range(5000), k=10)))[0][:80]
    'dsr starts from nothing here: among 5,000 items it takes about 2,700,000 reports'
    """
    found = expectation(task, raw)
    if found is None:
        return
    if task.scheme != PFR.name and found.first > HOPELESS:
        instead = expectation(Task(PFR.name, task.budget, task.domain, task.k))
        better = (
            f"; {PFR.name} takes {about(instead.first)}, and {about(instead.whole)} for most of them" if instead else ""
        )
        yield (
            f"{task.scheme} starts from nothing here: among {task.domain_size:,} items it takes about "
            f"{about(found.first)} reports until it finds the first of the top {task.k}{better}. Give it a warm-up, or "
            f"take {PFR.name}"
        )
    elif reports_per_day and found.first > SPANS["month"] * reports_per_day:
        yield (
            f"the first of the top {task.k} takes about {about(found.first)} reports, and a month has at most "
            f"{SPANS['month'] * reports_per_day:,} with {reports_per_day:,} reports a day"
        )


def about(number: int) -> str:
    """Two figures.

    >>> about(2_239_316), about(95)
    ('2,200,000', '95')
    """
    digits = max(0, int(log10(max(number, 1))) - 1)
    return f"{round(number, -digits):,}"

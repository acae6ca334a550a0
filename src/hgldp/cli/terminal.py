"""The terminal: tables on standard output, progress on standard error."""

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from hgldp.cli.output import ANY_LETTER, visible, write_output

UNBOUNDED = 1000
TRAILING_BLANKS = re.compile(r" +$", re.MULTILINE)


def show(*pages: RenderableType) -> None:
    """Pages on standard output, in one piece; if it is not a terminal, nothing is wrapped or padded."""
    terminal = sys.stdout.isatty()
    known = terminal or "COLUMNS" in os.environ
    draft = BytesIO()
    with _Likeness(draft, encoding=sys.stdout.encoding or ANY_LETTER, errors="backslashreplace", newline="\n") as file:
        console = Console(file=file, highlight=False, width=None if known else UNBOUNDED)
        for one in pages:
            console.print(one)
        file.flush()
        text = draft.getvalue().decode(file.encoding)
        write_output(text if terminal else TRAILING_BLANKS.sub("", text))


class _Likeness(TextIOWrapper):
    """A file in memory that is a terminal if standard output is one."""

    def isatty(self) -> bool:
        """As standard output has it."""
        return sys.stdout.isatty()


def open_table() -> Table:
    """The one look of our tables: narrow enough for eighty columns."""
    return Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, collapse_padding=True)


@dataclass(frozen=True)
class Fitted:
    """A table that drops columns, one after the other, where the terminal is too narrow."""

    headings: Sequence[str]
    may_go: Sequence[str]
    fill: Callable[[Sequence[str]], Table]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The widest table that fits, and what was left out."""
        table, gone = self.fit(console, options)
        yield table
        if gone:
            yield Text(f"\nNo room for {', '.join(gone)}.", style="dim")

    def fit(self, console: Console, options: ConsoleOptions) -> tuple[Table, Sequence[str]]:
        """The widest table that fits, and the columns that it left out."""
        for number in range(len(self.may_go) + 1):
            gone = self.may_go[:number]
            table = self.fill([heading for heading in self.headings if heading not in gone])
            if console.measure(table, options=options.update(max_width=UNBOUNDED)).maximum <= options.max_width:
                break
        return table, gone


@dataclass(frozen=True)
class Legend:
    """What the headings of a table mean, in small print; of columns that were left out it says nothing."""

    table: Fitted
    terms: Sequence[tuple[str, str]]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The terms of the columns that are shown."""
        _, gone = self.table.fit(console, options)
        yield legend((term, meaning) for term, meaning in self.terms if term not in gone)


def page(title: str, *parts: RenderableType) -> Group:
    """A title, then one part after the other, with an empty line below each."""
    return Group(Text(visible(title), style="bold"), "", *(line for part in parts for line in (part, "")))


def legend(rows: Iterable[tuple[str, str]]) -> Table:
    """What the headings mean, in small print."""
    return _pairs(rows, "dim")


def facts(rows: Iterable[tuple[str, str]]) -> Table:
    """What there is to know, in full: what is too long for a line goes on in the next."""
    return _pairs(rows, "none")


def _pairs(rows: Iterable[tuple[str, str]], style: str) -> Table:
    grid = Table.grid(padding=(0, 2))
    grid.add_column()
    grid.add_column(overflow="fold")
    for term, meaning in rows:
        grid.add_row(Text(visible(term)), Text(visible(meaning)), style=style)
    return grid


@contextmanager
def progress_bar(doing: str, *, wanted: bool) -> Iterator[Callable[[int, int], None]]:
    """A bar over everything there is to do, gone when it is done."""
    columns = (TextColumn(doing), BarColumn(), TextColumn("{task.percentage:>3.0f} %"), TimeRemainingColumn())
    console = Console(stderr=True)
    hidden = not (wanted and console.is_terminal)
    with Progress(*columns, console=console, transient=True, disable=hidden, refresh_per_second=4) as progress:
        task = progress.add_task(doing, total=None)

        def advance(done: int, total: int) -> None:
            progress.update(task, completed=done, total=total)

        yield advance

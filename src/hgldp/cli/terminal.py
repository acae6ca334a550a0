"""The terminal: tables on standard output, progress on standard error."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich import box
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

WIDTH_OF_A_FILE = 100


def open_console() -> Console:
    """Standard output; if it is no terminal, as wide as our tables need."""
    known = sys.stdout.isatty() or "COLUMNS" in os.environ
    return Console(file=sys.stdout, highlight=False, width=None if known else WIDTH_OF_A_FILE)


def open_table(title: str, caption: str = "") -> Table:
    """The one look of our tables."""
    return Table(
        title=title,
        caption=caption or None,
        box=box.SIMPLE_HEAD,
        title_justify="left",
        caption_justify="left",
        title_style="bold",
        caption_style="dim",
        pad_edge=False,
        show_edge=False,
        collapse_padding=True,
    )


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

"""The table of an answer on the terminal, and what its headings mean. Words say what colours say: a pipe has none."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from rich.console import JustifyMethod
from rich.table import Table
from rich.text import Text

from hgldp.cli.terminal import Fitted, open_table
from hgldp.cli.units import in_count
from hgldp.model.estimate import LIKELY, NO_CLEAR_TOP, ORDINARY, range_of_ranks

NOTHING_YET = "Nothing stands out yet."
NOISE, MAYBE = "noise?", "maybe"
JUSTIFIED: dict[str, JustifyMethod] = {LIKELY: "left", "": "left", NOISE: "left", "✓": "center"}
FOLDED = ("item", "product")
MEANINGS = {LIKELY: "the best and the worst rank that it is likely to have", NOISE: f"{MAYBE}: {ORDINARY}"}
Row = Mapping[str, str | Text]


def certainty(best: int | None, worst: int | None, may_be_noise: bool | None) -> dict[str, str]:
    """The cells of a row that say how far its place in the list is to be trusted.

    >>> certainty(1, 3, False), certainty(None, None, True)
    ({'likely': '1–3', 'noise?': ''}, {'likely': '', 'noise?': 'maybe'})
    """
    return {LIKELY: range_of_ranks(best, worst), NOISE: MAYBE if may_be_noise else ""}


def answer_table(rows: Sequence[Row], headings: Sequence[str], may_go: Sequence[str] = ()) -> Fitted:
    """A row for each line, with a cell for each heading. What may be noise is dim, and a last column says so.

    The columns of `certainty` are left out if they have nothing to say, and those that may go if there is no room.
    """
    told = [name for name in (*headings, NOISE) if name not in MEANINGS or any(row[name] for row in rows)]
    return Fitted(told, may_go, partial(_filled, rows))


def terms_of(rows: Sequence[Row]) -> Iterable[tuple[str, str]]:
    """What the columns of `certainty` mean, where they are shown."""
    return [(name, meaning) for name, meaning in MEANINGS.items() if any(row[name] for row in rows)]


def no_clear_top() -> Text:
    """What stands above an answer in which nothing stands out."""
    return Text(f"{NO_CLEAR_TOP}.", style="yellow")


def how_long_strings_take(reports: int, first_epoch: int, epochs: int) -> str:
    """What to say where no string stands out, if the first one takes so many epochs of so many reports.

    >>> how_long_strings_take(10, 36_847, 4)
    'The first string takes about 4 epochs, a long or rare one more: 4 have 147,388 reports here, and 10 have come.'
    >>> how_long_strings_take(200_000, 36_847, 4)
    '4 epochs have passed, in which a short and frequent string is found. A long or rare one takes more.'
    """
    needed = epochs * first_epoch
    if reports >= needed:
        passed = f"{epochs} epochs have passed, in which a short and frequent string is found."
        return f"{passed} A long or rare one takes more."
    came = f"{in_count(reports)} ha{'s' if reports == 1 else 've'} come"
    takes = f"The first string takes about {epochs} epochs, a long or rare one more"
    return f"{takes}: {epochs} have {in_count(needed)} reports here, and {came}."


def _filled(rows: Sequence[Row], headings: Sequence[str]) -> Table:
    table = open_table()
    for name in headings:
        if name in FOLDED:
            table.add_column(name, overflow="fold")
        else:
            table.add_column(name, justify=JUSTIFIED.get(name, "right"), no_wrap=True)
    for row in rows:
        table.add_row(*(row[name] for name in headings), style="dim" if row[NOISE] else None)
    return table

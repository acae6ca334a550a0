"""`hgldp demo longitudinal`: an observer guesses what one person always reports, at every level, over a year."""

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Group
from rich.table import Table

from hgldp.cli.command import imported
from hgldp.cli.output import write_json
from hgldp.cli.terminal import Fitted, Legend, open_table, page, progress_bar, show
from hgldp.errors import InvalidField
from hgldp.model.validate import check_whole
from hgldp.simulation.people.year import DAYS, ITEMS, MONTH, Course, watch

EPSILON, PEOPLE, MOST_PEOPLE = 2.0, 1000, 20_000
SHOWN_DAYS = (1, 7, 30, 50, DAYS)
MAY_GO = ("day 7", "day 30")
DRAWING = "hgldp.experiments.plotting.longitudinal"


def run(chosen: Namespace) -> int:
    """Watch, print, and draw if asked."""
    people = check_whole("--people", PEOPLE if chosen.people is None else chosen.people, 1, MOST_PEOPLE)
    drawing = _drawing(chosen.out)
    with progress_bar("a year of reports, read", wanted=True) as advance:
        courses = watch(EPSILON, people, chosen.seed, advance)
    if drawing is not None:
        _write(Path(chosen.out), drawing.as_svg(drawing.draw_year(courses)))
    if chosen.json:
        write_json(as_json(courses, people, chosen.seed))
    else:
        show(as_page(courses, people))
    return 0


def _drawing(out: str | None) -> Any:
    """What draws, if anything is to be drawn; what cannot be written is refused before the work."""
    if out is None:
        return None
    if Path(out).suffix != ".svg" or not Path(out).parent.is_dir():
        raise InvalidField("--out", "must be a file that ends with .svg in a folder that exists", out)
    return imported(DRAWING)


def _write(path: Path, drawn: str) -> None:
    try:
        path.write_text(drawn, encoding="utf-8")
    except OSError as failure:
        raise InvalidField("--out", "must be a file that can be written", failure.strerror or "a failure") from None


def as_page(courses: list[Course], people: int) -> Group:
    """A row a level."""
    columns = {f"day {day}": day for day in SHOWN_DAYS}
    headings = ("level", "reports", "ε in all", *columns, "at most")

    def fill(headings: Sequence[str]) -> Table:
        table = open_table()
        for heading in headings:
            table.add_column(heading, justify="left" if heading == "level" else "right")
        for course in courses:
            cells = {
                "level": course.level,
                "reports": f"{len(course.schedule.days):,}",
                "ε in all": f"{course.schedule.spent_by(DAYS):.3g}",
                **{heading: in_percent(course.after(day)) for heading, day in columns.items()},
                "at most": in_percent(course.bound_after(DAYS)),
            }
            table.add_row(*(cells[heading] for heading in headings))
        return table

    table = Fitted(headings, MAY_GO, fill)
    words = [
        ("day …", f"how often the best guess is right after so many days; without a report {in_percent(1 / ITEMS)}"),
        ("at most", f"no guess can be right more often after {DAYS} days, whatever it is made from"),
        ("one answer", "each bulletin is answered once, whatever events follow"),
        ("population", "one of so many events is reported, with all of ε"),
        ("budget", "every event is reported, with its part of ε"),
        ("", f"{people:,} people, one event a day, always the same one of {ITEMS:,} items; ε = {EPSILON:g}; pfr;"),
        ("", "unless it says otherwise, bulletins have a new key every day;"),
        ("", f"a month has {MONTH} days, and its report is sent on the first one"),
    ]
    return page("A year of reports about one item, as an observer reads them", table, Legend(table, words))


def in_percent(share: float) -> str:
    """One digit after the point, and 100 % only for what is certain.

    >>> in_percent(0.0051), in_percent(0.99999), in_percent(1.0)
    ('0.5 %', '99.9 %', '100 %')
    """
    return "100 %" if share >= 1 else f"{min(100 * share, 99.9):.1f} %"


def as_json(courses: list[Course], people: int, seed: int) -> dict[str, Any]:
    """Every level after each of its reports."""
    levels = [
        {
            "level": course.level,
            "epsilon_per_report": float(course.schedule.scheme.epsilon),
            "days": [day + 1 for day in course.schedule.days],
            "right": course.right,
            "standard_error": course.errors,
            "at_most": [course.bound_after(day + 1) for day in course.schedule.days],
        }
        for course in courses
    ]
    return {"epsilon": EPSILON, "people": people, "items": ITEMS, "seed": seed, "levels": levels}

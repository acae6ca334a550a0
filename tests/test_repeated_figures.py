"""Figures that a page repeats from a table elsewhere are those of the table."""

import re

import pytest

from tests.documents import read

INTERVALS = (
    ("(zipf 1.2)", "zipf 1.2", "whole stream"),
    ("(zipf 1.05)", "zipf 1.05, 20,000 items", "whole stream"),
    ("(turnover)", "turnover", "whole stream"),
    ("(sudden change)", "sudden change", "whole stream"),
    ("(a window)", "turnover", "window n/4"),
)
FOUND = (
    ("a steep bell (normal)", "normal, d = 1,000: pfr, 16 kB"),
    ("a supermarket's receipts (retail)", "retail, d = 16,470: pfr, 16 kB"),
    ("clicks on a news site (kosarak, first part)", "kosarak-first100k, d = 23,496: pfr, 16 kB"),
)
FEW = (
    ("40,000 reports, top 5", "zipf, 40,000 reports, k = 5, ε = 2"),
    ("40,000 reports, top 20", "zipf, 40,000 reports, k = 20, ε = 2"),
    ("400,000 reports, top 20", "zipf, 400,000 reports, k = 20, ε = 2"),
)
STREAMS = ("normal, d = 1,000", "retail", "kosarak-first100k")


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def rows(page: str, first: str) -> list[list[str]]:
    """The rows of a page whose first cell is, or ends with, a text, each with the headings of its table above it."""
    lines, found, headings = read(page).splitlines(), [], []
    for place, line in enumerate(lines):
        if re.match(r"\|-", line):
            headings = cells(lines[place - 1])
        elif line.startswith("| ") and cells(line)[0].endswith(first):
            found += [headings, cells(line)]
    return found


def entry(page: str, first: str, heading: str, more: str = "") -> str:
    """The cell of a row below a heading; `more` is another cell of that row."""
    tables = rows(page, first)
    for headings, row in zip(tables[::2], tables[1::2], strict=True):
        if heading in headings and (not more or more in row):
            return row[headings.index(heading)]
    raise LookupError((page, first, heading))


@pytest.mark.parametrize(("title", "stream", "kind"), INTERVALS)
def test_intervals_that_are_read_are_those_that_were_measured(title: str, stream: str, kind: str) -> None:
    told = rows("docs/read-the-numbers.md", title)[1][1:]
    measured = entry("docs/frontier.md", stream, kind, more="none")
    assert told == [f"{share} %" for share in measured.split(" / ")]


@pytest.mark.parametrize(("title", "row"), FOUND)
def test_items_that_are_found_are_those_of_the_whole_table(title: str, row: str) -> None:
    told = rows("docs/will-it-work.md", title)[1][3:]
    assert told == [cell.split(" / ")[0] for cell in rows("docs/frontier.md", row)[1][1:]]


@pytest.mark.parametrize(("title", "row"), FEW)
def test_the_top_of_few_items_is_that_of_the_guide(title: str, row: str) -> None:
    guide = read("docs/choosing-a-scheme.md").splitlines()
    place = next(place for place, line in enumerate(guide) if line.startswith(f"| {row} |"))
    measured = [cells(line)[2].split(" / ")[0].lstrip("0") for line in guide[place : place + 2]]
    assert rows("docs/will-it-work.md", title)[1][1:] == measured


@pytest.mark.parametrize("stream", STREAMS)
@pytest.mark.parametrize(("heading", "title"), [("now, 16 kB", "pfr, 16 kB"), ("now, 48 kB", "pfr, 48 kB")])
def test_two_tables_of_one_page_agree(stream: str, heading: str, title: str) -> None:
    """The first has ε = 1 / 2 / 4 / 8 in one cell, the second a column for each of ε = .5, 1, 2 and 4."""
    short = entry("docs/frontier.md", stream, heading).split(" / ")[:3]
    named = next(line for line in read("docs/frontier.md").splitlines() if _starts(line, stream, title))
    assert short == [cell.split(" / ")[0] for cell in cells(named)[2:5]]


def _starts(line: str, stream: str, title: str) -> bool:
    return line.startswith(f"| {stream.partition(',')[0]}") and cells(line)[0].endswith(f": {title}")


def told(pattern: str) -> tuple[str, ...]:
    """The figures of the one sentence of the page on people that has this form."""
    (found,) = re.findall(pattern, re.sub(r"\s+", " ", read("docs/people.md")))
    return tuple(found)


def shares_of(level: str, heading: str) -> list[str]:
    """The means below a heading in every table of the page on people that has this level, from top to bottom."""
    tables = rows("docs/people.md", level)
    pairs = zip(tables[::2], tables[1::2], strict=True)
    return [row[headings.index(heading)].split(" ± ")[0] for headings, row in pairs if heading in headings]


def test_what_the_page_on_people_says_is_what_its_tables_have() -> None:
    month, day = (shares_of(f"period: {name}", "precision") for name in ("month", "day"))
    assert told(r"One report a month finds (\S+) of the top 20, the even split over 30 days ([\d.]+)\*\*") == (
        month[0], day[0]
    )  # fmt: skip
    assert told(r"With a million people it is (\S+) against (\S+)\. ") == (month[1], day[1])
    by_events = shares_of("period: month", "by events")[2]
    assert told(r"finds (\S+) of that, but only (\S+) of the top 20 by events") == (month[2], by_events)
    sent = [int(shares_of(f"period: {name}", "reports")[0].replace(",", "")) for name in ("month", "day")]
    assert re.findall(r"it takes a (\d+)rd of the reports", read("docs/people.md")) == [str(round(sent[1] / sent[0]))]


@pytest.mark.parametrize("level", ["user, N = 60", "user, N = 5", "window, N = busiest"])
def test_population_division_is_better_in_every_column_that_the_page_shows(level: str) -> None:
    for heading in ("ε = 1", "ε = 2", "ε = 4", "ε = 8"):
        (population,), (budget,) = (shares_of(f"{level}, {each}", heading) for each in ("population", "budget"))
        assert float(population) > float(budget)

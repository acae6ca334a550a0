"""`hgldp demo longitudinal`: the table, the numbers, the picture on the page, and what is refused."""

import json

import pytest

from hgldp.cli import main
from hgldp.cli.commands.demo import longitudinal as demo
from hgldp.errors import MissingExtra
from hgldp.experiments.plotting.longitudinal import draw_year
from hgldp.schemes.pfr import PFR
from hgldp.simulation.people.observer import Schedule
from hgldp.simulation.people.year import DAYS, Course, schedules
from tests.documents import ROOT, blocks
from tests.simulation.people.test_observer import bulletin

FIGURE = ROOT / "docs" / "figures" / "longitudinal.svg"
COMMAND = "hgldp demo longitudinal --out longitudinal.svg"


def made() -> list[Course]:
    """Courses that rise evenly."""
    daily = [bulletin(day, (), items=1000, cells=1024) for day in range(DAYS)]
    return [
        Course(level, one, tuple((report + 1) / 400 for report in range(len(one.days))), (0.0,) * len(one.days))
        for level, one in schedules(2.0, daily, daily)
    ]


def test_the_picture_on_the_page_is_drawn_by_a_command_that_is_run() -> None:
    """The test of the documents runs it, and compares what it draws with this file."""
    assert COMMAND in {command for block in blocks("docs/people.md") for command, _ in block.commands}
    assert FIGURE.exists()


def test_the_numbers_are_those_of_the_courses(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = []
    monkeypatch.setattr(demo, "watch", lambda *terms: asked.append(terms[:3]) or made())
    assert main(["demo", "longitudinal", "--people", "7", "--seed", "3", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert asked == [(2.0, 7, 3)]
    assert {name: told[name] for name in ("epsilon", "people", "items", "seed")} == {
        "epsilon": 2.0, "people": 7, "items": 1000, "seed": 3
    }  # fmt: skip
    month = next(level for level in told["levels"] if level["level"] == "period: month")
    assert month["days"] == [1 + 30 * month for month in range(13)]
    assert month["right"] == [(report + 1) / 400 for report in range(13)]
    assert month["at_most"][0] == pytest.approx(0.00734, abs=1e-5)
    assert month["epsilon_per_report"] == 2.0


def test_the_table_has_a_row_a_level(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(demo, "watch", lambda *_: made())
    monkeypatch.setenv("COLUMNS", "100")
    assert main(["demo", "longitudinal"]) == 0
    shown = capsys.readouterr().out
    (month,) = (line for line in shown.splitlines() if line.startswith("period: month"))
    assert " ".join(month.split()[2:]) == "13 26 0.2 % 0.2 % 0.2 % 0.5 % 3.2 % 99.9 %"
    assert max(len(line) for line in shown.splitlines()) <= 100


def test_the_picture_has_the_bound_beside_the_months() -> None:
    courses = made()
    for panel in draw_year(courses).axes:
        lines = {str(line.get_label()): list(line.get_ydata()) for line in panel.get_lines()}
        month = next(course for course in courses if course.level == "period: month")
        assert lines["at most, period: month"] == [month.bound_after(day) for day in range(1, DAYS + 1)]
        assert lines["period: month; window, population"] == [month.after(day) for day in range(1, DAYS + 1)]
        assert len(lines) == 9


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        (["longitudinal", "--people", "0"], "--people must be a whole number"),
        (["longitudinal", "--clients", "5"], "--clients must be left out: it is for hgldp demo collector"),
        (["longitudinal", "--port", "0"], "--port must be left out"),
        (["longitudinal", "--check"], "--check must be left out"),
        (["--people", "5"], "--people must be left out: it is for hgldp demo longitudinal"),
        (["--json"], "--json must be left out"),
        (["longitudinal", "--out", "picture.png"], "--out must be a file that ends with .svg"),
        (["longitudinal", "--out", "nowhere/picture.svg"], "in a folder that exists"),
        (["longitudnal"], "WHAT must be one of collector, longitudinal, got longitudnal; did you mean longitudinal?"),
    ],
)
def test_what_makes_no_sense_is_refused(words: list[str], rule: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", *words]) == 2
    assert rule in capsys.readouterr().err


def test_without_matplotlib_only_the_picture_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(name: str) -> None:
        raise MissingExtra("experiments", "matplotlib")

    monkeypatch.setattr(demo, "watch", lambda *_: made())
    monkeypatch.setattr(demo, "imported", missing)
    assert main(["demo", "longitudinal"]) == 0
    assert main(["demo", "longitudinal", "--out", "picture.svg"]) == 2
    assert "matplotlib" in capsys.readouterr().err


def test_spending_is_that_of_all_reports_so_far() -> None:
    schedule = Schedule(PFR(1000, 1024, 2.0), (0, 30), (bulletin(1, (), 1000, 1024), bulletin(2, (), 1000, 1024)))
    course = Course("a level", schedule, (0.1, 0.2), (0.0, 0.0))
    assert [course.after(day) for day in (0, 1, 30, 31)] == [0.001, 0.1, 0.1, 0.2]
    assert course.bound_after(30) < course.bound_after(31) == pytest.approx(0.0518, abs=1e-4)

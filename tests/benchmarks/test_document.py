from pathlib import Path

import pytest
from benchmarks.field.contest import Contest, Showing
from benchmarks.field.document import BEGIN, END, paste
from benchmarks.field.entrants.registry import ENTRANTS
from benchmarks.field.plot import draw
from benchmarks.field.rows import Quality, Row

ROOT = Path(__file__).resolve().parents[2]


def test_pasting_leaves_what_people_wrote(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")
    paste(page, "new")
    assert page.read_text() == f"before\n{BEGIN}\n\nnew\n\n{END}\nafter\n"


def test_a_page_without_marks_is_refused_and_left_alone(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"only {BEGIN}")
    with pytest.raises(ValueError, match="must hold"):
        paste(page, "new")
    assert page.read_text() == f"only {BEGIN}"


def test_the_committed_page_shows_every_entrant() -> None:
    lines = (ROOT / "docs/field.md").read_text(encoding="utf-8").splitlines()
    for one in ENTRANTS:
        rows = [line for line in lines if line.startswith(f"| {one.library or 'Python'} | {one.title} |")]
        assert len(rows) == len(one.contests), one


def test_a_picture_is_drawn_without_those_who_failed(tmp_path: Path) -> None:
    contest = Contest("private", "private", "s", "p", 50, 5, 1.0, epsilon=2.0)
    shown = Showing(50, 1, 4e8, None, 1e6, 1e6, 1e6, ([],), (100,), "pickled", 2.0, "1.0")
    good = Row(
        "private", "someone", "good", ours=False, remark="", showing=shown, quality=(Quality(0.5, 0.5, 1.0, 100),)
    )
    bad = Row("private", "someone", "bad-one", ours=True, remark="", showing=None, quality=(), error="it broke")
    draw(contest, [good, bad], tmp_path / "field.svg")
    assert (tmp_path / "field.svg").stat().st_size > 1_000

from pathlib import Path

from benchmarks.field.contest import Contest, Showing
from benchmarks.field.entrants.registry import ENTRANTS
from benchmarks.field.plot import draw
from benchmarks.field.rows import Quality, Row

ROOT = Path(__file__).resolve().parents[3]


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

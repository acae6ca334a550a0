"""The page on audits lists every client that `python -m benchmarks.audit` plants, by the same name."""

from pathlib import Path

from benchmarks.audit.runs import planted

PAGE = Path(__file__).parents[4] / "docs" / "audit.md"


def test_the_table_of_the_page_has_a_row_for_each_planted_client_and_no_other() -> None:
    _, _, table = PAGE.read_text(encoding="utf-8").partition("| client | how |")
    rows = [line.split(" | ") for line in table.partition("\n\n")[0].splitlines()[2:]]
    assert {row[0].removeprefix("| "): row[1] for row in rows} == {name: each.how for name, each in planted(1).items()}

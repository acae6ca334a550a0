"""docs/embedding.md and the README for npm list every option, outcome, method, state and field that there is."""

import re

import pytest

from tests.documents import prose, read

PAGE, README = "docs/embedding.md", "sdk/README.md"
PUBLIC, REPORTER, EXPLANATION = "sdk/src/public.ts", "sdk/src/reporter.ts", "sdk/src/explanation.ts"


def members(source: str, interface: str, pattern: str = r"^  (\w+)\??:") -> list[str]:
    body = read(source).partition(f"export interface {interface} {{")[2].partition("\n}")[0]
    return re.findall(pattern, body, re.MULTILINE)


def listed(document: str, heading: str, header: str) -> set[str]:
    """The names in the first column of the table that begins with a header, below a heading."""
    _, _, table = prose(document).partition(f"{heading}\n")[2].partition(f"| {header} |")
    rows = re.match(r"[^\n]*\n(?:\|[^\n]*\n)+", table)
    assert rows, header
    cells = re.findall(r"^\| (.*?) \|", rows[0].partition("\n")[2], re.MULTILINE)
    return {name for cell in cells for name in re.findall(r'`"?([\w ]+)"?(?:\([\w]*\))?`', cell)}


@pytest.mark.parametrize(("document", "heading"), [(PAGE, "### Options"), (README, "# hgldp")])
def test_every_option_is_in_the_table_with_its_default(document: str, heading: str) -> None:
    assert listed(document, heading, "option") == set(members(PUBLIC, "Options"))
    defaults = dict(re.findall(r"(\w+) = (\w+)", re.findall(r"const \{ url, .* \} = options;", read(REPORTER))[0]))
    assert defaults.keys() == {"maxTotalEpsilon", "reportsPerDay", "gather"}
    for name, value in defaults.items():
        (row,) = re.findall(rf"^\| `{name}` \|.*\| (.*?) \|$", prose(document), re.MULTILINE)
        assert row == ("no limit" if value == "Infinity" else value)


def test_every_outcome_is_in_the_table() -> None:
    (union,) = re.findall(r"export type Outcome = (.*);", read(PUBLIC))
    outcomes = set(re.findall(r'"([\w ]+)"', union))
    assert len(outcomes) == 8
    assert listed(PAGE, "### Methods", "outcome") == outcomes


@pytest.mark.parametrize(("document", "heading"), [(PAGE, "### Methods"), (README, "# hgldp")])
def test_every_method_is_in_the_table(document: str, heading: str) -> None:
    methods = set(members(PUBLIC, "Reporter", r"^  (\w+)\("))
    assert methods >= {"report", "explain"}
    assert listed(document, heading, "method") | {"report"} == methods


def test_every_field_and_every_state_of_an_explanation_is_in_the_table() -> None:
    assert listed(PAGE, "### Why nothing arrives", "field") == set(members(EXPLANATION, "Explanation"))
    source = read(EXPLANATION)
    computed = source.partition("const running =")[2].partition("reason,")[0]
    ends = {"refused", "gpc", "closed"}
    states = set(re.findall(r'"([\w ]+)"', computed)) | ends
    assert states >= {"starting", "ready", "stale", "suspended", "spent", "opted out"}
    assert listed(PAGE, "### Why nothing arrives", "state") == states


def test_a_row_that_is_missing_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    without = re.sub(r"^\| `gather` \|.*\n", "", prose(PAGE), flags=re.MULTILINE)
    monkeypatch.setattr("tests.sdk.test_described.prose", lambda _: without)
    assert set(members(PUBLIC, "Options")) - listed(PAGE, "### Options", "option") == {"gather"}

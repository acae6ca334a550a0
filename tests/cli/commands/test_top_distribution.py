"""`hgldp top --distribution`: how shares are spread, as people see it."""

import io
import json

import pytest
from rich.console import Console

from hgldp.cli.commands.top.distribution import read, table_of
from tests.cli.conftest import run
from tests.collector.live_service import NUMBERS, Service

pytestmark = pytest.mark.usefixtures("tokens")

HEAVY = {"items": 2.0, "items_low": 2, "items_high": 2, "share": 0.5, "share_low": 0.48, "share_high": 0.52}
NEXT = {"items": 11.3, "items_low": 8, "items_high": 14, "share": 0.3, "share_low": 0.25, "share_high": 0.35}
BELOW = {"items": 986.7, "items_low": 984, "items_high": 990, "share": 0.2, "share_low": 0.15, "share_high": 0.25}
ANSWER = {
    "scheme": "pfr", "epoch": 4, "reports": 9_000, "window": None, "covered": 9_000, "told_above": 0.01,
    "decades": [{"low": 0.1, "high": 1.0, **HEAVY}, {"low": 0.01, "high": 0.1, **NEXT}], "below": BELOW,
}  # fmt: skip


def shown(answer: dict[str, object]) -> str:
    screen = io.StringIO()
    Console(file=screen, width=100, highlight=False).print(table_of(answer))
    return screen.getvalue()


def test_each_decade_has_its_items_its_interval_and_a_bar() -> None:
    lines = shown(ANSWER).splitlines()
    (heavy,) = (line for line in lines if line.startswith("10 % and more"))
    (middle,) = (line for line in lines if line.startswith("1 % – 10 %"))
    (below,) = (line for line in lines if line.startswith("below 1 %"))
    assert "50 % (48 … 52 %)" in heavy
    assert "8 … 14" in middle
    assert 0 < heavy.count("█") < middle.count("█") < below.count("█") == 24
    assert "These reports do not tell how" in shown(ANSWER)


def test_what_is_read_is_what_was_told() -> None:
    found = read(ANSWER)
    assert (found.size, found.reports, found.below) == (1_000, 9_000, 0.01)
    assert found.rest_items is not None
    assert found.rest_items[0] == pytest.approx(986.7)
    assert found.rest_items[1] == (1_000 - 16, 1_000 - 10)


def test_where_nothing_can_be_told_it_says_so() -> None:
    nothing = {**ANSWER, "decades": [], "below": {**BELOW, "items": 1000.0}, "told_above": 1.0}
    assert "These reports do not tell how many" in shown(nothing)
    assert "%" not in shown(nothing)
    assert "No reports yet." in shown({**nothing, "covered": 0, "reports": 0})


def test_it_is_asked_of_a_collector(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    made = service.create(**{**NUMBERS, "name": "Spread pages"})
    asked = ("top", made.id, "--url", service.url, "--distribution")
    assert "No reports yet." in run(capsys, *asked)[1]
    events: list[object] = [*[7] * 150, *[-5] * 50]
    for seed in range(3):
        service.upload(made, events, seed)
    told = json.loads(run(capsys, *asked, "--json")[1])
    assert (told["task"], told["covered"]) == (made.id, 600)
    assert run(capsys, *asked, "--csv")[1].startswith("low,high,items")
    code, _, err = run(capsys, *asked, "--k", "3")
    assert code == 2
    assert "--k must be left out with --distribution" in err

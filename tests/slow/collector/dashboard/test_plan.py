"""What the page of plans hands to its process, and that this process always ends."""

import asyncio
import json
import signal
import subprocess
import sys

import pytest

from hgldp.collector.dashboard.plan import process
from hgldp.collector.dashboard.plan.asked import KINDS, LIMITS, UNITS, PlanForm
from hgldp.collector.dashboard.plan.child import plan
from hgldp.collector.dashboard.plan.drawing import drawing
from hgldp.collector.dashboard.plan.page import row_of
from hgldp.collector.dashboard.plan.process import Planner
from hgldp.collector.problems import Problem, Refused
from hgldp.errors import InvalidField
from tests.patience import PATIENCE

SMALL = PlanForm(count="2000", unit="reports", size="50", k="2", epsilon="4", skew="1")


@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize("text", ["", "-1", "nan", "inf", "1e99", "9" * 16, "٣", "1;2"])
def test_numbers_have_limits(name: str, text: str) -> None:
    with pytest.raises(InvalidField, match=r"must be a (whole )?number in"):
        PlanForm(**{name: text}).question()


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("unit", "what they are must be one of people a day, people a week, people a month, reports a day"),
        ("kind", "what is counted must be one of items on a list, words that nobody lists"),
        ("skew", "how frequent they are must be one of I do not know, flat"),
    ],
)
def test_choices_are_among_those_offered_and_others_are_not_repeated(name: str, told: str) -> None:
    with pytest.raises(InvalidField, match=f"{told}.*, got another one"):
        PlanForm(**{name: "<script>"}).question()


def test_unknown_fields_are_ignored_and_long_ones_cut() -> None:
    assert PlanForm.of({"count": "1" * 99, "more": "x"}) == PlanForm(count="1" * 16)


def test_the_process_gives_the_rows_that_the_page_reads() -> None:
    found = asyncio.run(Planner().plan(SMALL))
    assert found is not None
    rows = [row_of(each) for each in found["rows"]]
    assert [row.reports for row in rows if row.days == 7] == [14_000]
    assert [row.precision.mean for row in rows if row.days == 30] == [1.0]
    assert drawing(rows, "precision", "precision").count("<circle") == len(rows)


def test_there_is_one_launch_on_a_stream_even_without_time() -> None:
    found = plan(SMALL, seconds=1e-9)
    assert {row["precision"]["launches"] for row in found["rows"]} == {1}


def test_only_one_plan_is_made_at_a_time_and_one_that_takes_too_long_is_ended() -> None:
    async def both() -> object:
        planner = Planner(seconds=1.0)
        first = asyncio.create_task(planner.plan(PlanForm(kind="urls", size="1000000")))
        await asyncio.sleep(0.1)
        with pytest.raises(Refused) as refused:
            await planner.plan(SMALL)
        assert refused.value.problem is Problem.TOO_MANY_QUESTIONS
        return await first

    assert asyncio.run(asyncio.wait_for(both(), PATIENCE)) is None


def test_a_process_that_fails_gives_no_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "CHILD", "hgldp.no_such_module")
    assert asyncio.run(Planner().plan(SMALL)) is None


def test_the_process_gets_no_secret_of_the_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    secrets = ("HGLDP_ADMIN_TOKEN", "HGLDP_DATABASE", "PGPASSWORD", "AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK")
    for name in secrets:
        monkeypatch.setenv(name, "secret")
    monkeypatch.setenv("PYTHONPATH", "somewhere")
    given: dict[str, str] = {}

    async def start(*_: str, env: dict[str, str], **__: object) -> None:
        given.update(env)
        raise OSError("not started")

    monkeypatch.setattr(asyncio, "create_subprocess_exec", start)
    with pytest.raises(OSError, match="not started"):
        asyncio.run(Planner().plan(SMALL))
    assert "secret" not in given.values()
    assert given["PYTHONPATH"] == "somewhere"
    assert set(given) & {"HOME", "PATH"}


CHILD = """
import json, sys, time
from hgldp.collector.dashboard.plan import child

takes = json.loads(sys.argv[1])

def plan(asked, seconds=8.0):
    until = time.process_time() + takes.pop(0)
    while time.process_time() < until:
        pass
    return {}

child.plan, child.CPU_SECONDS = plan, 2
child.main()
"""


@pytest.mark.parametrize(("takes", "code"), [([4.0, 0.1, 0.1], 0), ([0.1, 5.0, 5.0], -signal.SIGXCPU)])
def test_the_processor_time_of_a_plan_does_not_count_what_compiling_takes(takes: list[float], code: int) -> None:
    """What is compiled is compiled by the first plan, a tiny one."""
    command = [sys.executable, "-c", CHILD, json.dumps(takes)]
    assert subprocess.run(command, input=b"{}", capture_output=True, timeout=PATIENCE, check=False).returncode == code


def test_the_largest_form_is_checked_without_its_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is checked on the event loop: no share of an item is computed there."""
    for name in ("listed_shapes", "open_shapes"):
        monkeypatch.setattr(f"hgldp.collector.dashboard.plan.asked.{name}", None)
    for kind in KINDS:
        largest = PlanForm(count="100000000", unit="reports", kind=kind, size="1000000", k="100", epsilon="0.05")
        assert largest.task().k == 100


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("unit", UNITS)
def test_the_task_is_the_one_that_is_planned(kind: str, unit: str) -> None:
    asked = PlanForm(kind=kind, unit=unit)
    assert asked.task() == asked.question().task

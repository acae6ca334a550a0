"""What commands print and write has changed only on purpose."""

import pytest

from tests.recorded.agreement import assert_as_recorded
from tests.recorded.kinds import case_names

GROUPS = {
    "simulate hot lists": tuple(f"commands/simulate-{scheme}" for scheme in ("bgr", "dsr", "bdr", "cnr")),
    "simulate pfr": ("commands/simulate-pfr", "commands/simulate-open"),
    "check": ("commands/check", "commands/schemes"),
    "plan": ("commands/plan",),
    "audit": ("commands/audit",),
    "of a collector": ("commands/of-a-folder", "commands/offline", "commands/over-http"),
}


@pytest.mark.parametrize("group", GROUPS)
def test_commands_are_as_recorded(group: str) -> None:
    assert_as_recorded(*GROUPS[group])


def test_all_other_commands_are_as_recorded() -> None:
    grouped = tuple(case_names(*(beginning for each in GROUPS.values() for beginning in each)))
    assert_as_recorded("commands/", without=grouped)

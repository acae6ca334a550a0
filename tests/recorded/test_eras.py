"""What follows from a log stays the same as long as an era lasts."""

import pytest

from hgldp.collector.log import shown_top
from hgldp.collector.log.takeover.era import ERA
from hgldp.collector.log.task_copy import ranked_items
from tests.recorded.eras import ERAS, read_eras, what_follows


def test_a_log_leads_to_the_same_as_when_the_era_began() -> None:
    found = what_follows()
    assert read_eras().get(ERA) == found, (
        f"the same reports lead to something else than when era {ERA} began. If a release came out since, raise ERA "
        f"in hgldp/collector/log/takeover/era.py. Then write into {ERAS.name}: its number and {found}"
    )


def test_the_era_is_the_last_one_that_was_written_down() -> None:
    assert max(read_eras()) == ERA


def test_an_estimator_that_changed_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shown_top, "ranked_items", lambda answer, before: ranked_items(answer, before)[:-1])
    assert what_follows() != read_eras()[ERA]

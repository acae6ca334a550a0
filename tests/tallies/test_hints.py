"""What ends epochs from files has no list, and says so."""

import pytest

from hgldp.errors import InvalidField
from hgldp.model.domain import StringDomain
from hgldp.model.hints import Hints
from hgldp.model.task import Task
from hgldp.tallies.state import SealState


def test_a_task_that_names_a_list_is_refused() -> None:
    task = Task("pfr", epsilon=2.0, domain=StringDomain(16, Hints.of(["tea", "mate"])), k=3)
    with pytest.raises(InvalidField, match="hints must be left out of a task whose epochs end outside a collector"):
        SealState.start(task, 1, ())

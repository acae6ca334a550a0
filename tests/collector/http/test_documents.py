"""Each document is described once: what is parsed, documented, typed and shown comes from the same table."""

import json
import subprocess
import sys

import pytest

from hgldp.collector.http.documents.new_task import read_new_task
from hgldp.collector.http.documents.service import SCHEMAS
from hgldp.collector.http.documents.task import (
    FIELDS,
    NEEDED,
    NEW_TASK,
    OF_THE_BUDGET,
    OF_THE_TASK,
    state_document,
    task_document,
)
from hgldp.collector.http.documents.task_options import TaskOption, task_options
from hgldp.collector.problems import Refused
from hgldp.collector.statement import as_document, privacy_statement
from tests.collector.fakes import TASKS, start

LEGAL = {"name": "Words", "epsilon": 2, "domain": {"range": [0, 1000]}, "k": 5}
BOUNDED = [(each.name, each.schema["minimum"]) for each in (*OF_THE_BUDGET, *OF_THE_TASK) if "minimum" in each.schema]


@pytest.mark.parametrize("task", TASKS, ids=lambda task: f"{task.scheme}-{task.domain.size}")
def test_a_task_has_the_documented_fields_and_no_other(task: object) -> None:
    view = start(task).view()
    document = task_document(view)
    assert tuple(document) == tuple(FIELDS)
    assert set(document) == set(SCHEMAS["Task"]["properties"]) == set(SCHEMAS["Task"]["required"])
    assert {"top", "clear_top", "top_epoch", "top_reports"} == state_document(view).keys() - document.keys()


def test_a_statement_has_the_documented_fields_in_their_order() -> None:
    view = start(TASKS[0]).view()
    stated = as_document(privacy_statement(view.task, view.bulletin, view.state_bytes))
    assert ["task", *stated] == list(SCHEMAS["Statement"]["properties"])


@pytest.mark.parametrize(("name", "least"), BOUNDED)
def test_what_is_below_a_documented_bound_is_refused(name: str, least: int) -> None:
    scheme = "pfr" if name == "memory" else "dsr"
    with pytest.raises(Refused, match=name):
        read_new_task(json.dumps(LEGAL | {"scheme": scheme, name: least - 1}).encode())


def test_every_field_of_a_request_is_an_option_and_has_a_meaning() -> None:
    options = {each.name: each for each in task_options()}
    assert options.keys() == {each.name for each in NEW_TASK} - {"domain", "other"} | {"range", "words", "strings"}
    assert all(each.meaning for each in options.values())
    assert {each.kind for each in options.values()} == {
        "integer",
        "number",
        "text",
        "choice",
        "texts",
        "range",
        "file",
        "flag",
    }
    assert options["k"] == TaskOption(
        "k", "integer", "how many items to find", "K", agreed=True, least=1, most=2**32 - 1
    )
    assert options["level"].choices == ("event", "period", "window", "user")
    kept_here = {"name", "results", "origins", "reports_per_second", "reports_per_day", "reports_kept_hours"}
    kept_here |= {"results_kept_days", "warmup"}
    assert {name for name, each in options.items() if not each.agreed} == kept_here


def test_needed_fields_are_needed() -> None:
    assert SCHEMAS["NewTask"]["required"] == [each.name for each in NEEDED] == list(LEGAL)
    for name in LEGAL:
        with pytest.raises(Refused, match=f"no {name}"):
            read_new_task(json.dumps({key: value for key, value in LEGAL.items() if key != name}).encode())


def test_people_read_what_nothing_means() -> None:
    words = {name: each.if_none for name, each in FIELDS.items() if each.if_none}
    assert words == {
        "memory": "none", "half_life": "none", "epoch_seconds": "none", "daily_reports": "no limit", "origins": "none",
        "reports_per_second": "no limit", "reports_per_day": "no limit", "reports_kept_hours": "for ever",
        "results_kept_days": "for ever", "warmup_raw_items": "none",
        "closed": "no", "state_bytes": "none", "period": "none", "division": "none", "other": "no", "nothing": "no",
        "one_answer": "no", "spelling": "none",
    }  # fmt: skip
    assert FIELDS["half_life"].label == "half life"


def test_the_tables_need_the_standard_library_alone() -> None:
    """The command reads them for its help."""
    code = "import sys, hgldp.collector.http.documents.task; print(*{name.partition('.')[0] for name in sys.modules})"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"numpy", "numba", "starlette", "uvicorn", "rich"} & set(loaded)

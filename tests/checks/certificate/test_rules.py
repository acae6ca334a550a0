"""Every rule of docs/verify_certificate.py refuses something that all other rules let pass."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from hgldp.checks.certificate import certificate, wrong_with
from hgldp.model.task import Task
from tests.checks.certificate.made import SCRIPT
from tests.documents import ROOT

DSR = Task("dsr", epsilon=1.0, domain=range(9), k=1, cells=2)
PFR = Task("pfr", epsilon=1.0, domain=range(9), k=2, cells=64)
TEXT = (ROOT / "docs" / "verify_certificate.py").read_text(encoding="utf-8")
RULES = re.findall(r'need\(.*, "(.*)"\)$', TEXT, re.MULTILINE)
W, S = 11674931554, 4294967296


def quiet(found: Any) -> Any:
    return found["laws"][0]


def no_answer_of_one_slot(found: Any) -> None:
    """A cold item then gives one slot with twice the weight and the other one never."""
    quiet(found)["items"]["cold"]["slot"] = [[2 * S, 1]]


def one_unit_too_far(found: Any) -> None:
    law = quiet(found)
    law["total"] += 1
    law["items"]["hot"]["slot"][0][0] += 1
    law["items"]["cold"]["cold"][0][0] += 1


def less_than_none(found: Any) -> None:
    """One slot more and one less of the same weight: neither the sum nor the width changes."""
    quiet(found)["items"]["cold"]["slot"] += [[S, 1], [S, -1]]


BROKEN: dict[str, tuple[Task, Callable[[Any], object]]] = {
    "the version must be 1": (DSR, lambda found: found.update(certificate=2)),
    "the document must hash to the task": (DSR, lambda found: found.update(task=PFR.id.hex())),
    "epsilon_per_report must follow from the document": (DSR, lambda found: found.update(epsilon_per_report="2")),
    "each kind of bulletin and item must be there": (DSR, lambda found: quiet(found)["items"].pop("cold")),
    "numbers of cells must be whole": (
        PFR,
        lambda found: found["laws"][0]["cells"].insert(0, float(found["laws"][0]["cells"].pop(0))),
    ),
    "each number of cells must have one law": (PFR, lambda found: found["laws"].pop(0)),
    "the laws must end at the cells of the document": (PFR, lambda found: found["laws"].pop()),
    "numbers must be above 0": (DSR, less_than_none),
    "each row must sum to the total": (DSR, lambda found: quiet(found).update(total=W)),
    "each row must have a weight for each symbol": (DSR, no_answer_of_one_slot),
    "the weights of a symbol must be within e^ε": (DSR, one_unit_too_far),
}


def test_each_rule_of_the_script_has_its_case() -> None:
    assert sorted(RULES) == sorted(BROKEN)


@pytest.mark.parametrize("rule", BROKEN)
def test_each_rule_refuses_what_the_others_let_pass(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    task, spoil = BROKEN[rule]
    found = json.loads(certificate(task))
    SCRIPT.verify(found, task.canonical)
    spoil(found)
    with pytest.raises(ValueError, match=f"^{re.escape(rule)}$"):
        SCRIPT.verify(found, task.canonical)
    assert wrong_with(json.dumps(found).encode(), task)
    need = SCRIPT.need
    monkeypatch.setattr(SCRIPT, "need", lambda holds, told: told == rule or need(holds, told))
    SCRIPT.verify(found, task.canonical)

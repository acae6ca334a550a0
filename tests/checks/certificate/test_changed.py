"""Every certificate is accepted, and each with one number changed is refused: by the script and by the package."""

import json
import re
from fractions import Fraction

import pytest

from hgldp.checks.certificate import certificate, wrong_with
from hgldp.checks.certificate.law import Law, weights
from hgldp.checks.certificate.verify import breaches
from hgldp.model.task import Task
from tests.checks.certificate.made import accepted, changed_certificates, numbers, tasks, with_change
from tests.documents import prose

CHANGED = 240
NUMBER = re.compile(r"\d+")


@pytest.mark.parametrize("task", tasks(), ids=lambda task: f"{task.scheme}-{float(task.budget.epsilon):g}")
def test_the_certificate_of_every_scheme_and_kind_of_bulletin_is_accepted(task: Task) -> None:
    assert accepted(certificate(task), task)
    assert wrong_with(certificate(task), task) == []


def test_each_certificate_with_one_number_changed_is_refused_by_both() -> None:
    """Over all schemes, budgets and kinds of bulletins; no false alarm is possible, since the seed is fixed."""
    seen = 0
    for task, place, change, data in changed_certificates(CHANGED, seed=13):
        assert not accepted(data, task), (task.scheme, place, change)
        assert wrong_with(data, task), (task.scheme, place, change)
        seen += 1
    assert seen == CHANGED >= 200
    told = " ".join(prose("docs/certificate.md").split())
    assert f"adds one to each number of {len(tasks())} certificates" in told
    assert f"another changes {CHANGED} by" in told


@pytest.mark.parametrize("task", tasks(), ids=lambda task: f"{task.scheme}-{float(task.budget.epsilon):g}")
def test_no_number_of_a_certificate_is_free(task: Task) -> None:
    """One more and one less, at every place of every certificate."""
    document = json.loads(certificate(task))
    places = list(numbers(document))
    assert len(places) == len(NUMBER.findall(json.dumps({**document, "task": "0"})))
    for place in places:
        for change in (1, -1):
            data = with_change(document, place, change)
            assert not accepted(data, task), (place, change)
            assert wrong_with(data, task), (place, change)


def test_each_digit_of_the_hash_counts() -> None:
    task = Task("bgr", epsilon=1.0, domain=range(9))
    document = json.loads(certificate(task))
    for place in range(64):
        data = with_change(document, ("task", 0), 16**place)
        assert not accepted(data, task)
        assert wrong_with(data, task) == [f"task must be {task.id.hex()!r}, got {json.loads(data)['task']!r}"]


def test_a_certificate_without_one_kind_of_item_or_without_symbols_is_refused() -> None:
    """No number is changed, but nothing is said of some item."""
    task = Task("dsr", epsilon=1.0, domain=range(9))
    for law in (0, 1):
        for kind, row in (("hot", None), ("cold", None), ("hot", {}), ("cold", {})):
            document = json.loads(certificate(task))
            document["laws"][law]["items"].pop(kind)
            if row is not None:
                document["laws"][law]["items"][kind] = row
            assert not accepted(json.dumps(document).encode(), task)
            assert wrong_with(json.dumps(document).encode(), task)
    nothing = {"total": 0, "items": {"hot": {}, "cold": {}}}
    document["laws"] = [{**law, **nothing} for law in document["laws"]]
    assert not accepted(json.dumps(document).encode(), task)


def test_a_row_with_other_symbols_is_refused_although_it_sums_to_the_total() -> None:
    """⊥ of one half and a slot of the other would be told apart with certainty."""
    document = json.loads(certificate(task := Task("dsr", epsilon=1.0, domain=range(9), k=1, cells=1)))
    quiet = document["laws"][0]
    quiet["items"]["hot"] = {"slot": [[quiet["total"], 1]]}
    assert not accepted(json.dumps(document).encode(), task)
    quiet["items"]["hot"] = {"slot": [[quiet["total"] - 1, 1]], "cold": [[1, 1]]}
    assert not accepted(json.dumps(document).encode(), task)
    law = Law("any", 4, {"one": {"a": weights((2, 2))}, "two": {"a": weights((4, 1))}, "three": {"a": weights((2, 1))}})
    assert len(breaches(law, Fraction(1))) == 3
    assert len(breaches(Law("any", 0, {"one": {"a": weights((1, 1), (-1, 1))}}), Fraction(1))) == 1


def test_a_certificate_of_another_task_is_refused() -> None:
    one, other = (Task("dsr", epsilon=1.0, domain=range(9), k=k) for k in (2, 3))
    assert not accepted(certificate(one), other)
    assert wrong_with(certificate(one), other)


def test_a_certificate_that_leaves_a_kind_of_bulletin_out_is_refused() -> None:
    for task in (Task("bdr", epsilon=1.0, domain=range(9)), Task("pfr", epsilon=1.0, domain=range(9), k=2, cells=64)):
        document = json.loads(certificate(task))
        for gone in range(len(document["laws"])):
            some = {**document, "laws": [law for place, law in enumerate(document["laws"]) if place != gone]}
            assert not accepted(json.dumps(some).encode(), task)
            assert wrong_with(json.dumps(some).encode(), task)


def test_the_certificate_states_what_one_report_spends() -> None:
    every = {task.budget.per_report: json.loads(certificate(task))["epsilon_per_report"] for task in tasks()}
    assert every == {spent: str(spent) for spent in every}


def test_what_is_no_certificate_is_refused_with_a_sentence() -> None:
    task = Task("bgr", epsilon=1.0, domain=range(9))
    assert wrong_with(b"[]", task) == ["certificate must be a dict of 4, got a list of 0"]
    assert wrong_with(b"\xff", task) == ["JSON must be in UTF-8"]
    assert wrong_with(b'{"a":1,"a":2}', task) == ["JSON must name each key once"]

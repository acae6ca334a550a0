"""Every certificate is accepted, and each with one number changed is refused: by the script and by the package."""

import json

import pytest

from hgldp.checks.certificate import certificate, wrong_with
from hgldp.model.budget import Budget
from hgldp.model.task import Task
from tests.checks.certificate.made import accepted, changed_certificates, numbers, tasks, with_change

CHANGED = 240


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


@pytest.mark.parametrize("task", [task for task in tasks() if task.budget.epsilon == 2.0], ids=lambda task: task.scheme)
def test_no_number_of_a_certificate_is_free(task: Task) -> None:
    """One more and one less, at every place of every kind at one ε."""
    document = json.loads(certificate(task))
    places = list(numbers(document))
    assert len(places) > 10
    for place in places:
        for change in (1, -1):
            data = with_change(document, place, change)
            assert not accepted(data, task), (place, change)
            assert wrong_with(data, task), (place, change)


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
    document = json.loads(certificate(Task("dsr", Budget(1.0, "user", 1), range(9))))
    assert (document["epsilon"], document["level"], document["epsilon_per_report"]) == ("1", "user", "1")
    every = {task.budget.per_report: json.loads(certificate(task))["epsilon_per_report"] for task in tasks()}
    assert every == {spent: str(spent) for spent in every}


def test_what_is_no_certificate_is_refused_with_a_sentence() -> None:
    task = Task("bgr", epsilon=1.0, domain=range(9))
    assert wrong_with(b"[]", task) == ["certificate must be a dict of 8, got a list of 0"]
    assert wrong_with(b"\xff", task) == ["JSON must be in UTF-8"]
    assert wrong_with(b'{"a":1,"a":2}', task) == ["JSON must name each key once"]

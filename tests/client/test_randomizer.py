"""The client's half: its ceilings, its refusals, and that it never says more than it should."""

import pytest

from hgldp.client import Randomizer
from hgldp.errors import BudgetSpent, InvalidField, OutsideDomain
from hgldp.model.budget import Budget
from hgldp.model.bulletins import Bulletin
from hgldp.model.domain import RangeDomain, Vocabulary
from hgldp.model.randomness import SeededWords, Words
from hgldp.model.task import Task

TASK = Task("dsr", Budget(1.0), RangeDomain(20), k=2, cells=3)
BULLETIN = Bulletin(TASK.id, 0, 20, (4, 5, 6))


class NoWords(Words):
    """Refuses to be asked: nothing random happens before everything is checked."""

    def word(self) -> int:
        raise AssertionError("a word was drawn")


def test_a_task_above_the_clients_own_ceiling_is_refused() -> None:
    with pytest.raises(InvalidField, match=r"epsilon must be at most this client's ceiling 0.5, got 1.0"):
        Randomizer(TASK, max_epsilon=0.5)


def test_a_scheme_the_client_does_not_accept_is_refused() -> None:
    with pytest.raises(InvalidField, match="scheme must be one that this client accepts"):
        Randomizer(TASK, max_epsilon=1.0, accepted=frozenset({"cnr"}))


def test_an_unknown_scheme_among_the_accepted_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(InvalidField, match=r"accepted must be .*, got 'DSRR'; did you mean dsr\?"):
        Randomizer(TASK, max_epsilon=1.0, accepted=frozenset({"DSRR"}))
    assert Randomizer(TASK, max_epsilon=1.0, accepted=frozenset({"DSR"})).accepted == {"dsr"}


@pytest.mark.parametrize(
    "forged",
    [
        Bulletin(bytes(32), 0, 20, (4, 5, 6)),
        Bulletin(TASK.id, 0, 20, (4, 5)),
        Bulletin(TASK.id, 0, 21, (4, 5, 6)),
    ],
)
def test_a_bulletin_of_another_task_or_shape_is_refused_before_anything_is_drawn(forged: Bulletin) -> None:
    client = Randomizer(TASK, max_epsilon=1.0, words=NoWords())
    with pytest.raises(InvalidField, match="bulletin must"):
        client.report(4, forged)
    assert client.sent == 0


def test_an_item_outside_the_domain_is_refused_and_not_repeated() -> None:
    task = Task("dsr", Budget(1.0), Vocabulary(("tea", "coffee", "mate", "water")), k=1, cells=2)
    client = Randomizer(task, max_epsilon=1.0, words=NoWords())
    with pytest.raises(OutsideDomain) as refused:
        client.report("my secret", Bulletin(task.id, 0, 4, (0, 1)))
    assert "secret" not in str(refused.value)
    assert client.sent == 0


def test_a_users_budget_ends_after_its_events() -> None:
    task = Task("dsr", Budget(1.0, "user", 3, division="budget"), RangeDomain(20), k=2, cells=3)
    bulletin, client = Bulletin(task.id, 0, 20, (4, 5, 6)), Randomizer(task, max_epsilon=1.0, words=SeededWords(1))
    for _ in range(3):
        client.report(4, bulletin)
    with pytest.raises(BudgetSpent, match="events must be at most 3 per user"):
        client.report(4, bulletin)
    assert client.sent == 3


def test_a_report_names_the_bulletin_it_answers_and_holds_nothing_else() -> None:
    report = Randomizer(TASK, max_epsilon=1.0).report(4, BULLETIN)
    assert report.bulletin == BULLETIN.version
    assert set(report.__slots__) == {"bulletin", "symbol"}


@pytest.mark.parametrize("ceiling", [float("nan"), float("inf"), 0.0, -1.0])
def test_a_ceiling_that_is_none_refuses_everything(ceiling: float) -> None:
    with pytest.raises(InvalidField, match="max_epsilon must be finite and above 0"):
        Randomizer(TASK, max_epsilon=ceiling)


def test_accepted_schemes_are_a_set_and_not_a_text() -> None:
    with pytest.raises(InvalidField, match="accepted must be a set of scheme names"):
        Randomizer(TASK, max_epsilon=1.0, accepted="xxdsrxx")  # type: ignore[arg-type]


def test_the_state_of_the_generator_is_not_shown() -> None:
    assert "SeededWords" not in repr(Randomizer(TASK, max_epsilon=1.0, words=SeededWords(1)))


@pytest.mark.parametrize("scheme", ["bgr", "dsr", "bdr", "cnr"])
def test_what_cannot_be_drawn_is_refused_before_the_first_event(scheme: str) -> None:
    task = Task(scheme, Budget(10.0, "user", 2, division="budget"), RangeDomain(2**31 - 1), k=1, cells=2, tight=False)
    with pytest.raises(InvalidField, match="must keep the total of the weights within"):
        Randomizer(task, max_epsilon=10.0)

import pytest

from hgldp.collector.dashboard.live.places import StreamPlaces
from hgldp.collector.problems import Problem, Refused


class Held:
    ended = False

    def end(self) -> None:
        self.ended = True


def enter(places: StreamPlaces, address: str, *, known: bool = False) -> Held:
    held = Held()
    places.enter(held, address, known=known)
    return held


def refused(places: StreamPlaces, address: str, *, known: bool = False) -> bool:
    try:
        enter(places, address, known=known)
    except Refused as wrong:
        return wrong.problem is Problem.TOO_MANY_STREAMS
    return False


def test_one_address_may_hold_all_until_somebody_else_comes() -> None:
    places = StreamPlaces(10, 2)
    greedy = [enter(places, "greedy") for _ in range(8)]
    assert refused(places, "greedy")
    others = [enter(places, f"{number}") for number in range(7)]
    assert [each.ended for each in greedy] == [True] * 7 + [False]
    assert not any(each.ended for each in others)
    assert refused(places, "late"), "everyone holds one"
    with pytest.raises(Refused):
        places.check("late", known=False)
    assert refused(places, "greedy")
    assert len(places) == 8


def test_strangers_never_take_the_reserve() -> None:
    places = StreamPlaces(10, 2)
    for number in range(8):
        enter(places, f"{number}")
    assert refused(places, "stranger")
    assert [enter(places, "reader", known=True).ended for _ in range(2)] == [False, False]
    assert len(places) == 10


def test_who_has_a_token_comes_before_strangers() -> None:
    places = StreamPlaces(10, 2)
    strangers = [enter(places, f"{number}") for number in range(8)]
    for number in range(10):
        enter(places, f"reader {number}", known=True)
    assert all(each.ended for each in strangers)
    assert refused(places, "another reader", known=True)
    assert refused(places, "stranger")
    assert len(places) == 10


def test_one_token_may_hold_all_until_somebody_else_comes() -> None:
    places = StreamPlaces(10, 2)
    greedy = [enter(places, "greedy", known=True) for _ in range(10)]
    assert refused(places, "greedy", known=True)
    others = [enter(places, "reader", known=True), enter(places, "admin", known=True), enter(places, "stranger")]
    assert [each.ended for each in greedy] == [True] * 3 + [False] * 7
    assert refused(places, "greedy", known=True)
    assert not any(each.ended for each in others)


def test_one_token_does_not_push_out_strangers_who_hold_one_place_each() -> None:
    places = StreamPlaces(10, 2)
    strangers = [enter(places, f"{number}") for number in range(8)]
    for _ in range(20):
        refused(places, "greedy", known=True)
    assert not any(each.ended for each in strangers)


def test_a_place_that_is_given_back_is_free() -> None:
    places = StreamPlaces(3, 1)
    held = [enter(places, "one"), enter(places, "one")]
    assert refused(places, "one")
    places.leave(held[0], "one", known=False)
    places.leave(held[0], "one", known=False)
    assert not refused(places, "one")


def test_the_table_has_no_more_rows_than_places() -> None:
    places = StreamPlaces(10, 2)
    for number in range(10_000):
        held = Held()
        try:
            places.enter(held, f"{number}", known=False)
        except Refused:
            continue
        if number % 3:
            places.leave(held, f"{number}", known=False)
    assert len(places._strangers) <= 8


@pytest.mark.parametrize("most", [4, 256])
def test_newcomers_get_in_however_greedy_one_is(most: int) -> None:
    """As long as they are fewer than the places."""
    places = StreamPlaces(most, 0)
    for number in range(most // 2):
        for _ in range(most):
            if refused(places, "greedy"):
                break
        assert not refused(places, f"{number}")

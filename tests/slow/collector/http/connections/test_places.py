"""Places and bytes are shared fairly: a newcomer gets in, and whoever has the most gives something up."""

import random

from hgldp.collector.http.connections.client_address import networks_of
from hgldp.collector.http.connections.places import BUSY, IDLE, SLOW, Account, Places


class Line:
    """A connection that notes whether it was cut off, or lost its bytes."""

    account: Account | None = None
    held, turn, used = 0, IDLE, False
    was_cut = was_emptied = False

    def cut(self) -> None:
        self.was_cut = True

    def let_go(self) -> None:
        self.was_emptied = True


def entered(places: Places, address: str, number: int = 1) -> list[Line]:
    lines = [Line() for _ in range(number)]
    assert all(places.enter(line, address) for line in lines)
    return lines


def test_one_address_may_have_all_until_another_comes() -> None:
    places = Places(100, 1_000)
    crowd = entered(places, "192.0.2.1", 100)
    assert not any(line.was_cut for line in crowd)
    entered(places, "192.0.2.2", 60)
    assert [line.was_cut for line in crowd] == [True] * 50 + [False] * 50
    assert places.taken == 100


def test_who_was_not_used_goes_first_and_what_waits_for_us_never() -> None:
    places = Places(4, 1_000)
    busy, used, slow, idle = lines = entered(places, "192.0.2.1", 4)
    for line in lines:
        line.used = False
    busy.turn, used.used, slow.turn = BUSY, True, SLOW
    entered(places, "192.0.2.2")
    assert [line.was_cut for line in lines] == [False, False, True, False]
    entered(places, "192.0.2.3")
    assert idle.was_cut
    entered(places, "192.0.2.4")
    assert used.was_cut
    assert not busy.was_cut


def test_if_all_wait_for_us_a_newcomer_is_refused() -> None:
    places = Places(2, 1_000)
    for line in entered(places, "192.0.2.1", 2):
        line.turn = BUSY
    assert not places.enter(Line(), "192.0.2.2")
    assert (places.taken, places.refused, places.cut) == (2, 1, 0)


def test_a_flood_of_one_address_displaces_only_itself() -> None:
    places = Places(50, 1_000)
    honest = [entered(places, f"198.51.100.{n}")[0] for n in range(20)]
    for _ in range(1_000):
        entered(places, "192.0.2.1")
    assert not any(line.was_cut for line in honest)


def test_households_of_ipv6_count_as_one() -> None:
    places = Places(50, 1_000)
    honest = entered(places, "198.51.100.1", 10)
    for n in range(500):
        entered(places, f"2001:db8::{n:x}")
    assert not any(line.was_cut for line in honest)


def test_a_proxys_neighbour_in_the_same_household_of_ipv6_is_no_proxy() -> None:
    places = Places(100, 1_000, networks_of(["2001:db8::5"]))
    proxy, neighbour = entered(places, "2001:db8::5", 50), entered(places, "2001:db8::9", 50)
    entered(places, "192.0.2.1", 20)
    assert not any(line.was_cut for line in proxy)
    assert sum(line.was_cut for line in neighbour) == 20


def test_a_trusted_proxy_is_never_the_one_with_too_many() -> None:
    places = Places(100, 1_000, networks_of(["10.0.0.1"]))
    proxy, direct = entered(places, "10.0.0.1", 90), entered(places, "192.0.2.1", 10)
    entered(places, "10.0.0.1", 5)
    assert sum(line.was_cut for line in direct) == 5
    assert not any(line.was_cut for line in proxy)
    alone = Places(10, 1_000, networks_of(["10.0.0.1"]))
    lines = entered(alone, "10.0.0.1", 11)
    assert lines[0].was_cut


def test_whoever_holds_the_most_bytes_loses_them() -> None:
    places = Places(100, 1_000)
    greedy, modest = entered(places, "192.0.2.1", 12), entered(places, "192.0.2.2", 2)
    for line in (*greedy, *modest):
        line.turn = SLOW
        places.hold(line, 100)
    assert [line.was_emptied for line in greedy] == [True, True] + [False] * 8 + [True, True]
    assert not any(line.was_emptied for line in modest)
    assert (places.held, places.taken, places.cut) == (1_000, 14, 4)
    places.leave(greedy[0])
    places.leave(greedy[2])
    places.leave(greedy[2])
    assert (places.held, places.taken) == (900, 12)


def test_one_that_alone_holds_too_much_loses_it() -> None:
    places = Places(100, 1_000)
    (line,) = entered(places, "192.0.2.1")
    places.hold(line, 1_001)
    assert line.was_emptied
    assert (places.held, places.taken) == (0, 1)


def test_the_books_are_right_after_anything() -> None:
    """Ten thousand random moves, compared with a plain count. There is no chance in it: the seed is fixed."""
    draw, places, lines = random.Random(1), Places(40, 5_000, networks_of(["10.0.0.0/8"])), list[Line]()
    for _ in range(10_000):
        lines = [line for line in lines if line.account is not None]
        move = draw.randrange(6)
        if move == 0 or not lines:
            line = Line()
            if places.enter(line, draw.choice(["192.0.2.1", "192.0.2.2", "10.0.0.1", "2001:db8::1", ""])):
                lines.append(line)
            continue
        line = draw.choice(lines)
        if move == 4:
            line.turn = SLOW
            places.hold(line, draw.randrange(400))
        elif move == 3:
            places.leave(line)
        else:
            line.turn, line.used = draw.choice([IDLE, BUSY]), True
            places.hold(line, 0)
        here = [line for line in lines if line.account is not None]
        assert places.taken == len(here) <= 40
        assert places.held == sum(line.held for line in here) <= 5_000
        assert not any(line.was_cut for line in here)
    for line in lines:
        places.leave(line)
    assert (places.taken, places.held, places._accounts, places._by_seats, places._proxies) == (0, 0, {}, {}, {})

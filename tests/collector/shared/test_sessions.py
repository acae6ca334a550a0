"""Sign-outs where several collectors share a store: any of them ends a session, and all of them know."""

from hgldp.collector.collector import Collector
from hgldp.collector.sessions import MOST_ENDED, SECONDS, Session
from hgldp.collector.tokens import disguised
from tests.collector.fakes import FakeClock
from tests.collector.shared.conftest import Pair

TEA, MATE = disguised("tea"), disguised("mate")


def begun(collector: Collector, disguise: str = TEA, seconds: float = 0) -> Session:
    found = collector.sessions.read(collector.sessions.begin(disguise, collector.now() + seconds))
    assert found is not None
    return found


def rows(collector: Collector) -> int:
    return int(collector.storage._read("SELECT count(*) FROM ended_sessions")[0][0])


def test_who_signs_out_at_one_is_signed_out_at_all(pair: Pair, postgres_url: str, clock: FakeClock) -> None:
    one, other = pair
    cookie = one.sessions.begin(TEA, one.now())
    gone, stays = other.sessions.read(cookie), begun(one)
    assert gone is not None, "signed in at one, known at the other"
    other.sessions.end([gone], other.now())
    assert other.sessions.has_ended(gone, other.now())
    clock.advance(2)
    one.step()
    later = Collector.join(postgres_url, clock=clock, threaded=False)
    for each in (one, other, later):
        assert each.sessions.has_ended(gone, each.now())
        assert not each.sessions.has_ended(stays, each.now())
    later.close()


def test_the_table_stays_small_and_what_ended_by_itself_goes(pair: Pair, clock: FakeClock) -> None:
    one = pair[0]
    old, other = begun(one, seconds=-10), begun(one, MATE, -10)
    ended = [begun(one, seconds=number) for number in range(MOST_ENDED + 2)]
    for some in (ended[: MOST_ENDED - 1], ended[MOST_ENDED - 1 :]):
        one.sessions.end(some, one.now())
    assert rows(one) == MOST_ENDED
    assert all(one.sessions.has_ended(each, one.now()) for each in (old, *ended))
    assert not one.sessions.has_ended(other, one.now())
    clock.advance(SECONDS + 2 * MOST_ENDED)
    one.sessions.end([begun(one)], one.now())
    assert rows(one) == 1

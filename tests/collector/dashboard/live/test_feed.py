import json

from hgldp.collector.dashboard.live.feed import MOST_EVENTS, Feed, write_state
from hgldp.collector.dashboard.live.stream import regions_writer
from tests.collector.dashboard.live.watching import Shown


def regions() -> Feed:
    return Feed(Shown(), regions_writer(lambda: 1_700_000_000.04), 1.0)


def said(event: bytes) -> dict[str, object]:
    assert event.startswith(b"event: regions\ndata: ")
    assert event.count(b"\n") == 3
    return json.loads(event.split(b"data: ", 1)[1])


def test_a_part_is_sent_to_those_who_lack_its_last_change() -> None:
    feed = regions()
    assert feed.put({"a": "1", "b": "2"})
    first = feed.turn
    assert feed.put({"a": "1", "b": "3"})
    assert said(feed.event_since(first)) == {"now": 1_700_000_000.0, "mark": feed.mark, "regions": {"b": "3"}}
    assert said(feed.event_since(0))["regions"] == {"a": "1", "b": "3"}
    assert feed.event_since(feed.turn) == b""


def test_nothing_new_is_no_turn() -> None:
    feed = regions()
    feed.put({"a": "1"})
    turn = feed.turn
    assert not feed.put({"a": "1"})
    assert feed.turn == turn


def test_all_who_lack_the_same_get_the_same_bytes() -> None:
    feed = regions()
    feed.put({"a": "1"})
    feed.put({"a": "2"})
    assert feed.event_since(1) is feed.event_since(1)


def test_a_part_is_encoded_once_however_many_lack_it(monkeypatch) -> None:
    encoded = []
    real = json.dumps
    monkeypatch.setattr(json, "dumps", lambda value, **how: encoded.append(value) or real(value, **how))
    feed = regions()
    for number in range(20):
        feed.put({"still": "as it was", "new": f"turn {number}"})
        for turn in range(number):
            feed.event_since(turn)
    assert encoded.count("as it was") == 1
    assert all(encoded.count(f"turn {number}") <= 1 for number in range(20))
    assert len(feed._events) <= MOST_EVENTS


def test_a_mark_of_another_feed_stands_for_nothing() -> None:
    one, other = regions(), regions()
    for feed in (one, other):
        feed.put({"a": "1"})
        feed.put({"a": "2"})
    assert one.turn_of(one.mark) == 2
    for strange in (other.mark, "", ".", "x.2", f"{one.mark}{'9' * 5000}", one.mark.replace(".", ".-"), "\x00.²"):
        assert one.turn_of(strange) == 0
    assert one.turn_of(one.mark + "0") == 2, "a turn that has not come is the last one"


def test_no_item_can_end_an_event_early() -> None:
    feed = Feed(Shown(), write_state, 1.0)
    feed.put({"state": {"item": "tea\n\ndata: forged\r\n\u2028", "bad": float("nan")}})
    sent = feed.event_since(0)
    assert sent.count(b"\n") == 3
    assert json.loads(sent.split(b"data: ", 1)[1]) == {"item": "tea\n\ndata: forged\r\n\u2028", "bad": None}

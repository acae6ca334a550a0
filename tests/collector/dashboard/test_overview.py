import asyncio
from dataclasses import replace

import pytest

from hgldp.collector.dashboard import overview
from hgldp.collector.dashboard.live import Live
from hgldp.collector.dashboard.overview import CARDS_PER_PAGE, Cards, Overview, whole_list
from hgldp.collector.dashboard.regions import Regions, Where
from hgldp.collector.views import TaskTerms
from tests.collector.fake_collector import FakeCollector, line, numbers_task, view

WHERE = Where("https://example.org/hot", "/hot")
PUBLIC = view(numbers_task(), [line(7, 900.0)], reports=20_000)
SECRET = view(numbers_task(epoch=8), terms=TaskTerms("Secret", "token"), created=1_700_000_005.0)
OTHER = view(numbers_task(epoch=9), terms=TaskTerms("Other secret", "token"))


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Every card that was really rendered."""
    found: list[object] = []
    real = overview.card_region
    monkeypatch.setattr(overview, "card_region", lambda *what: found.append(what[0]) or real(*what))
    return found


def shown_to(collector: FakeCollector, *audiences: frozenset[bytes] | None, page: int = 1) -> list[Regions]:
    live = Live(collector)
    cards = Cards(live, WHERE.base)
    looks = [Overview(collector, live, cards, WHERE, audience, page) for audience in audiences]

    async def look() -> list[Regions]:
        return [await each(waits=True) for each in looks]

    return asyncio.run(look())


def test_each_audience_sees_its_own_tasks_and_all_share_the_cards(drawn: list[object]) -> None:
    collector = FakeCollector(PUBLIC, SECRET, OTHER)
    strangers, reader, admin = shown_to(collector, frozenset(), frozenset([SECRET.id]), None)
    assert "Secret" not in "".join(strangers.values())
    assert len(strangers) == 4
    assert list(reader)[3:] == [f"card-{SECRET.id.hex()}", f"card-{PUBLIC.id.hex()}"]
    assert len(admin) == 6
    assert len(drawn) == 3, "a card is drawn once, whoever sees it"


def test_the_foot_tells_of_raw_items_only_to_those_who_may_see_the_task() -> None:
    collector = FakeCollector(PUBLIC, replace(SECRET, terms=TaskTerms("Secret", "token", warmup=9)))
    strangers, reader = shown_to(collector, frozenset(), frozenset([SECRET.id]))
    assert ("raw" in strangers["foot"], "raw" in reader["foot"]) == (False, True)


def test_only_what_changed_is_drawn_again(drawn: list[object]) -> None:
    collector = FakeCollector(PUBLIC, replace(SECRET, terms=TaskTerms("Words", "public")))
    live = Live(collector)
    look = Overview(collector, live, Cards(live, WHERE.base), WHERE, frozenset(), 1)

    async def scene() -> None:
        first = await look(waits=True)
        collector.put(replace(PUBLIC, reports=20_001))
        second = await look(waits=False)
        assert [name for name in first if first[name] is not second[name]] == [f"card-{PUBLIC.id.hex()}"]
        del collector.views[PUBLIC.id]
        third = await look(waits=False)
        assert PUBLIC.id.hex() not in third["tasks"]
        assert len(third) == 4

    asyncio.run(scene())
    assert len(drawn) == 3


def test_many_tasks_come_in_pages() -> None:
    many = [view(numbers_task(epoch=100 + number)) for number in range(2 * CARDS_PER_PAGE + 1)]
    pages = [shown_to(FakeCollector(*many), frozenset(), page=number)[0] for number in (1, 3, 4)]
    assert [len(each) - 3 for each in pages] == [CARDS_PER_PAGE, 1, 0]
    assert 'href="/hot/?page=2"' in pages[0]["pages"]
    assert "Page 3 of 3" in pages[1]["pages"]
    assert 'href="/hot/?page=3"' in pages[2]["pages"]
    assert shown_to(FakeCollector(PUBLIC), frozenset())[0]["pages"] == ""


def test_a_new_page_has_its_cards_in_the_list() -> None:
    (regions,) = shown_to(FakeCollector(PUBLIC), frozenset())
    whole = whole_list(regions, WHERE, all_seen=False)
    assert regions[f"card-{PUBLIC.id.hex()}"] in whole
    assert f'href="/hot/tasks/{PUBLIC.id.hex()}"' in whole

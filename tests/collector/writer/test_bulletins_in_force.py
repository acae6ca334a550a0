"""The table knows the bulletins that clients may answer, and no others."""

from pathlib import Path

from tests.collector.fakes import HOT, SEARCH, FakeClock, create, open_by_hand, upload


def test_the_table_is_what_the_views_hold(tmp_path: Path) -> None:
    collector = open_by_hand(tmp_path / "data", FakeClock())
    seen = set()
    create(collector, HOT, SEARCH)
    for number in range(12):
        for view in collector.tasks():
            collector.offer(view, upload(view, seed=number))
        collector.step()
        for view in collector.tasks():
            collector.seal(view.id)
        now = {each.version: each.canonical for view in collector.tasks() for each in view.bulletins}
        seen |= now.keys()
        assert {version: collector.in_force(version) for version in now} == now
        assert all(collector.in_force(version) is None for version in seen - now.keys())
    assert len(seen) > len(now)
    first, second = collector.tasks()
    collector.delete_task(first.id)
    assert collector.in_force(first.bulletin.version) is None
    assert collector.in_force(second.bulletin.version) == second.bulletin.canonical
    collector.close()

"""The gate shuts for a bulletin only when that bulletin goes."""

from hgldp.collector.views import Receipt
from hgldp.schemes.base import RETAINED
from tests.collector.fakes import HOT, FakeClock, create, now, upload
from tests.collector.homes import DatabaseHome


def test_the_end_of_an_empty_epoch_shuts_nothing(postgres_url: str) -> None:
    """It stays open, so every bulletin that is shown may still be answered."""
    collector = DatabaseHome(postgres_url).collector(FakeClock())
    (view,) = create(collector, HOT)
    for _ in range(RETAINED):
        collector.offer(now(collector, view), upload(now(collector, view), 7))
        collector.step()
    shown = now(collector, view)
    assert len(shown.bulletins) == RETAINED
    collector.seal(view.id)
    assert now(collector, view).epoch == shown.epoch
    late = collector.offer(shown, upload(shown, 2, shown.bulletins[0]))
    collector.step()
    assert late.outcome == Receipt(2)
    collector.close()

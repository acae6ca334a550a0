"""What only a stream shows, seen to fail on planted bugs."""

import pytest

from hgldp.checks import check_mechanism, check_scheme
from hgldp.mechanisms.grr import GRR
from hgldp.model.bulletins import Bulletin
from hgldp.model.randomness import Words
from hgldp.schemes.base import Row
from hgldp.schemes.dsr import DSR
from hgldp.schemes.hot_list import HotListScheme
from hgldp.schemes.reading import Reading
from hgldp.stores.hot_list import HotList


class OneDrawMore(GRR):
    """The right channel, but not the kernel's draws."""

    def randomize(self, value: int, words: Words) -> int:
        words.word()
        return super().randomize(value, words)


class OneDrawMoreDSR(DSR):
    """The same for a scheme."""

    def randomize(self, item: int, bulletin: Bulletin, words: Words) -> int:
        words.word()
        return super().randomize(item, bulletin, words)


def test_a_kernel_that_draws_differently_is_noticed() -> None:
    for result in (check_mechanism(OneDrawMore(5, 1.0)), check_scheme(OneDrawMoreDSR(8, 3, 1.0))):
        assert result.kernel_equal is False
        assert any("different" in sentence for sentence in result.failures)
        assert result.private


def test_a_state_that_grows_with_the_stream_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = HotList.serialize
    monkeypatch.setattr(HotList, "serialize", lambda store: honest(store) + bytes(store.epoch))
    result = check_scheme(DSR(8, 3, 1.0))
    assert result.memory_constant is False
    assert "the state grew" in " ".join(result.failures)


class Stranger(HotListScheme):
    """Somebody else's scheme, with no kernel: it works through an honest DSR."""

    name = "stranger"

    @property
    def inner(self) -> DSR:
        return DSR(self.domain_size, self.cells, self.epsilon, scale=self.scale)

    def channel(self, bulletin: Bulletin) -> list[Row]:
        return self.inner.channel(bulletin)

    def randomize(self, item: int, bulletin: Bulletin, words: Words) -> int:
        return self.inner.randomize(item, bulletin, words)

    def reading(self, bulletin: Bulletin) -> Reading:
        return self.inner.reading(bulletin)


def test_a_scheme_without_a_kernel_leaves_that_question_open_and_no_other() -> None:
    result = check_scheme(Stranger(8, 3, 1.0))
    assert result.kernel_equal is None
    assert result.memory_constant is True
    assert result.passed

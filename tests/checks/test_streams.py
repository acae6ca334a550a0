"""What only a stream shows, seen to fail on planted bugs."""

import pytest

from hgldp.checks import check_mechanism, check_scheme
from hgldp.mechanisms.grr import GRR
from hgldp.model.bulletin import Bulletin
from hgldp.model.randomness import Words
from hgldp.schemes.base import Scheme
from hgldp.schemes.dsr import DSR
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


def test_a_scheme_without_a_kernel_leaves_the_question_open(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(DSR):
        """Only ever run step by step."""

    def no_kernel(scheme: Scheme) -> None:
        from hgldp.errors import InvalidField  # noqa: PLC0415

        raise InvalidField("scheme", "must have a fused kernel", scheme.name)

    monkeypatch.setattr("hgldp.checks.streams.fused", no_kernel)
    result = check_scheme(Slow(8, 3, 1.0))
    assert result.kernel_equal is None
    assert result.passed

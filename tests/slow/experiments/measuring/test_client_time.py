"""A client and a server are timed one by one, each beside its yardstick."""

import time

import pytest

from hgldp.experiments.measurement import Measurement
from hgldp.experiments.measuring.client_time import CALLS, ONE_BY_ONE, ROUNDS, best
from hgldp.experiments.measuring.measure import measure
from hgldp.experiments.measuring.streams import Library
from hgldp.model.randomness import OSWords

STREAM = "normal:n=5000,d=300,sigma=5"


def timed(scheme):
    return measure(Measurement(STREAM, scheme, 1.0, 1, settings=(ONE_BY_ONE,)), Library().draw(STREAM, 1))


@pytest.mark.parametrize("scheme", ["bgr", "dsr", "bdr", "cnr"])
def test_a_scheme_has_the_times_of_its_client_and_of_its_server(scheme):
    found = timed(scheme)
    assert found["client_us"] > found["word_us"] > 0
    assert found["server_ns"] > found["exact_ns"] > 0
    assert "ndcg" not in found


@pytest.mark.parametrize("scheme", ["pfr", "grr", "hr"])
def test_without_a_hot_list_the_client_alone_is_timed(scheme):
    found = timed(scheme)
    assert found["client_us"] > found["word_us"]
    assert "server_ns" not in found


def test_a_client_draws_from_the_operating_system_anew_for_every_report(monkeypatch):
    drawn = []
    word = OSWords.word
    monkeypatch.setattr(OSWords, "word", lambda self: drawn.append(1) or word(self))
    timed("grr")
    assert len(drawn) >= 2 * ROUNDS * CALLS


def test_the_best_round_counts_and_a_slow_call_is_seen():
    def work():
        until = time.process_time() + 0.002
        while time.process_time() < until:
            pass

    assert 0.002 <= best([work] * 3) < 0.02
    assert best([int] * 3) < 0.001

"""Any mechanism with a histogram, step by step and at once."""

import numpy as np
import pytest

from hgldp.mechanisms.registry import MECHANISMS
from hgldp.model.randomness import SeededWords
from hgldp.schemes.exhaustive import Exhaustive
from hgldp.simulation.oracles import simulate_exhaustive
from hgldp.stores.histogram import Histogram


@pytest.mark.parametrize("name", MECHANISMS)
def test_one_report_after_the_other_gives_the_answer_of_the_kernel(name: str) -> None:
    scheme, store, words = Exhaustive(MECHANISMS[name](8, 1.5)), Histogram(8), SeededWords(3)
    stream = np.minimum(np.random.default_rng(1).geometric(0.4, 300) - 1, 7).astype(np.int32)
    for event in stream.tolist():
        scheme.insert(store, scheme.randomize(event, words))
    assert scheme.respond(store, 4) == simulate_exhaustive(scheme.mechanism, stream, 4, seed=3).estimates

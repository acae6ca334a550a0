"""The compiled draws of the benchmark are those of the clients' own code, word by word."""

import pytest

from benchmarks.audit.fast import FastClients
from benchmarks.audit.runs import every_case
from hgldp.audit import pairs_of
from hgldp.audit.views import REPORT
from hgldp.model.randomness import SeededWords
from hgldp.schemes.registry import scheme_of

SEED, DRAWS = 7, 400
CASES = {name: (task, bulletin) for name, task, bulletin in every_case(1.0)}


@pytest.mark.parametrize("name", CASES)
def test_the_same_seed_gives_the_same_reports(name: str) -> None:
    task, bulletin = CASES[name]
    scheme = scheme_of(task)
    for pair in pairs_of(task, bulletin, outside=task.domain.size is None):
        words, code = SeededWords(SEED), task.domain.encode(pair.other[0])
        expected = [scheme.randomize(code, bulletin, words) for _ in range(DRAWS)]
        found = FastClients(task, bulletin, SEED).draw(pair.other, DRAWS)[REPORT]
        assert sorted(found.tolist()) == sorted(expected)

"""PEM finds the head, with right counts, exactly as often as clients drawn one by one would let it."""

from dataclasses import replace
from functools import cache
from math import exp, sqrt

import numpy as np
import pytest

from benchmarks.strings.contest import pem
from benchmarks.strings.contest.answers import Found
from benchmarks.strings.contest.contestants import by_prefix, listed
from benchmarks.strings.contest.olh import OLH
from benchmarks.strings.contest.pem import PEM
from benchmarks.strings.contest.populations import Items, Strings
from benchmarks.strings.contest.prefixes import Prefixes
from tests.slow.benchmarks.strings.contest.small import EPSILON, Find, K, N, quality

MOST_DEVIATIONS = 6.5


def told(step: int, keep: int) -> Find:
    method = PEM(EPSILON, step, keep)
    return lambda strings, stream, k, seed: by_prefix(strings, stream, k, seed, method=method, most_bytes=4)


def check(find: Find, groups: int) -> None:
    """The head is found, and no count is off by more than 6.5 deviations: by chance less than once in 10^6.

    A count of one group stands for all, so it has the deviation of that group and of drawing it, times the groups.
    """
    oracle = OLH(EPSILON)
    found, worst = quality(
        find, lambda held: groups * sqrt(oracle.deviation(held / groups, N // groups) ** 2 + held / groups)
    )
    assert found >= 0.9
    assert worst < MOST_DEVIATIONS


def test_the_head_is_found_with_its_counts() -> None:
    check(told(16, K + 1), 2)
    check(told(8, 4 * K), 4)


def test_a_list_finds_it_too() -> None:
    check(lambda strings, stream, k, seed: listed(strings, stream, k, seed, epsilon=EPSILON), 1)


def test_keeping_the_lightest_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted bug."""
    right = pem.heaviest
    monkeypatch.setattr(pem, "heaviest", lambda values, most, generator: right(-values, most, generator))
    with pytest.raises(AssertionError):
        check(told(16, K + 1), 2)


@pytest.mark.parametrize(
    "wrong", [lambda _, supports, n: supports - 0.0 * n, lambda oracle, supports, n: supports - n * oracle.other]
)
def test_wrong_debiasing_is_noticed(monkeypatch: pytest.MonkeyPatch, wrong: object) -> None:
    """The planted bugs: nothing is taken off; what is left is not scaled."""
    monkeypatch.setattr(OLH, "estimates", wrong)
    with pytest.raises(AssertionError):
        check(told(16, K + 1), 2)


def test_counts_of_one_group_are_noticed() -> None:
    """The planted bug: the counts are those of the last group, not of all."""
    right = told(16, K + 1)

    def of_one_group(strings: Strings, stream: Items, k: int, seed: int) -> Found:
        found = right(strings, stream, k, seed)
        return replace(found, counts=tuple(count / 2 for count in found.counts))

    with pytest.raises(AssertionError):
        check(of_one_group, 2)


TEXTS, HELD, STEP, KEEP, FEW = ["a", "b", "c", "p", "q", "z"], [40, 30, 20, 30, 20, 10], 4, 2, 1.5
RUNS, FAR = 1_000, 5.5


def one_by_one(generator: np.random.Generator) -> list[str]:
    """PEM over strings of one byte, every client with a table of hash values and every candidate counted."""
    clients = generator.permutation(np.repeat([text.encode()[0] for text in TEXTS], HELD))
    candidates, oracle, before = np.array([0]), OLH(FEW), 0
    for bits, group in zip((5, 8), np.array_split(clients, 2), strict=True):
        candidates = (candidates[:, None] * 2 ** (bits - before) + np.arange(2 ** (bits - before))).ravel()
        tables = generator.integers(oracle.buckets, size=(group.size, 256))
        own = tables[np.arange(group.size), group >> (8 - bits)]
        other = generator.integers(oracle.buckets - 1, size=group.size)
        truthful = generator.random(group.size) < exp(FEW) / (exp(FEW) + oracle.buckets - 1)
        sent = np.where(truthful, own, other + (other >= own))
        support = (tables[:, candidates] == sent[:, None]).sum(axis=0)
        candidates, before = candidates[np.lexsort((generator.random(support.size), -support))[:KEEP]], bits
    return [chr(candidate) for candidate in candidates]


@cache
def often() -> np.ndarray:
    """In how many runs each string is found by clients drawn one by one."""
    generator = np.random.default_rng(4)
    return np.sum([[text in named for text in TEXTS] for named in (one_by_one(generator) for _ in range(RUNS))], axis=0)


def check_as_often() -> None:
    """Six shares of 1,000 runs each, at most 5.5 standard errors apart: by chance less than once in 10^6."""
    generator, prefixes = np.random.default_rng(5), Prefixes(TEXTS, 1)
    stream, method = np.repeat(np.arange(len(TEXTS), dtype=np.int32), HELD), PEM(FEW, STEP, KEEP)
    assert method.levels(8) == [5, 8]
    answers = [method.find(prefixes, generator.permutation(stream), KEEP, generator).places for _ in range(RUNS)]
    found = np.sum([[place in answer for place in range(len(TEXTS))] for answer in answers], axis=0)
    share = (found + often()) / (2 * RUNS)
    assert (np.abs(found - often()) / RUNS <= FAR * np.sqrt(2 * share * (1 - share) / RUNS)).all()


def test_every_string_is_found_as_often_as_with_clients_drawn_one_by_one() -> None:
    assert 0 < often()[5] < often()[0] < RUNS
    check_as_often()


def test_candidates_of_nobody_that_are_forgotten_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted bug: only prefixes that somebody has are counted, as if the list were known."""
    monkeypatch.setattr(OLH, "largest_of_nobody", lambda *_: np.zeros(0, np.int64))
    with pytest.raises(AssertionError):
        check_as_often()


def test_the_state_is_what_is_counted_at_once() -> None:
    """Four bytes for each extension of what was left over, and no more than that."""
    answer = PEM(4.0, 16, 4).find(
        Prefixes(["tea", "milk"], 8), np.array([0, 1] * 50, np.int32), 2, np.random.default_rng(1)
    )
    assert answer.state_bytes <= 4 * 4 * 2**16

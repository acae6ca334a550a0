"""The contract that every mechanism keeps, over all small cases; and the bugs that it refuses."""

from contextlib import suppress
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from hgldp.checks.every_draw import exact_outcomes
from hgldp.errors import InvalidField
from hgldp.mechanisms.base import Mechanism
from hgldp.mechanisms.olh import OLH
from hgldp.mechanisms.registry import MECHANISMS
from hgldp.mechanisms.subset import SubsetSelection
from hgldp.model.randomness import SeededWords
from hgldp.model.weights import truth_weight
from tests.mechanisms.exact import SMALL, Rows, Small, mean_scores, private, sums_to_one, unbiased

EPSILONS = [0.1, 0.5, 1.0, 3.0]
every_small = pytest.mark.parametrize("small", SMALL.values(), ids=SMALL)
every_epsilon = pytest.mark.parametrize("epsilon", EPSILONS)


def sampled(mechanism: Mechanism[Any]) -> Rows:
    return [
        exact_outcomes(lambda words, value=value: mechanism.randomize(value, words)) for value in range(mechanism.size)
    ]


def test_every_registered_mechanism_has_a_small_case() -> None:
    assert {small(epsilon=1.0).name for small in SMALL.values()} == set(MECHANISMS)


@every_small
@every_epsilon
def test_the_channel_is_a_private_distribution_and_debiasing_is_exactly_unbiased(small: Small, epsilon: float) -> None:
    mechanism = small(epsilon=epsilon)
    rows = mechanism.channel()
    assert len(rows) == mechanism.size
    assert sums_to_one(rows)
    assert private(rows, epsilon)
    assert unbiased(mechanism, rows)


@every_small
def test_the_variances_are_those_of_the_channel(small: Small) -> None:
    mechanism = small(epsilon=1.0)
    rows, values = mechanism.channel(), range(mechanism.size)
    squares = mean_scores(mechanism, rows, power=2)
    pairs = [(own, value) for own in values for value in values if own != value]
    for value in values:
        assert squares[value][value] - mechanism.p**2 == mechanism.own_variance
    noise = sum((squares[own][value] - mechanism.q**2 for own, value in pairs), Fraction(0)) / len(pairs)
    assert noise == mechanism.noise_variance
    assert mechanism.variance == float(noise / (mechanism.p - mechanism.q) ** 2)


@every_small
def test_a_truth_weight_one_too_large_is_refused(small: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Mechanism, "weight", lambda self, epsilon: truth_weight(epsilon, self.scale) + 1)
    rows = small(epsilon=1.0).channel()
    assert sums_to_one(rows)
    assert not private(rows, 1.0)


@pytest.mark.parametrize("scale", [2, 3, 4])
@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("grr", {"size": 4}),
        ("olh", {"size": 4, "buckets": 3}),
        ("olh", {"size": 3}),
        ("hr", {"size": 3, "blocks": 1}),
        ("hr", {"size": 5, "blocks": 2}),
        ("hr", {"size": 3, "blocks": 4}),
        ("hr", {"size": 7}),
        ("oue", {"size": 3}),
        ("sue", {"size": 3}),
        ("rappor", {"size": 2, "bits": 2, "hashes": 2}),
        ("rappor", {"size": 3, "bits": 3, "hashes": 1}),
        ("subset", {"size": 5, "chosen": 2}),
        ("subset", {"size": 6, "chosen": 3}),
        ("subset", {"size": 3}),
        ("cyclic", {"size": 3}),
        ("cyclic", {"size": 30}),
    ],
    ids=str,
)
def test_all_draws_of_the_sampler_together_are_exactly_the_channel(
    name: str, fields: dict[str, int], scale: int
) -> None:
    mechanism = MECHANISMS[name](epsilon=2.0, scale=scale, **fields)
    assert sampled(mechanism) == mechanism.channel()


@pytest.mark.parametrize("name", MECHANISMS)
def test_bad_fields_are_refused_and_a_private_value_is_never_repeated(name: str) -> None:
    for epsilon in (0.0, -1.0, float("nan"), float("inf"), 1e-12):
        with pytest.raises(InvalidField, match="epsilon"):
            MECHANISMS[name](1000, epsilon)
    for size in (0, 1, -5):
        with pytest.raises(InvalidField, match="size"):
            MECHANISMS[name](size, 1.0)
    mechanism = MECHANISMS[name](100, 1.0)
    for value in (-7_777, 7_777):
        with pytest.raises(InvalidField) as refused:
            exact_outcomes(lambda words, value=value: mechanism.randomize(value, words))
        assert "7777" not in str(refused.value)


@pytest.mark.parametrize("kind", [np.int32, np.int64, np.uint8])
@pytest.mark.parametrize("name", MECHANISMS)
def test_an_integer_of_any_kind_gives_the_reports_of_the_plain_one(name: str, kind: type[Any]) -> None:
    """Shifts and products of short integers are cut off; 200 values are more than such a shift can stand."""
    for size in (40, 200):
        mechanism = MECHANISMS[name](size, 1.0)
        for value in (0, 7, 35, size - 1):
            plain, other = (
                [repr(mechanism.randomize(given, words)) for _ in range(5)]
                for given, words in ((value, SeededWords(value)), (kind(value), SeededWords(value)))
            )
            assert plain == other


@pytest.mark.parametrize("name", MECHANISMS)
def test_what_is_no_whole_number_is_refused_and_never_repeated(name: str) -> None:
    mechanism = MECHANISMS[name](100, 1.0)
    for value in (0.5, 35.0, Fraction(1, 2), Fraction(35), True, False, np.bool_(1), np.float64(35), "35", None):
        with pytest.raises(InvalidField, match="value must be a whole number in 0 … 99") as refused:
            mechanism.randomize(value, SeededWords(1))  # type: ignore[arg-type]
        assert refused.value.value == "one that is not (withheld)"


@pytest.mark.parametrize(
    ("mechanism", "value"), [(SubsetSelection(40, 4.0), np.int32(35)), (OLH(200, 1.0), np.uint8(135))], ids=repr
)
def test_a_value_that_is_checked_but_not_made_plain_is_noticed(
    mechanism: Mechanism[Any], value: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The leak that was: 1 << np.int32(35) is 0, and products of one byte wrap around."""
    seeds = range(200)

    def own_score(given: Any, seed: int) -> int:
        with np.errstate(all="ignore"):
            return mechanism.support(mechanism.randomize(given, SeededWords(seed)), int(value))

    plain = [own_score(int(value), seed) for seed in seeds]
    assert [own_score(value, seed) for seed in seeds] == plain
    monkeypatch.setattr(Mechanism, "check_value", lambda _self, value: value)
    with suppress(OverflowError):
        for seed in seeds:
            if own_score(value, seed) != plain[seed]:
                return
        pytest.fail("the short integer gave every report of the plain one")


@pytest.mark.parametrize(
    ("name", "field", "values"),
    [
        ("olh", "buckets", (1, 21, -1)),
        ("hr", "blocks", (0, 3, 64)),
        ("rappor", "bits", (1, 5000)),
        ("rappor", "hashes", (0, 5)),
        ("subset", "chosen", (0, 20)),
    ],
)
def test_a_parameter_outside_its_range_is_named(name: str, field: str, values: tuple[int, ...]) -> None:
    for value in values:
        with pytest.raises(InvalidField, match=field):
            MECHANISMS[name](20, 1.0, **{field: value})

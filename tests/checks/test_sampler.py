"""The sampler checks themselves: how far they walk, and when they give up."""

import pytest

from hgldp.checks import check_mechanism
from hgldp.checks.cases import registered_cases
from hgldp.checks.sampler import MOST_PATHS, every_outcome
from hgldp.checks.subjects import MechanismSubject, tiny_weights
from hgldp.mechanisms.grr import GRR
from hgldp.model.randomness import Words


class Rejecting(GRR):
    """Right, but by rejection: no number of draws is ever enough."""

    def randomize(self, value: int, words: Words) -> int:
        draw = self.total
        while draw >= self.total:
            draw = words.below(1 << self.total.bit_length())
        draw -= self.truth
        return value if draw < 0 else draw // self.scale + (draw // self.scale >= value)


class WholeWords(GRR):
    """Draws words, not integers below a bound."""

    def randomize(self, value: int, words: Words) -> int:
        draw = words.word() % self.total - self.truth
        return value if draw < 0 else draw // self.scale + (draw // self.scale >= value)


@pytest.mark.parametrize("mechanism", [Rejecting, WholeWords])
def test_a_sampler_with_too_many_sequences_of_draws_cannot_be_shown_exact(mechanism: type[GRR]) -> None:
    result = check_mechanism(mechanism(5, 1.0))
    assert not result.sampler_exact
    assert f"every tiny version has more than {MOST_PATHS} sequences of draws" in result.failures[0]
    assert result.sampler_fits


@pytest.mark.parametrize("name", registered_cases())
def test_every_registered_sampler_is_walked_through_with_a_telling_scale_or_a_measured_items(name: str) -> None:
    for subject in registered_cases()[name](1.0):
        walked = next(tiny for tiny in subject.tiny() if every_outcome(tiny) is not None)
        scale = walked.mechanism.scale if isinstance(walked, MechanismSubject) else walked.scheme.scale
        assert scale > 1 or walked.inputs == subject.inputs


def test_tiny_weights_are_tried_from_the_richest_on_and_scale_one_last() -> None:
    first, last = tiny_weights(3.0)
    assert first == [(3.0, 4), (3.0, 3), (3.0, 2), (2, 4), (2, 3), (2, 2)]
    assert last == [(3.0, 1), (2, 1)]
    assert tiny_weights(0.1) == ([(2, 4), (2, 3), (2, 2)], [(2, 1)])

"""What a channel must satisfy, decided with fractions; and mechanisms small enough to list every report."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

from hgldp.mechanisms.base import Mechanism
from hgldp.mechanisms.cyclic import CyclicResponse
from hgldp.mechanisms.grr import GRR
from hgldp.mechanisms.hadamard import HadamardResponse
from hgldp.mechanisms.olh import OLH
from hgldp.mechanisms.oue import OUE
from hgldp.mechanisms.rappor import RAPPOR
from hgldp.mechanisms.subset import SubsetSelection
from hgldp.mechanisms.sue import SUE
from hgldp.model.weights import Epsilon, within

Rows = list[dict[Any, Fraction]]
Small = Callable[..., Mechanism[Any]]

SMALL: dict[str, Small] = {
    "grr, 2 values": partial(GRR, 2),
    "grr, 5 values": partial(GRR, 5),
    "olh, 2 values": partial(OLH, 2),
    "olh, 5 values, best buckets": partial(OLH, 5),
    "olh, 6 values, 2 buckets": partial(OLH, 6, buckets=2),
    "olh, 4 values, 3 buckets": partial(OLH, 4, buckets=3),
    "hr, 2 values": partial(HadamardResponse, 2),
    "hr, 5 values, best blocks": partial(HadamardResponse, 5),
    "hr, 6 values, 1 block": partial(HadamardResponse, 6, blocks=1),
    "hr, 6 values, 2 blocks": partial(HadamardResponse, 6, blocks=2),
    "hr, 6 values, 4 blocks": partial(HadamardResponse, 6, blocks=4),
    "hr, 5 values, 8 blocks": partial(HadamardResponse, 5, blocks=8),
    "oue, 2 values": partial(OUE, 2),
    "oue, 4 values": partial(OUE, 4),
    "sue, 4 values": partial(SUE, 4),
    "rappor, 4 values, 4 bits, 1 hash": partial(RAPPOR, 4, bits=4, hashes=1),
    "rappor, 2 values, 4 bits, 2 hashes": partial(RAPPOR, 2, bits=4, hashes=2),
    "subset, 2 values": partial(SubsetSelection, 2),
    "subset, 5 values, best size": partial(SubsetSelection, 5),
    "subset, 6 values, 3 chosen": partial(SubsetSelection, 6, chosen=3),
    "cyclic, 2 values": partial(CyclicResponse, 2),
    "cyclic, 7 values": partial(CyclicResponse, 7),
    "cyclic, 10 values": partial(CyclicResponse, 10),
}


def sums_to_one(rows: Rows) -> bool:
    return all(sum(row.values()) == 1 for row in rows)


def private(rows: Rows, epsilon: Epsilon) -> bool:
    """Whether no report is more than e^ε times as likely under one value as under another."""
    for report in {report for row in rows for report in row}:
        chances = [row.get(report, Fraction(0)) for row in rows]
        if min(chances) == 0 < max(chances) or not within(max(chances) / min(chances), epsilon):
            return False
    return True


def mean_scores(mechanism: Mechanism[Any], rows: Rows, power: int = 1) -> list[list[Fraction]]:
    """E[score^power] of each value (inner) under the reports of each value (outer)."""
    return [
        [
            sum((chance * mechanism.support(report, value) ** power for report, chance in row.items()), Fraction(0))
            for value in range(mechanism.size)
        ]
        for row in rows
    ]


def unbiased(mechanism: Mechanism[Any], rows: Rows) -> bool:
    """Whether the debiased score of one report is 1 on average for its own value and 0 for every other one."""
    means = mean_scores(mechanism, rows)
    bias, gain = mechanism.debias(0, 1), mechanism.debias(1, 1) - mechanism.debias(0, 1)
    return all(
        bias + gain * mean == int(own == value) for own, line in enumerate(means) for value, mean in enumerate(line)
    )

"""The error bounds of the paper's two theorems, as printed, and what is left of them on closer reading.

Both say: with at least the stated confidence, an item that was recorded all the time is underestimated by no more than
the bound. The report draws them beside what was measured. Four remarks on the print:

* `E(V)` and `P_weak` enter the confidence only. `P_weak` takes the other k − 1 cells for a uniform draw of the domain,
  so it is next to nothing, and the loss to decay, α·t, costs next to nothing. Cells hold the hottest items: with one
  bucket the k-th item *is* the weakest, and the confidence is then empty.
* The first theorem's appendix prints e^(ε+d−1) for e^ε + d − 1.
* The second theorem's appendix ends with N_h under the root. A term has t − N_h trials: t, as in the text, is right.
* Hoeffding's inequality knows no variance. The first bound grows with d, the standard error of GRR with its root.
"""

from math import exp, log, sqrt

from hgldp.errors import InvalidField


def bgr_bound(*, reports: int, domain_size: int, epsilon: float, alpha: float, beta: float) -> float:
    """Theorem on BGR: (√(2t·log(2/β)) + α·t)·(e^ε + d − 1)/(e^ε − 1).

    >>> round(bgr_bound(reports=100_000, domain_size=1000, epsilon=2.0, alpha=0.0, beta=0.05))
    135298
    """
    _check(reports, epsilon, alpha, beta)
    gain = (exp(epsilon) - 1) / (exp(epsilon) + domain_size - 1)
    return (sqrt(2 * reports * log(2 / beta)) + alpha * reports) / gain


def bdr_bound(*, reports: int, cells: int, judge: float, value: float, alpha: float, beta: float) -> float:
    """Theorem on BDR, and CNR: (3√(t·log(3/β)/2) + α·t)·(e^ε1 + 1)(e^ε2 + k − 1)/(e^ε1·(e^ε2 − 1)).

    >>> round(bdr_bound(reports=100_000, cells=20, judge=2 / 3, value=4 / 3, alpha=0.0, beta=0.05))
    16761
    """
    _check(reports, value, alpha, beta)
    if judge < 0:
        raise InvalidField("judge", "must be at least 0", judge)
    gain = exp(judge) * (exp(value) - 1) / ((exp(judge) + 1) * (exp(value) + cells - 1))
    return (3 * sqrt(reports * log(3 / beta) / 2) + alpha * reports) / gain


def _check(reports: int, epsilon: float, alpha: float, beta: float) -> None:
    if reports < 1:
        raise InvalidField("reports", "must be at least 1", reports)
    if not epsilon > 0:
        raise InvalidField("epsilon", "must be above 0", epsilon)
    if not 0 <= alpha < 1:
        raise InvalidField("alpha", "must be in [0, 1)", alpha)
    if not 0 < beta < 1:
        raise InvalidField("beta", "must be in (0, 1)", beta)

"""The exhaustive baselines at full speed: a stream of items through a mechanism into one score a value."""

from typing import Any

import numpy as np
import numpy.typing as npt

from hgldp.errors import InvalidField
from hgldp.kernels.frontier import correlate
from hgldp.kernels.oracles import (
    LANES,
    add_cyclic,
    add_grr,
    add_hadamard,
    add_olh,
    add_rappor,
    add_subset,
    add_unary,
    walsh_hadamard,
)
from hgldp.mechanisms.base import Mechanism
from hgldp.mechanisms.cyclic import CyclicResponse
from hgldp.mechanisms.grr import GRR
from hgldp.mechanisms.hadamard import HadamardResponse
from hgldp.mechanisms.olh import OLH
from hgldp.mechanisms.rappor import RAPPOR
from hgldp.mechanisms.subset import SubsetSelection
from hgldp.mechanisms.unary import UnaryEncoding
from hgldp.model.randomness import WORD_BITS, SeededWords
from hgldp.schemes.exhaustive import Exhaustive
from hgldp.simulation.outcome import Outcome, check_stream
from hgldp.stores.histogram import HEADER, NARROW, WIDE, Histogram, Scores

AnyMechanism = Mechanism[Any]
State = npt.NDArray[np.uint64]
Items = npt.NDArray[np.int32]
ONE_COUNTER = (GRR, HadamardResponse, CyclicResponse)


def _shift(mechanism: AnyMechanism) -> np.uint64:
    shift = mechanism.scale.bit_length() - 1
    if mechanism.scale != 1 << shift:
        raise InvalidField("scale", "must be a power of two in a simulation", mechanism.scale)
    return np.uint64(shift)


def _grr(mechanism: GRR, stream: Items, state: State) -> Scores:
    scores = np.zeros(mechanism.size, np.int64)
    add_grr(stream, np.uint64(mechanism.truth), _shift(mechanism), scores, state)
    return scores


def _cyclic(mechanism: CyclicResponse, stream: Items, state: State) -> Scores:
    members, residues = np.array(mechanism.members, np.int32), np.zeros(mechanism.modulus, np.int64)
    order, truth = np.array([*mechanism.members, *mechanism.others], np.int32), np.uint64(mechanism.truth)
    add_cyclic(stream, truth, _shift(mechanism), order, np.uint64(members.size), residues, state)
    scores = np.empty(mechanism.size, np.int64)
    correlate(residues, members, scores)
    return scores


def _hadamard(mechanism: HadamardResponse, stream: Items, state: State) -> tuple[Scores, Scores]:
    """Scores, and their squares: a report has a square of 1 for all values of its block, which is row 0."""
    blocks, width = mechanism.block_count, mechanism.width
    columns = np.zeros(mechanism.columns, np.int64)
    block_bits, width_bits = np.uint64(blocks.bit_length() - 1), np.uint64(width.bit_length() - 1)
    add_hadamard(stream, block_bits, width_bits, np.uint64(mechanism.truth), _shift(mechanism), columns, state)
    walsh_hadamard(columns, width)
    rows = columns.reshape(blocks, width)
    return rows[:, 1:].T.ravel()[: mechanism.size], rows[np.arange(mechanism.size) % blocks, 0]


def _olh(mechanism: OLH, stream: Items, state: State) -> Scores:
    padded = np.zeros(-(-mechanism.size // LANES) * LANES, np.int32)
    buckets, prime = np.uint64(mechanism.bucket_count), np.uint64(mechanism.family.prime)
    residues = np.empty(LANES, np.uint32)
    add_olh(stream, buckets, prime, np.uint64(mechanism.truth), _shift(mechanism), residues, padded, state)
    return padded[: mechanism.size].astype(np.int64)


def _unary(mechanism: UnaryEncoding, stream: Items, state: State) -> Scores:
    scores = np.zeros(mechanism.size, np.int64)
    own, own_bound = np.uint64(mechanism.own_odds[0]), np.uint64(sum(mechanism.own_odds))
    other, bound = np.uint64(mechanism.other_odds[0]), np.uint64(sum(mechanism.other_odds))
    add_unary(stream, own, own_bound, other, bound, scores, state)
    return scores


def _rappor(mechanism: RAPPOR, stream: Items, state: State) -> Scores:
    scores = np.zeros(mechanism.size, np.int64)
    bits, prime = mechanism.bits, mechanism.family.prime
    cells = np.uint64(-(-(bits << WORD_BITS) // prime))
    truth, scale = np.uint64(mechanism.truth), np.uint64(mechanism.scale)
    add_rappor(stream, bits, mechanism.hashes, np.uint64(prime), cells, truth, scale, scores, state)
    return scores


def _subset(mechanism: SubsetSelection, stream: Items, state: State) -> Scores:
    scores = np.zeros(mechanism.size, np.int64)
    taken = np.empty(mechanism.size, np.int32)
    chosen, include, exclude = mechanism.subset_size, mechanism.include, mechanism.exclude
    add_subset(stream, np.uint64(chosen), np.uint64(include), np.uint64(exclude), taken, scores, state)
    return scores


def score_stream(mechanism: AnyMechanism, stream: npt.NDArray[np.integer[Any]], seed: int) -> Scores:
    """The summed score of every value over the reports of a stream, drawn one by one as the Python client draws.

    The same as adding up `mechanism.support` over `mechanism.randomize(item, words)` with `SeededWords(seed)`.

    >>> from hgldp.mechanisms.grr import GRR
    >>> [int(score) for score in score_stream(GRR(size=4, epsilon=2.0), np.full(10, 2), seed=7)]
    [0, 1, 9, 0]
    """
    return score_reports(mechanism, check_stream(stream, mechanism.size), seed)[0]


def score_reports(mechanism: AnyMechanism, items: Items, seed: int) -> tuple[Scores, Scores | None]:
    """The scores of a checked stream, and their summed squares if the mechanism's noise is uneven."""
    state = np.array([SeededWords(seed).state], np.uint64)
    if isinstance(mechanism, HadamardResponse):
        scores, squares = _hadamard(mechanism, items, state)
        return scores, None if mechanism.even_noise else squares
    return _scores(mechanism, items, state), None


def _scores(mechanism: AnyMechanism, items: Items, state: State) -> Scores:
    match mechanism:
        case GRR():
            return _grr(mechanism, items, state)
        case CyclicResponse():
            return _cyclic(mechanism, items, state)
        case OLH():
            return _olh(mechanism, items, state)
        case UnaryEncoding():
            return _unary(mechanism, items, state)
        case RAPPOR():
            return _rappor(mechanism, items, state)
        case SubsetSelection():
            return _subset(mechanism, items, state)
    raise InvalidField("mechanism", "must have a kernel", mechanism.name)


def score_counts(
    mechanism: AnyMechanism, true_counts: npt.NDArray[np.integer[Any]], generator: np.random.Generator
) -> Scores:
    """Summed scores drawn from each value's own exact law, for streams too long to draw report by report.

    Value v with f of n holders scores like f own and n − f other reports: binomial for scores of 0 and 1, multinomial
    for RAPPOR. Values are drawn independently of each other. That is the true joint law for OUE and SUE, whose bits are
    independent; for OLH, RAPPOR and subset selection each value's law is right and their correlation is left out.
    """
    if not isinstance(mechanism, OLH | UnaryEncoding | RAPPOR | SubsetSelection):
        raise InvalidField("mechanism", "must be one that costs work for every value", mechanism.name)
    counts = np.asarray(true_counts)
    if counts.shape != (mechanism.size,) or counts.min() < 0:
        raise InvalidField("true_counts", f"must be {mechanism.size} numbers of at least 0", counts.shape)
    others = counts.sum() - counts
    if isinstance(mechanism, RAPPOR):
        own = generator.multinomial(counts, [float(chance) for chance in mechanism.own_scores])
        other = generator.multinomial(others, [float(chance) for chance in mechanism.other_scores])
        return np.asarray((own + other) @ np.arange(mechanism.hashes + 1), np.int64)
    drawn = generator.binomial(counts, float(mechanism.p)) + generator.binomial(others, float(mechanism.q))
    return np.asarray(drawn, np.int64)


def operations(mechanism: AnyMechanism, reports: int) -> int:
    """About how many steps the reports of a stream cost, client and server together."""
    match mechanism:
        case GRR() | HadamardResponse() | CyclicResponse():
            return reports
        case SubsetSelection():
            return reports * mechanism.subset_size
        case RAPPOR():
            return reports * (mechanism.bits + mechanism.hashes * mechanism.size)
    return reports * mechanism.size


def simulate_exhaustive(
    mechanism: AnyMechanism,
    stream: npt.NDArray[np.integer[Any]],
    k: int,
    seed: int,
    max_operations: float = 2e9,
) -> Outcome:
    """A whole stream through a mechanism into a histogram: every report if that is affordable, else only the counts.

    GRR, Hadamard and cyclic response always draw every report. Clients need nothing from the server but the task. The
    bytes of the latter two are those of their columns and residues, which is what the server counts until the end.

    >>> from hgldp.mechanisms.grr import GRR
    >>> simulate_exhaustive(GRR(size=4, epsilon=2.0), np.full(10, 2), k=1, seed=7).estimates[0].item
    2
    """
    items = check_stream(stream, mechanism.size)
    one_by_one = operations(mechanism, items.size) <= max_operations or isinstance(mechanism, ONE_COUNTER)
    if one_by_one:
        scores, squares = score_reports(mechanism, items, seed)
    else:
        true_counts = np.bincount(items, minlength=mechanism.size)
        scores, squares = score_counts(mechanism, true_counts, np.random.Generator(np.random.PCG64(seed))), None
    histogram = Histogram(mechanism.size)
    histogram.add(scores, items.size, squares)
    counters = 0 if mechanism.counters == mechanism.size else mechanism.counters
    return Outcome(
        estimates=Exhaustive(mechanism).respond(histogram, k),
        reports=items.size,
        state_bytes=HEADER.size + counters * NARROW if counters else len(histogram.serialize()),
        upload_bytes=items.size * mechanism.report_bytes,
        download_bytes=0,
        drawn="reports" if one_by_one else "counts",
        resident_bytes=counters * WIDE or histogram.resident_bytes,
    )

"""The audit itself: draw, choose what to look at on one half of the draws, bound it on the other."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import NormalDist

import numpy as np

from hgldp.audit.pairs import Events, Pair, inputs_of
from hgldp.audit.sampled.bounds import Floats
from hgldp.audit.sampled.event import SYMBOL, best_event
from hgldp.audit.sampled.power import found_from, log_ratio, share_from
from hgldp.audit.sampled.result import AuditResult, Comparison
from hgldp.audit.sampled.tally import Tally
from hgldp.audit.subjects.base import ALWAYS_THE_SAME, SENT_NOTHING, Advance, ClientFailed, Subject
from hgldp.audit.views import ABSENCE, REPORT, SIDE_VIEWS, SPENDS, UPLOAD_ID
from hgldp.errors import InvalidField
from hgldp.model.validate import check_whole

PARTS = (0.25, 0.25, 0.5)
LEAST_DRAWS = 20
NEARLY_ALL = 0.9
ERROR = 1e-3
Expected = Callable[[Pair], Floats | None]


@dataclass(frozen=True)
class Question:
    """One pair seen in one way, and how much it may show."""

    pair: Pair
    view: str
    claim: float
    views: tuple[str, ...]


def audit(
    subject: Subject,
    pairs: Sequence[Pair],
    claim: float,
    *,
    draws: int,
    error: float = ERROR,
    seed: int = 1,
    expected: Expected | None = None,
    advance: Advance | None = None,
) -> AuditResult:
    """Compare the inputs of every pair with `draws` draws in all, shared equally.

    An honest client that spends at most `claim` is called broken with a chance of at most `error`, over all
    comparisons together. `seed` puts the draws into a random order, so that a machine that is slow for a while is slow
    for all inputs alike. `expected` gives the log ratio of each symbol as the task has it, where it is known; it makes
    the audit see more, and nothing depends on its being right.
    """
    if not 0 < error < 1:
        raise InvalidField("error", "must lie between 0 and 1", error)
    if not claim >= 0:
        raise InvalidField("claim", "must be 0 or more", claim)
    inputs = inputs_of(pairs)
    each = draws // max(1, len(inputs))
    check_whole("draws", draws, LEAST_DRAWS * len(inputs))
    parts = _draw(subject, inputs, each, Random(seed), advance)  # noqa: S311 - an order, not a secret
    _check_that_something_was_sent(parts)
    _check_that_devices_are_new(parts)
    questions = _questions(pairs, claim, {view for view, _ in parts[0][inputs[0]].columns})
    one_bound = error / len(questions) / 2
    known = {pair: expected(pair) for pair in pairs} if expected is not None else {}
    compared = tuple(_compare(each, parts, one_bound, known.get(each.pair)) for each in questions)
    bounding = parts[2][inputs[0]].draws
    drawn = sum(tally.draws for part in parts for tally in part.values())
    return AuditResult(claim, error, drawn, compared, share_from(bounding, one_bound))


def _check_that_something_was_sent(parts: Sequence[Mapping[Events, Tally]]) -> None:
    """A client that never sends would be like itself, and pass."""
    silent = np.array([1])
    tallies = [tally for part in parts for tally in part.values() if (ABSENCE, 0) in tally.columns]
    if tallies and all(int(tally.counts((ABSENCE, 0)).of(silent)[0]) == tally.draws for tally in tallies):
        raise ClientFailed(SENT_NOTHING)


def _check_that_devices_are_new(parts: Sequence[Mapping[Events, Tally]]) -> None:
    """A device that answers once would be like itself in all draws, whether it repeats its answer or falls silent.

    Nearly all draws are then the same: in all, or in each block, which has a code of its own though its input came in
    another block too. With a large ε an honest client gives nearly always the same report, but another one for each
    input, and the same in all blocks.
    """
    usual = {
        events: {code for part in parts for code in part[events].usual_in_blocks(SYMBOL, NEARLY_ALL)}
        for events in parts[0]
        if SYMBOL in parts[0][events].columns
    }
    found = set().union(*usual.values())
    if found and None not in found and (len(found) == 1 or any(len(codes) > 1 for codes in usual.values())):
        raise ClientFailed(ALWAYS_THE_SAME)


def _questions(pairs: Sequence[Pair], claim: float, seen: set[str]) -> list[Question]:
    """What a pair spends is asked of all views but the ids, which may not differ at all and have many columns."""
    sides = [view for view in SIDE_VIEWS if view in seen]
    spoken = tuple(sorted(seen - {UPLOAD_ID}))
    found = []
    for pair in pairs:
        if pair.same_events:
            found.append(Question(pair, REPORT, 0.0, (REPORT,)))
        else:
            found.append(Question(pair, SPENDS, claim, spoken))
        found += [Question(pair, view, 0.0, (view,)) for view in sides]
    return found


def _draw(
    subject: Subject, inputs: Sequence[Events], each: int, order: Random, advance: Advance | None
) -> list[dict[Events, Tally]]:
    """The tallies of each part. Blocks of all inputs come in a random order."""
    parts, done = [], 0
    for share in PARTS:
        tallies = {events: Tally() for events in inputs}
        count = int(each * share)
        sizes = [subject.block] * (count // subject.block)
        sizes += [count % subject.block] if count % subject.block else []
        blocks = [(events, size) for events in inputs for size in sizes]
        order.shuffle(blocks)
        for events, size in blocks:
            tallies[events].add(subject.draw(events, size))
            done += size
            if advance is not None:
                advance(done, each * len(inputs))
        parts.append(tallies)
    return parts


def _compare(
    question: Question, parts: Sequence[dict[Events, Tally]], error: float, expected: Floats | None
) -> Comparison:
    ordering, choosing, bounding = ((part[question.pair.one], part[question.pair.other]) for part in parts)
    event = best_event(ordering, choosing, question.views, NormalDist().inv_cdf(1 - error), expected)
    likelier, other = bounding[::-1] if event.swapped else bounding
    hits, draws = (event.hits(likelier), event.hits(other)), (likelier.draws, other.draws)
    least = log_ratio(*hits, *draws, error)
    power = found_from(question.claim, hits[1] / draws[1], draws[1], error) if question.view == SPENDS else 0.0
    return Comparison(question.pair, question.view, question.claim, event.column[0], draws, hits, least, power)

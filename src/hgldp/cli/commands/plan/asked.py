"""From the options of `hgldp plan` to a question."""

from argparse import Namespace
from typing import Any

from hgldp.cli.commands.simulate.stream import find_open_stream, find_stream
from hgldp.cli.events import read_lines
from hgldp.cli.values import parse_name, parse_number
from hgldp.errors import InvalidField
from hgldp.model.budget import Budget, Level
from hgldp.model.domain import RangeDomain, StringDomain
from hgldp.model.hints import Hints
from hgldp.model.rules import Spelling
from hgldp.model.task import Task
from hgldp.model.validate import check_whole
from hgldp.planning.forecast import LaunchQuestion
from hgldp.planning.shapes import (
    MOST_DIFFERENT,
    Shape,
    listed_shapes,
    open_shape_like,
    open_shapes,
    shape_like,
)
from hgldp.planning.traffic import Traffic
from hgldp.schemes.pfr import PFR
from hgldp.schemes.registry import HOT_LISTS
from hgldp.simulation.truth import whole_counts

FOR_STRINGS = ("spelling", "most_bytes")


def question_of(chosen: Namespace) -> LaunchQuestion:
    """Everything is checked before the first report is drawn."""
    budget = _budget(chosen)
    traffic = Traffic(budget, chosen.reports, chosen.people)
    scheme = parse_name(chosen.scheme, (PFR.name, *HOT_LISTS))
    shapes = _open_shapes(chosen) if _is_open(chosen) else _listed_shapes(chosen)
    settings: dict[str, Any] = {name: getattr(chosen, name) for name in ("cells", "spelling")}
    given = {name: value for name, value in settings.items() if value is not None}
    if _is_open(chosen):
        hints = _hints(chosen)
        domain: Any = StringDomain(hints=hints) if chosen.most_bytes is None else StringDomain(chosen.most_bytes, hints)
    else:
        domain = RangeDomain(chosen.items or shapes[0].size)
    task = Task(scheme, budget, domain, chosen.k, **given)
    if not _is_open(chosen):
        check_whole("k", chosen.k, 1, shapes[0].size - 1)
    return LaunchQuestion(task, tuple(shapes), traffic, chosen.warmup)


def _budget(chosen: Namespace) -> Budget:
    level: Level = chosen.level or ("period" if chosen.people is not None or chosen.period else "event")
    terms = {name: getattr(chosen, name) for name in ("events", "period", "division")}
    given: dict[str, Any] = {name: value for name, value in terms.items() if value is not None}
    return Budget(parse_number("epsilon", chosen.epsilon), level, **given)


def _is_open(chosen: Namespace) -> bool:
    return bool(chosen.open or chosen.strings is not None or chosen.hints is not None)


def _hints(chosen: Namespace) -> Hints | None:
    return None if chosen.hints is None else Hints.of(read_lines(chosen.hints, "--hints", "string"))


def _check_stream(chosen: Namespace) -> None:
    if chosen.zipf is not None and chosen.like is not None:
        raise InvalidField("like", "must be left out with --zipf", chosen.like)
    for name in ("column", "data", "hints"):
        if chosen.like is None and getattr(chosen, name) is not None:
            raise InvalidField(name, "works with --like only", getattr(chosen, name))


def _listed_shapes(chosen: Namespace) -> list[Shape]:
    _check_stream(chosen)
    for name in FOR_STRINGS:
        if getattr(chosen, name) is not None:
            raise InvalidField(name, "works with strings that nobody lists only", getattr(chosen, name))
    if chosen.like is not None:
        stream = _stream(chosen).stream(chosen.seed)
        return [shape_like(_title(chosen), whole_counts(stream.items, stream.domain_size), chosen.items)]
    if chosen.items is None:
        raise InvalidField("items", "must be given, or --strings or --like in its place", "none")
    check_whole("items", chosen.items, 2, MOST_DIFFERENT)
    return listed_shapes(chosen.items, chosen.zipf)


def _open_shapes(chosen: Namespace) -> list[Shape]:
    _check_stream(chosen)
    if chosen.items is not None:
        raise InvalidField("items", "must be left out for strings that nobody lists", chosen.items)
    if chosen.like is not None:
        if chosen.strings is not None:
            raise InvalidField("strings", "must be left out with --like: write --open", chosen.strings)
        stream = _stream(chosen).stream(chosen.seed)
        counts = whole_counts(stream.items, stream.domain_size)
        return [open_shape_like(_title(chosen), counts, [str(label) for label in stream.labels])]
    if chosen.strings is None:
        raise InvalidField("strings", "must be given with --open, or --like in its place", "none")
    spelling: Spelling = chosen.spelling or "text"
    longest = StringDomain(chosen.most_bytes or StringDomain.most_bytes)
    return open_shapes(chosen.strings, chosen.zipf, spelling=spelling, most_bytes=longest.most_bytes)


def _title(chosen: Namespace) -> str:
    return "your file" if chosen.like == "-" else f"as {chosen.like.rpartition('/')[2]}"


def _stream(chosen: Namespace) -> Any:
    asked = Namespace(stream=chosen.like, column=chosen.column, data=chosen.data)
    return find_open_stream(asked) if _is_open(chosen) else find_stream(asked)

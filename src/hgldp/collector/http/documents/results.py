"""What a task found, as JSON and as rows: the top now, what each epoch published, and all of it as a file."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, get_args

from hgldp.collector.http.documents.schema import (
    BOOLEAN,
    COUNT,
    HEX,
    MOMENT,
    NUMBER,
    TEXT,
    Document,
    in_utc,
    list_of,
    maybe,
    up_to,
)
from hgldp.collector.views import clear_top
from hgldp.model.budget import Unit
from hgldp.model.validate import LARGEST_53

if TYPE_CHECKING:
    from hgldp.collector.views import (
        Answer,
        AskedAnswer,
        AskedItem,
        DistributionAnswer,
        PublishedEpoch,
        RankedItem,
        TaskView,
    )

_RANK = up_to(LARGEST_53, 1)
_ITEM = {
    "rank": _RANK,
    "item": {"type": ["integer", "string"]},
    **dict.fromkeys(("estimate", "standard_error", "low", "high", "tracked_count", "tracked_error"), maybe(NUMBER)),
    "since": COUNT,
}
_LATER = {
    "rank_low": maybe(_RANK),
    "rank_high": maybe(_RANK),
    "may_be_noise": maybe(BOOLEAN),
    "since_low": maybe(NUMBER),
    "since_high": maybe(NUMBER),
    "warmup": COUNT,
}
_MEASURED = frozenset(name for name, schema in {**_ITEM, **_LATER}.items() if schema == maybe(NUMBER))
_EPOCH = {"epoch": COUNT, "bulletin": HEX, "published": MOMENT, "reports": COUNT}
ITEM = Document(**_ITEM, **_LATER)
ITEM_NOW = Document(**_ITEM, rank_change=maybe({"type": "integer"}), **_LATER)
EPOCH = Document(**_EPOCH, clear_top=maybe(BOOLEAN), top=list_of(ITEM.schema))
_WEIGHED = {"half_life": COUNT, "weighs": {"type": "string", "enum": list(get_args(Unit))}}
HISTORY = Document(task=HEX, **_WEIGHED, epochs=list_of(EPOCH.schema))
EXPORTED = Document(**_EPOCH, **_ITEM, **_LATER, **_WEIGHED)
OF_AN_ANSWER = {
    "task": HEX,
    "scheme": TEXT,
    "epoch": COUNT,
    "reports": COUNT,
    "window": maybe(COUNT),
    "covered": COUNT,
    "least_window": maybe(COUNT),
    "warmup_raw_items": COUNT,
    **_WEIGHED,
}
TOP_COLUMNS = (*ITEM_NOW.names, *_WEIGHED)
TOP = Document(**OF_AN_ANSWER, clear_top=maybe(BOOLEAN), top=list_of(ITEM_NOW.schema))
_ASKED_ITEM = {name: schema for name, schema in _ITEM.items() if name != "rank"}
_ASKED_LATER = {name: _LATER[name] for name in ("since_low", "since_high", "warmup")}
ASKED_ITEM = Document(**_ASKED_ITEM, may_be_noise=BOOLEAN, **_ASKED_LATER)
ASKED_COLUMNS = (*ASKED_ITEM.names, *_WEIGHED)
ASKED = Document(**OF_AN_ANSWER, items=list_of(ASKED_ITEM.schema))


def item_document(rank: int, item: "RankedItem", document: Document = ITEM) -> dict[str, Any]:
    """One item of a published top; as `ITEM_NOW` with how it moved, null if it is new."""
    return {"rank": rank, **{name: _value(item, name) for name in document.names[1:]}}


def _value(item: "RankedItem | AskedItem", name: str) -> Any:
    """One type for each column: a bound of a count may be a whole number, and is written as the others are."""
    found = getattr(item, name)
    return float(found) if type(found) is int and name in _MEASURED else found


def top_rows(items: "Iterable[RankedItem]") -> list[dict[str, Any]]:
    """The present top, one row for each item."""
    return [item_document(rank, item, ITEM_NOW) for rank, item in enumerate(items, start=1)]


def answer_values(view: "TaskView", answer: "Answer | AskedAnswer | DistributionAnswer") -> tuple[object, ...]:
    """What stands above the items of any answer."""
    counted = (answer.epoch, answer.reports, answer.window, answer.covered, answer.least_window)
    return view.id.hex(), view.task.scheme, *counted, view.terms.warmup, *_weights(view, answer.window)


def _weights(view: "TaskView", window: int | None = None) -> tuple[int, str]:
    """How fast reports fade, and whether a count is one of people or of events."""
    return view.half_life(window), view.task.weighs


def weighed(rows: Iterable[dict[str, Any]], view: "TaskView", window: int | None) -> Iterator[dict[str, Any]]:
    """Rows of a file, which has no place above them to say how their reports were weighed."""
    weights = dict(zip(_WEIGHED, _weights(view, window), strict=True))
    for row in rows:
        yield row | weights


def top_document(view: "TaskView", answer: "Answer") -> dict[str, Any]:
    """A top that a request asked for."""
    return TOP.of(*answer_values(view, answer), clear_top(answer.top), top_rows(answer.top))


def asked_rows(answer: "AskedAnswer") -> list[dict[str, Any]]:
    """The items that were asked for, one row each."""
    return [ASKED_ITEM.of(*(_value(each, name) for name in ASKED_ITEM.names)) for each in answer.items]


def asked_document(view: "TaskView", answer: "AskedAnswer") -> dict[str, Any]:
    """What is known about the items that a request asked for."""
    return ASKED.of(*answer_values(view, answer), asked_rows(answer))


def history_document(view: "TaskView", epochs: "Iterable[PublishedEpoch]") -> dict[str, Any]:
    """What each of some epochs published."""
    return HISTORY.of(view.id.hex(), *_weights(view), [epoch_document(each) for each in epochs])


def export_rows(view: "TaskView", epochs: "Iterable[PublishedEpoch]") -> Iterator[dict[str, Any]]:
    """One row for each item of each epoch."""
    weights = _weights(view)
    for each in epochs:
        head = (each.epoch, each.bulletin, in_utc(each.published), each.reports)
        for rank, item in enumerate(each.top, start=1):
            yield EXPORTED.of(*head, *item_document(rank, item).values(), *weights)


def epoch_document(each: "PublishedEpoch") -> dict[str, Any]:
    """What an epoch published."""
    top = [item_document(rank, item) for rank, item in enumerate(each.top, start=1)]
    head = (each.epoch, each.bulletin, in_utc(each.published), each.reports)
    return EPOCH.of(*head, clear_top(each.top), top)

"""What a task found, as JSON and as rows: the top now, what each epoch published, and all of it as a file."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from hgldp.collector.http.documents.schema import (
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
from hgldp.model.validate import LARGEST_53

if TYPE_CHECKING:
    from hgldp.collector.views import Answer, PublishedEpoch, RankedItem, TaskView

_ITEM = {
    "rank": up_to(LARGEST_53, 1),
    "item": {"type": ["integer", "string"]},
    **dict.fromkeys(("estimate", "standard_error", "low", "high", "tracked_count", "tracked_error"), maybe(NUMBER)),
    "since": COUNT,
    "warmup": COUNT,
}
_EPOCH = {"epoch": COUNT, "bulletin": HEX, "published": MOMENT, "reports": COUNT}
ITEM = Document(**_ITEM)
ITEM_NOW = Document(**_ITEM, rank_change=maybe({"type": "integer"}))
EPOCH = Document(**_EPOCH, top=list_of(ITEM.schema))
HISTORY = Document(task=HEX, epochs=list_of(EPOCH.schema))
EXPORTED = Document(**_EPOCH, **_ITEM)
TOP = Document(
    task=HEX,
    scheme=TEXT,
    epoch=COUNT,
    reports=COUNT,
    window=maybe(COUNT),
    covered=COUNT,
    warmup_raw_items=COUNT,
    top=list_of(ITEM_NOW.schema),
)


def item_document(rank: int, item: "RankedItem", document: Document = ITEM) -> dict[str, Any]:
    """One item of a published top; as `ITEM_NOW` with how it moved since the last epoch, null if it is new."""
    return {"rank": rank, **{name: getattr(item, name) for name in document.names[1:]}}


def top_rows(items: "Iterable[RankedItem]") -> list[dict[str, Any]]:
    """The present top, one row for each item."""
    return [item_document(rank, item, ITEM_NOW) for rank, item in enumerate(items, start=1)]


def top_document(view: "TaskView", answer: "Answer") -> dict[str, Any]:
    """A top that a request asked for."""
    head = view.id.hex(), view.task.scheme, answer.epoch, answer.reports, answer.window, answer.covered
    return TOP.of(*head, view.terms.warmup, top_rows(answer.top))


def history_document(view: "TaskView", epochs: "Iterable[PublishedEpoch]") -> dict[str, Any]:
    """What each of some epochs published."""
    return HISTORY.of(view.id.hex(), [epoch_document(each) for each in epochs])


def export_rows(epochs: "Iterable[PublishedEpoch]") -> Iterator[dict[str, Any]]:
    """One row for each item of each epoch."""
    for each in epochs:
        head = (each.epoch, each.bulletin, in_utc(each.published), each.reports)
        for rank, item in enumerate(each.top, start=1):
            yield EXPORTED.of(*head, *item_document(rank, item).values())


def epoch_document(each: "PublishedEpoch") -> dict[str, Any]:
    """What an epoch published."""
    top = [item_document(rank, item) for rank, item in enumerate(each.top, start=1)]
    return EPOCH.of(each.epoch, each.bulletin, in_utc(each.published), each.reports, top)

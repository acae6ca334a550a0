"""How many items have a share in each decade, as JSON and as rows."""

from typing import TYPE_CHECKING, Any

from hgldp.collector.http.documents.results import OF_AN_ANSWER, answer_values
from hgldp.collector.http.documents.schema import COUNT, NUMBER, Document, list_of
from hgldp.model.distribution import LEVEL

if TYPE_CHECKING:
    from hgldp.collector.views import DistributionAnswer, TaskView

_NUMBERS = {
    "items": NUMBER,
    "items_low": COUNT,
    "items_high": COUNT,
    "share": NUMBER,
    "share_low": NUMBER,
    "share_high": NUMBER,
}
DECADE = Document(low=NUMBER, high=NUMBER, **_NUMBERS)
DISTRIBUTION = Document(
    **OF_AN_ANSWER, level=NUMBER, told_above=NUMBER, decades=list_of(DECADE.schema), below=Document(**_NUMBERS).schema
)
COLUMNS = DECADE.names


def distribution_document(view: "TaskView", answer: "DistributionAnswer") -> dict[str, Any]:
    """The decades that can be told, from the top, and what is below them; none if nothing can be told."""
    *decades, below = distribution_rows(answer)
    rest = {name: below[name] for name in _NUMBERS}
    return DISTRIBUTION.of(*answer_values(view, answer), LEVEL, answer.found.below, decades, rest)


def distribution_rows(answer: "DistributionAnswer") -> list[dict[str, Any]]:
    """One row for each decade that can be told, and a last one for all smaller items."""
    found = answer.found
    rows = []
    for each in found.decades:
        numbers = each.items, *each.interval, each.share, *each.share_interval
        rows.append(DECADE.of(each.low, min(1.0, each.high), *numbers))
    items, ends = found.rest_items
    rows.append(DECADE.of(0.0, found.below, items, *ends, found.rest, *found.rest_interval))
    return rows

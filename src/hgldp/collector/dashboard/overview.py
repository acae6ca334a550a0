"""The overview: a card for each task, rendered once per change and shared by all who may see it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from markupsafe import Markup

from hgldp.collector.dashboard.live import Live
from hgldp.collector.dashboard.regions import Regions, Where, card_region, foot_region, list_region, page_links
from hgldp.collector.views import TaskView

if TYPE_CHECKING:
    from hgldp.collector.collector import Collector

CARDS_PER_PAGE, CARD = 100, "card-"
Audience = frozenset[bytes] | None
Shown = tuple[TaskView, float | None, float | None]


class Cards:
    """The newest rendering of each task's card."""

    def __init__(self, live: Live, base: str) -> None:
        self._live, self._base = live, base
        self._kept: dict[bytes, tuple[Shown, Markup]] = {}

    async def of(self, view: TaskView) -> Markup:
        """The card of a task."""
        shown = view, self._live.rates.rate(view.id), self._live.rates.last_report(view.id)
        before = self._kept.get(view.id)
        if before is not None and before[0][0] is view and before[0][1:] == shown[1:]:
            return before[1]
        async with self._live.budget.turn():
            found = card_region(*shown, self._base)
        self._kept[view.id] = shown, found
        return found

    def forget_all_but(self, views: Sequence[TaskView]) -> None:
        """Tasks may be deleted."""
        if len(self._kept) > len(views):
            ids = {view.id for view in views}
            self._kept = {key: value for key, value in self._kept.items() if key in ids}


class Overview:
    """One page of the list, for all who may see the same tasks: everyone's, and those of an audience (None: all)."""

    def __init__(
        self, collector: "Collector", live: Live, cards: Cards, where: Where, audience: Audience, page: int
    ) -> None:
        self._collector, self._live, self._cards, self._where = collector, live, cards, where
        self._audience, self._page = audience, page
        self._listed: tuple[object, Regions] = (), {}

    async def __call__(self, *, waits: bool) -> Regions:  # noqa: ARG002 - it never has to wait for an answer
        """The list, and its cards: in small pieces, so that uploads come in between."""
        views = self._collector.tasks()
        self._cards.forget_all_but(views)
        seen = sorted(filter(self._is_seen, views), key=lambda view: (view.closed is not None, -view.created))
        first = CARDS_PER_PAGE * (self._page - 1)
        shown = seen[first : first + CARDS_PER_PAGE]
        found = dict(self._around(shown, max(1, -(-len(seen) // CARDS_PER_PAGE))))
        for view in shown:
            found[f"{CARD}{view.id.hex()}"] = await self._cards.of(view)
        return found

    def _is_seen(self, view: TaskView) -> bool:
        return self._audience is None or view.terms.results == "public" or view.id in self._audience

    def _around(self, shown: Sequence[TaskView], pages: int) -> Regions:
        """What is around the cards, made anew only for other tasks: what a task starts from never changes."""
        ids = [view.id.hex() for view in shown]
        if self._listed[0] != (ids, pages):
            with self._live.budget.measured():
                tasks = list_region(ids, {}, self._where, all_seen=self._audience is None)
                links = page_links(self._page, pages, self._where.base)
                self._listed = (ids, pages), {"tasks": tasks, "pages": links, "foot": foot_region(shown)}
        return self._listed[1]


def whole_list(regions: Regions, where: Where, *, all_seen: bool) -> Markup:
    """The list with its cards in it, for a new page."""
    cards = {name.removeprefix(CARD): card for name, card in regions.items() if name.startswith(CARD)}
    return list_region(tuple(cards), cards, where, all_seen=all_seen)

"""Which reports a page is about: all of them, the last ones alone, or those of a past epoch."""

from hgldp.collector.dashboard.figures import moment, short, whole
from hgldp.collector.dashboard.markup import Html, fill, joined
from hgldp.collector.views import PublishedEpoch, TaskView
from hgldp.schemes.registry import class_of

WINDOWS = tuple(factor * 10**power for power in range(9, 1, -1) for factor in (5, 2, 1))


def scrubber(view: TaskView, published: PublishedEpoch | None) -> Html:
    """A slider over the epochs; its last place is the present."""
    if not view.epoch:
        return Html("")
    shown = fill("scrubber_now", epoch=view.epoch) if view.closed is None else fill("scrubber_end")
    if published is not None:
        reports = whole(published.reports)
        shown = fill("scrubber_past", epoch=published.epoch, time=moment(published.published), reports=reports)
    at = view.epoch if published is None else published.epoch
    return fill("scrubber", path=f"/tasks/{view.id.hex()}", last=view.epoch, at=at, shown=shown)


def window_choices(view: TaskView) -> tuple[int, ...]:
    """How many of the last reports one may ask for by themselves: pfr in a listed domain remembers them."""
    if not class_of(view.task).has_windows:
        return ()
    fitting = [each for each in WINDOWS if view.epoch_length <= each < view.reports]
    return tuple(fitting) if len(fitting) <= 3 else (fitting[0], fitting[len(fitting) // 2], fitting[-1])


def windows(view: TaskView, window: int | None) -> Html:
    """Links to all time and to the last reports, where there is a choice."""
    choices = window_choices(view)
    if not choices:
        return Html("")
    path = f"/tasks/{view.id.hex()}"
    shown = choices if window is None else sorted({*choices, window}, reverse=True)
    links = [_window_link(path, "All time", chosen=window is None)]
    links += [_window_link(f"{path}?window={n}", f"Last {short(n)}", chosen=window == n) for n in shown]
    return fill("windows", links=joined(*links))


def _window_link(path: str, text: str, *, chosen: bool) -> Html:
    return fill("window_link", path=path, text=text, current="true" if chosen else "false")

"""The paper's scheme-selection table, beside what was measured."""

from collections.abc import Callable
from functools import partial

from hgldp.experiments.claims.times import typical
from hgldp.experiments.claims.view import IN_TURN, OURS, PUBLISHED, NotMeasured, View
from hgldp.experiments.results import Results
from hgldp.experiments.tables.table import ABSENT, Grid, Table

PRINTED = {
    "accuracy": ("4th", "3rd", "2nd", "1st"),
    "computation": ("1st", "2nd", "3rd", "4th"),
    "memory": ("1st", "1st", "1st", "2nd"),
}
ORDINALS = ("1st", "2nd", "3rd", "4th")
ALIKE = 0.02


def places(values: dict[str, float], *, most_is_first: bool) -> list[str]:
    """The place of each; values within a fiftieth of the one before share its place.

    >>> places({"bgr": 0.5, "dsr": 0.9, "bdr": 0.901, "cnr": 0.7}, most_is_first=True)
    ['3rd', '1st', '1st', '2nd']
    """
    order = sorted(values, key=lambda name: values[name], reverse=most_is_first)
    place, found, before = 0, {}, None
    for name in order:
        if before is not None and abs(values[name] - before) > ALIKE * abs(before):
            place += 1
        found[name], before = ORDINALS[place], values[name]
    return [found[name] for name in values]


def _row(label: str, measure: Callable[[], dict[str, float]], form: str, *, most_is_first: bool) -> tuple[str, ...]:
    try:
        values = measure()
    except NotMeasured:
        return (label, *(ABSENT for _ in IN_TURN))
    shown = zip(places(values, most_is_first=most_is_first), values.values(), strict=True)
    return (label, *(f"{place} ({format(value, form)})" for place, value in shown))


def _means(results: Results, variant: str, value: str) -> dict[str, float]:
    view = View(results, variant)
    return {scheme: view.accuracy(scheme).mean(value) for scheme in IN_TURN}


def _make(results: Results) -> Grid:
    client = partial(typical, View(results, OURS), "client_us", "word_us")
    server = partial(typical, View(results, OURS), "server_ns", "exact_ns")
    ours, published = partial(_means, results, OURS), partial(_means, results, PUBLISHED)
    rows = (
        ("accuracy, printed", *PRINTED["accuracy"]),
        _row("mean NDCG, ours", partial(ours, "ndcg"), ".3f", most_is_first=True),
        _row("mean NDCG, as published", partial(published, "ndcg"), ".3f", most_is_first=True),
        ("computation, printed", *PRINTED["computation"]),
        _row("client, ours (words of entropy)", client, ".2f", most_is_first=False),
        _row("server, ours (exact counts)", server, ",.0f", most_is_first=False),
        ("memory, printed", *PRINTED["memory"]),
        _row("state bytes, ours", partial(ours, "state_bytes"), ",.0f", most_is_first=False),
        _row("state bytes, as published", partial(published, "state_bytes"), ",.0f", most_is_first=False),
    )
    return Grid(("", *(scheme.upper() for scheme in IN_TURN)), rows)


SELECTION = Table(
    "selection",
    "Which scheme: the paper's table beside the measurements",
    "Places as printed, then as measured over all streams and ε; values within 2 % share a place.",
    _make,
)

"""`hgldp demo`: a collector, ten thousand simulated clients over real HTTP, a dashboard, and the truth to compare."""

import asyncio
import signal
import time
from argparse import Namespace
from collections import deque
from collections.abc import Callable
from contextlib import closing
from typing import NoReturn

from hgldp.cli.command import imported
from hgldp.cli.commands.demo import COLLECTOR, LONGITUDINAL
from hgldp.cli.commands.demo.crowd import Crowd, growing
from hgldp.cli.commands.demo.server import RunningServer, running_server
from hgldp.cli.commands.demo.shop import PRODUCTS, Taste
from hgldp.cli.commands.demo.table import comparison, figures, precision_at
from hgldp.cli.output import write_error, write_output
from hgldp.cli.tasks import fetch_task
from hgldp.cli.terminal import progress_bar, show
from hgldp.errors import InvalidField, did_you_mean
from hgldp.model.randomness import WORD_MASK
from hgldp.model.validate import check_whole
from hgldp.wire import api

K, EPSILON, EVENTS, BATCH = 10, 2.0, 20, 4
MOST_UPLOADS_A_SECOND, LATER_UPLOADS_A_SECOND = 4000.0, 20.0
NEEDED_PRECISION = 0.8
CLIENTS = 10_000
OPTIONS = {COLLECTOR: ("clients", "port", "check"), LONGITUDINAL: ("people", "json", "out")}
LONGITUDINAL_RUN = "hgldp.cli.commands.demo.longitudinal"
RUSH_SECONDS = 70.0
TASK = {
    "name": "Products that people look at",
    "scheme": "pfr",
    "epsilon": EPSILON,
    "level": "event",
    "daily_reports": EVENTS,
    "k": K,
    "domain": {"words": list(PRODUCTS)},
    "results": "public",
}


def run(chosen: Namespace) -> int:
    """The demo that was asked for; options of the other one are refused."""
    what = COLLECTOR if chosen.what is None else chosen.what
    if what not in OPTIONS:
        raise InvalidField("WHAT", f"must be one of {', '.join(OPTIONS)}", what, did_you_mean(what, OPTIONS))
    check_whole("--seed", chosen.seed, 0, WORD_MASK)
    for other in (name for name in OPTIONS if name != what):
        for option in OPTIONS[other]:
            if getattr(chosen, option) is not None and getattr(chosen, option) is not False:
                raise InvalidField(
                    f"--{option}", f"must be left out: it is for hgldp demo {other}", f"hgldp demo {what}"
                )
    return run_collector(chosen) if what == COLLECTOR else int(imported(LONGITUDINAL_RUN).run(chosen))


def run_collector(chosen: Namespace) -> int:
    """Start everything, compare, and stay until Ctrl-C; with --check end then, with 1 if it found too little."""
    clients, port = CLIENTS if chosen.clients is None else chosen.clients, chosen.port or 0
    check_whole("--clients", clients, 1, 1_000_000)
    check_whole("--port", port, 0, 65_535)
    for ending in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, ending):
            signal.signal(getattr(signal, ending), _end)
    compared = False
    try:
        with running_server(port) as server:
            started = time.monotonic()
            made = server.service.post(api.TASKS, TASK)
            write_output(f"Dashboard: {server.url}/tasks/{made['id']}\n\n")
            crowd = Crowd(server.url, fetch_task(server.service, made["id"]), made["write_key"], EPSILON)
            taste = Taste(chosen.seed)
            with progress_bar(f"{clients:,} clients report", wanted=True) as advance:
                asyncio.run(_rush(crowd, taste, clients, started + RUSH_SECONDS, advance))
            precision = _compare(server, made["id"], crowd, started)
            compared = True
            if chosen.check:
                return _judge(precision)
            write_output("The clients keep reporting, more slowly, and the dashboard is live. Press Ctrl-C to stop.\n")
            with closing(_trickle(crowd, taste)) as later:  # Ctrl-C may come before anyone awaits it
                asyncio.run(later)
    except KeyboardInterrupt:
        write_output("\nThe demo is over; nothing is left behind.\n")
        if not compared:
            raise
    return 0


def _end(*_: object) -> NoReturn:
    raise KeyboardInterrupt


async def _rush(crowd: Crowd, taste: Taste, clients: int, until: float, advance: Callable[[int, int], None]) -> None:
    """All clients report; on a slow machine some do not get their turn in time."""
    everybody = deque(crowd.client(taste.events(EVENTS)) for _ in range(clients))
    sending = asyncio.create_task(crowd.send(everybody, BATCH, growing(MOST_UPLOADS_A_SECOND), until))
    while not sending.done():
        advance(crowd.truth.total(), EVENTS * clients)
        await asyncio.wait([sending], timeout=0.25)
    await sending


async def _trickle(crowd: Crowd, taste: Taste) -> None:
    """Now and then a client looks at something."""
    while True:
        few = deque(crowd.client(taste.events(BATCH)) for _ in range(200))
        await crowd.send(few, BATCH, lambda: LATER_UPLOADS_A_SECOND)


def _compare(server: RunningServer, task: str, crowd: Crowd, started: float) -> float:
    answer = server.service.get(api.TOP.format(id=task), k=K)
    reports = crowd.truth.total()
    facts = figures(crowd.sent_bytes, crowd.uploads, reports, crowd.too_late, EPSILON, EVENTS)
    precision = precision_at(K, [line["item"] for line in answer["top"]], crowd.truth)
    spent = f"{time.monotonic() - started:.0f} seconds after the start"
    show(comparison(answer, crowd.truth, K, [("precision", f"{precision:.1f}, {spent}"), *facts]))
    return precision


def _judge(precision: float) -> int:
    if precision < NEEDED_PRECISION:
        hint = "more --clients find more"
        write_error(f"hgldp: precision at {K} must be at least {NEEDED_PRECISION}, got {precision:.1f}; {hint}")
        return 1
    return 0

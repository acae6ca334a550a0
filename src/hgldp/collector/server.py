"""The process: one worker, one event loop, one writer. It ends cleanly on Ctrl-C and on SIGTERM."""

import asyncio
import gc
import os
import signal
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType

import uvicorn
from starlette.types import ASGIApp

from hgldp.collector.app import build_app
from hgldp.collector.collector import Collector
from hgldp.collector.compiling import compile_apart, some_code_folder
from hgldp.collector.dashboard.live import Live
from hgldp.collector.http.connections.accepting import Accepting
from hgldp.collector.http.connections.bounded_connection import BoundedConnection
from hgldp.collector.http.connections.client_address import networks_of
from hgldp.collector.http.connections.descriptors import places_for
from hgldp.collector.http.connections.places import Places
from hgldp.collector.http.connections.refusals import Refusals
from hgldp.collector.http.daemon_thread import in_daemon_thread
from hgldp.collector.http.listening import bound_socket
from hgldp.collector.http.monitoring.logs import log, start_logging
from hgldp.collector.http.starting import Starting, Stopped
from hgldp.collector.settings import ADMIN_TOKEN_VARIABLE, Limits, Settings, first_admin_token, with_tokens
from hgldp.errors import InvalidField
from hgldp.system.clock import SystemClock
from hgldp.system.code_folder import fall_back_on
from hgldp.system.owner import working_in
from hgldp.system.service_manager import READY, STOPPING, stay_alive, tell

GRACE_SECONDS, BACKLOG = 3, 2_048
COMPILED = "compiled"
YOUNG, MIDDLE, OLD = 10_000, 2, 500
Started = Callable[[Settings, str | None, int], None]


def serve(
    settings: Settings,
    started: Started,
    environment: Mapping[str, str] = os.environ,
    log_form: str | None = None,
) -> None:
    """Run until ended. Calls `started` with the settings, the admin token if it is new, and the number of tasks."""
    settings = with_tokens(settings, environment)  # refused before the folder is made
    lines = start_logging(settings.log_level, log_form)
    try:
        with working_in(settings.data):
            fall_back_on(settings.data / COMPILED)
            with (
                some_code_folder(),
                bound_socket(settings.host, settings.port) as listening,
                asyncio.Runner(loop_factory=_loop_factory()) as runner,
            ):
                runner.run(_run(settings, listening, started, environment))
    finally:
        lines.flush()


async def _run(settings: Settings, listening: socket.socket, started: Started, environment: Mapping[str, str]) -> None:
    """Listen at once, compile in a process and recover in a thread, serve, and write what is queued when it ends."""
    limits, starting = settings.limits, Starting(settings.mount)
    places = Places(places_for(limits.connections), limits.held_bytes, networks_of(settings.trusted_proxies))
    config = configuration(starting, places)
    server = CollectorServer(config, starting.stop)
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    opening = in_daemon_thread(_open, settings, starting)
    try:
        await asyncio.wait((serving, opening), return_when=asyncio.FIRST_COMPLETED)
        if not serving.done():
            collector = await opening
            token = await in_daemon_thread(_first_token, collector, settings, environment)
            live = Live(collector)
            server.ending = live.end
            live.start()
            app = build_app(collector, settings, live, places)
            log("recovered", tasks=len(collector.tasks()))
            freeze_gc()
            starting.finish(app)
            config.loaded_app = app  # new connections go straight to it
            started(settings, token, len(collector.tasks()))
            tell(READY)
            alive = asyncio.create_task(stay_alive())
            await serving
            alive.cancel()
    except Stopped:
        pass  # SIGTERM came before the end of the recovery
    finally:
        server.should_exit = True
        await serving
        server.cut_all()
        await _close(opening)


async def _close(opening: "asyncio.Future[Collector]") -> None:
    """Write what is queued. A recovery that is not done yet gets a moment; nothing is lost if it is cut short."""
    await asyncio.wait((opening,), timeout=GRACE_SECONDS)
    if not opening.done() or isinstance(opening.exception(), Stopped):
        log("stopped before it had recovered")
    elif opening.exception() is None:
        opening.result().close()
        log("stopped")


def _first_token(collector: Collector, settings: Settings, environment: Mapping[str, str]) -> str | None:
    if collector.office is None:
        return first_admin_token(settings.data, environment)
    if not settings.admin_digest and not collector.office.names:
        rule = "must name a file with the admin token, unless hgldp admin add has made an admin"
        raise InvalidField(f"{ADMIN_TOKEN_VARIABLE}_FILE", rule, "neither")
    return None


def _open(settings: Settings, starting: Starting) -> Collector:
    compile_apart(starting.progress)
    if settings.store:
        return Collector.join(
            settings.store, limits=settings.limits, progress=starting.progress, admin=settings.admin_digest
        )
    try:
        return Collector.open(settings.data, clock=SystemClock(), limits=settings.limits, progress=starting.progress)
    except OSError as failure:
        reason = f"{settings.data} ({failure.strerror or 'unusable'})"
        raise InvalidField("data", "must be a folder that can be written", reason) from None


class CollectorServer(uvicorn.Server):
    """Accepts many at once. Ends when told to, and does not pass the signal on: the queue must still be written."""

    def __init__(self, config: uvicorn.Config, ending: Callable[[], None] = lambda: None) -> None:
        super().__init__(config)
        self.ending = ending

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen with our own loop that accepts; uvicorn leaves that to the event loop."""
        config = self.config

        def connection() -> asyncio.Protocol:
            return config.http_protocol_class(config=config, server_state=self.server_state, app_state={})  # type: ignore[call-arg]

        self.servers = [Accepting(each, connection, config.backlog) for each in sockets or ()]  # type: ignore[misc]
        self.started = True

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End the open streams too: they would last for ever, and the server would wait for them."""
        super().handle_exit(sig, frame)
        tell(STOPPING)
        self.ending()

    def cut_all(self) -> None:
        """Whoever is still connected has had time enough."""
        for each in list(self.server_state.connections):
            each.transport.abort()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """On either signal stop listening, answer what is under way, and end."""
        loop, caught = asyncio.get_running_loop(), (signal.SIGINT, signal.SIGTERM)
        for each in caught:
            loop.add_signal_handler(each, self.handle_exit, each, None)
        try:
            yield
        finally:
            for each in caught:
                loop.remove_signal_handler(each)


def configuration(app: ASGIApp, places: Places | None = None) -> uvicorn.Config:
    """How uvicorn serves the app. Without `places` there are as many as the defaults allow."""
    shared = places or Places(Limits().connections, Limits().held_bytes)
    return uvicorn.Config(
        app,
        http=type("Connection", (BoundedConnection,), {"places": shared, "refusals": Refusals()}),
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        backlog=BACKLOG,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


def freeze_gc() -> None:
    """Spare the garbage collector what lives as long as the server. Call once, after everything is recovered.

    An upload that waits for its commit outlives the first generations of the garbage collector. Without this, it would
    visit all objects of the process every few thousand uploads, compilers and tables included, which never go away.
    The middle generation is looked at often, so that each look is short: one of 200,000 objects took 70 ms.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop  # noqa: PLC0415 - not on every system
    except ImportError:
        return None
    return uvloop.new_event_loop

"""The process: one worker, one event loop, one writer. It ends cleanly on Ctrl-C and on SIGTERM."""

import asyncio
import gc
import os
import signal
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from errno import EADDRINUSE
from types import FrameType

import uvicorn
from starlette.types import ASGIApp

from hgldp.collector.app import build_app
from hgldp.collector.collector import Collector
from hgldp.collector.dashboard.live import Live
from hgldp.collector.http.head_limits import BoundedHead
from hgldp.collector.http.logs import log, start_logging
from hgldp.collector.settings import Settings, first_admin_token, with_tokens
from hgldp.errors import InvalidField
from hgldp.system.clock import SystemClock

GRACE_SECONDS, BACKLOG = 3, 2048
YOUNG, MIDDLE, OLD = 10_000, 20, 50
Started = Callable[[Settings, str | None, int], None]


def serve(
    settings: Settings, started: Started, environment: Mapping[str, str] = os.environ, log_form: str | None = None
) -> None:
    """Run until ended. Calls `started` with the settings, the admin token if it is new, and the number of tasks."""
    known = with_tokens(settings, environment)  # refused before the folder is made
    os.umask(0o077)
    start_logging(settings.log_level, log_form)
    with _listen(settings) as listening, ExitStack() as at_the_end:
        collector = _open(settings)
        at_the_end.callback(log, "stopped")
        at_the_end.callback(collector.close)
        token, tasks = first_admin_token(settings.data, environment), len(collector.tasks())
        log("recovered", tasks=tasks)
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(_run(collector, known, listening, lambda: started(known, token, tasks)))


def _open(settings: Settings) -> Collector:
    try:
        return Collector.open(settings.data, clock=SystemClock(), limits=settings.limits)
    except OSError as failure:
        reason = f"{settings.data} ({failure.strerror or 'unusable'})"
        raise InvalidField("data", "must be a folder that can be written", reason) from None


async def _run(collector: Collector, settings: Settings, listening: socket.socket, started: Callable[[], None]) -> None:
    live = Live(collector)
    server = _Server(configuration(build_app(collector, settings, live)), live.end)
    freeze_gc()
    listening.listen(BACKLOG)
    started()
    await server.serve(sockets=[listening])


class _Server(uvicorn.Server):
    """Ends when told to, and does not pass the signal on, because the queue must still be written."""

    def __init__(self, config: uvicorn.Config, ending: Callable[[], None]) -> None:
        super().__init__(config)
        self._ending = ending

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End the open streams too: they would last for ever, and the server would wait for them."""
        super().handle_exit(sig, frame)
        self._ending()

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


def configuration(app: ASGIApp) -> uvicorn.Config:
    """How uvicorn serves the app."""
    return uvicorn.Config(
        app,
        http=BoundedHead,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


def freeze_gc() -> None:
    """Spare the garbage collector what lives as long as the server. Call once, after everything is recovered.

    An upload that waits for its commit outlives the first generations of the garbage collector. Without this, it would
    visit all objects of the process every few thousand uploads, compilers and tables included, which never go away.
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


def _listen(settings: Settings) -> socket.socket:
    """Bind the port before anything else is opened, so that a taken port leaves no trace."""
    found = socket.socket(socket.AF_INET6 if ":" in settings.host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((settings.host.strip("[]"), settings.port))
    except OSError as failure:
        found.close()
        reason = "taken" if failure.errno == EADDRINUSE else failure.strerror or "unknown"
        rule = "must be an address of this machine and a free port"
        raise InvalidField("host and port", rule, f"{settings.host}:{settings.port} ({reason})") from None
    return found

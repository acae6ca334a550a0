"""The process: one worker, one event loop, one writer; ends cleanly on Ctrl-C and on SIGTERM."""

import asyncio
import os
import signal
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from errno import EADDRINUSE
from types import FrameType

import uvicorn

from hgldp.collector.admin_token import settle_admin_token
from hgldp.collector.app import build_app
from hgldp.collector.collector import Collector
from hgldp.collector.dashboard.live import Live
from hgldp.collector.heap import settle_heap
from hgldp.collector.http_head import BoundedHead
from hgldp.collector.logs import log, start_logging
from hgldp.collector.settings import Settings
from hgldp.errors import InvalidField
from hgldp.system.clock import SystemClock

GRACE_SECONDS, BACKLOG = 3, 2048
Started = Callable[[Settings, str | None], None]


def serve(
    settings: Settings, started: Started, environment: Mapping[str, str] = os.environ, log_form: str | None = None
) -> None:
    """Run until somebody ends it. `started` hears the settings and, once in a folder's life, the new admin token."""
    os.umask(0o077)
    start_logging(settings.log_level, log_form)
    with _listen(settings) as listening:
        collector = _open(settings)
        try:
            digest, token = settle_admin_token(settings.data, environment)
            known = replace(settings, admin_digest=digest)
            log("recovered", tasks=len(collector.tasks()))
            with asyncio.Runner(loop_factory=_loop_factory()) as runner:
                runner.run(_run(collector, known, listening, lambda: started(known, token)))
        finally:
            collector.close()
            log("stopped")


def _open(settings: Settings) -> Collector:
    try:
        return Collector.open(settings.data, clock=SystemClock(), limits=settings.limits)
    except OSError as failure:
        reason = f"{settings.data} ({failure.strerror or 'unusable'})"
        raise InvalidField("data", "must be a folder that can be written", reason) from None


async def _run(collector: Collector, settings: Settings, listening: socket.socket, started: Callable[[], None]) -> None:
    live = Live(collector)
    server = _Server(configuration(build_app(collector, settings, live)), live.end)
    settle_heap()
    listening.listen(BACKLOG)
    started()
    await server.serve(sockets=[listening])


class _Server(uvicorn.Server):
    """Ends when told to, and does not pass the signal on: the queue is still to be written."""

    def __init__(self, config: uvicorn.Config, ending: Callable[[], None]) -> None:
        super().__init__(config)
        self._ending = ending

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Open streams would last for ever: they end now, so that nobody waits for them."""
        super().handle_exit(sig, frame)
        self._ending()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Both signals mean: stop listening, answer what is under way, go."""
        loop, caught = asyncio.get_running_loop(), (signal.SIGINT, signal.SIGTERM)
        for each in caught:
            loop.add_signal_handler(each, self.handle_exit, each, None)
        try:
            yield
        finally:
            for each in caught:
                loop.remove_signal_handler(each)


def configuration(app: object) -> uvicorn.Config:
    """How every request reaches the app."""
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        http=BoundedHead,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop  # noqa: PLC0415 - not on every system
    except ImportError:
        return None
    return uvloop.new_event_loop


def _listen(settings: Settings) -> socket.socket:
    """Bound before anything is opened, so that a taken port leaves no trace."""
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

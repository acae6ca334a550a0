"""Deeds of admins over HTTP: each goes into the process's log and into the admin log."""

import logging
from collections.abc import Awaitable

from starlette.concurrency import run_in_threadpool

from hgldp.collector.admin_log import AdminLog
from hgldp.collector.http.monitoring.logs import log
from hgldp.collector.problems import Problem, Refused


class Deeds:
    """Notes what has been done. It is done already, so an admin log that cannot be written is only complained about."""

    def __init__(self, admin_log: AdminLog) -> None:
        self._log = admin_log

    async def carry_out(self, deed: Awaitable[object], who: str, what: str, task_id: bytes) -> None:
        """Wait for a deed, which is noted afterwards; here already if nobody can say whether it is done."""
        try:
            await deed
        except Refused as refused:
            if refused.problem is Problem.TASK_BUSY:
                await self.note(who, what, task_id, "asked for; the task was busy, and it may be done later")
            raise

    async def note(self, who: str, what: str, task_id: bytes, detail: str = "") -> None:
        """Who did what to which task."""
        log(what, task=task_id.hex(), admin=who)
        try:
            await run_in_threadpool(self._log.note, who, what, task_id.hex(), detail)
        except OSError as failure:
            log("admin log cannot be written", logging.ERROR, reason=failure.strerror or "unknown")

"""Deeds of admins over HTTP: each goes into the log and into the audit trail."""

import logging
from collections.abc import Awaitable

from starlette.concurrency import run_in_threadpool

from hgldp.collector.audit import AuditTrail
from hgldp.collector.http.monitoring.logs import log
from hgldp.collector.problems import Problem, Refused


class Audited:
    """Notes what has been done. It is done already, so a trail that cannot be written is only complained about."""

    def __init__(self, trail: AuditTrail) -> None:
        self._trail = trail

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
            await run_in_threadpool(self._trail.note, who, what, task_id.hex(), detail)
        except OSError as failure:
            log("audit trail cannot be written", logging.ERROR, reason=failure.strerror or "unknown")

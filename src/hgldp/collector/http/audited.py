"""Deeds of admins over HTTP: each goes into the log and into the audit trail."""

import logging

from starlette.concurrency import run_in_threadpool

from hgldp.collector.audit import AuditTrail
from hgldp.collector.http.monitoring.logs import log


class Audited:
    """Notes what has been done. It is done already, so a trail that cannot be written is only complained about."""

    def __init__(self, trail: AuditTrail) -> None:
        self._trail = trail

    async def note(self, who: str, what: str, task_id: bytes, detail: str = "") -> None:
        """Who did what to which task."""
        log(what, task=task_id.hex(), admin=who)
        try:
            await run_in_threadpool(self._trail.note, who, what, task_id.hex(), detail)
        except OSError as failure:
            log("audit trail cannot be written", logging.ERROR, reason=failure.strerror or "unknown")

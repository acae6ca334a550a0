"""One plan at a time, in a process that is ended if it takes too long."""

import asyncio
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE
from dataclasses import asdict
from typing import Any

from hgldp.collector.compiling import environment_of_child
from hgldp.collector.dashboard.plan.asked import PlanForm
from hgldp.collector.problems import Problem, Refused

CHILD = "hgldp.collector.dashboard.plan.child"
MOST_SECONDS, RETRY_SECONDS = 240.0, 10


class Planner:
    """Whoever asks while a plan is being made comes back later."""

    def __init__(self, seconds: float = MOST_SECONDS) -> None:
        self._seconds, self._busy = seconds, asyncio.Lock()

    async def plan(self, asked: PlanForm) -> dict[str, Any] | None:
        """The rows of a plan; None if the process failed or took too long."""
        if self._busy.locked():
            raise Refused(Problem.TOO_MANY_QUESTIONS, retry_after=RETRY_SECONDS)
        async with self._busy:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", CHILD),
                stdin=PIPE,
                stdout=PIPE,
                stderr=DEVNULL,
                env=environment_of_child(),
            )
            try:
                async with asyncio.timeout(self._seconds):
                    out, _ = await process.communicate(json.dumps(asdict(asked)).encode())
            except TimeoutError:
                return None
            finally:
                if process.returncode is None:
                    process.kill()
                    await process.wait()
        return dict(json.loads(out)) if process.returncode == 0 else None

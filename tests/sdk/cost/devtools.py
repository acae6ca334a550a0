"""What the main thread of a page did, task by task, in the processor's time: from a trace that the browser writes.

Wall time says little on a machine that is busy with other things: a task that is put aside for 20 ms did not block the
page by its own doing. The processor's time of a thread counts only while the thread runs. It would not show a wait for
another process inside a task; the wall time beside it would.
"""

import json
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.request import urlopen

import websocket
from selenium import webdriver

from tests.patience import PATIENCE

PIECE = 1 << 20
TASK, MARK, END = "ThreadControllerImpl::RunTask", "cost ", "cost end"
DOUBT = 0.1
HEAP = "v8/src/heap/"
CATEGORIES = ["toplevel", "blink.user_timing"]


@dataclass(frozen=True)
class Work:
    """One task of the main thread: milliseconds on the processor and on the clock, and whether it removes garbage."""

    processor: float
    wall: float
    is_garbage: bool = False

    @property
    def thread(self) -> float:
        """For how long it kept the thread busy: never longer than it lasted, whatever the trace says."""
        return min(self.processor, self.wall)

    @property
    def is_doubtful(self) -> bool:
        """Whether the trace has more time on the processor than on the clock, which cannot be. It is rare."""
        return self.processor > self.wall + DOUBT


Windows = dict[str, list[list[Work]]]


class DevTools:
    """A connection to the browser besides that of the driver, which asks pages questions of its own while it waits."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        where = driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
        with urlopen(f"http://{where}/json/version") as found:
            url = json.load(found)["webSocketDebuggerUrl"]
        self._socket = websocket.create_connection(
            url, timeout=PATIENCE, suppress_origin=True, skip_utf8_validation=True
        )
        self._asked = 0

    def close(self) -> None:
        self._socket.close()

    def ask(self, method: str, session: str | None = None, **params: Any) -> dict[str, Any]:
        """One command and its result."""
        self._asked += 1
        own = {"sessionId": session} if session else {}
        self._socket.send(json.dumps({"id": self._asked, "method": method, "params": params} | own))
        answer = self._heard("id", self._asked)
        assert "error" not in answer, answer
        found: dict[str, Any] = answer["result"]
        return found

    def _heard(self, field: str, value: object) -> dict[str, Any]:
        while (found := json.loads(self._socket.recv())).get(field) != value:
            pass
        return dict(found)

    def attach(self, handle: str) -> str:
        """The session of a tab; the driver's handle is the target's id."""
        return str(self.ask("Target.attachToTarget", targetId=handle, flatten=True)["sessionId"])

    def run(self, session: str, script: str) -> Any:
        """What an expression of a page comes to, once its promise is kept."""
        asked = {"expression": script, "awaitPromise": True, "returnByValue": True}
        answer = self.ask("Runtime.evaluate", session, **asked)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    @contextmanager
    def tracing(self) -> Iterator[Windows]:
        """Trace what the block does; afterwards there are all tasks between marks, by the name of the mark."""
        config = {"recordMode": "recordUntilFull", "includedCategories": CATEGORIES, "excludedCategories": ["*"]}
        self.ask("Tracing.start", transferMode="ReturnAsStream", traceConfig=config)
        found: Windows = {}
        yield found
        self.ask("Tracing.end")
        done = self._heard("method", "Tracing.tracingComplete")["params"]
        assert not done["dataLossOccurred"], "the trace is not whole: ask for fewer reports"
        pieces, more = [], True
        while more:
            piece = self.ask("IO.read", handle=done["stream"], size=PIECE)
            pieces.append(piece["data"])
            more = not piece["eof"]
        self.ask("IO.close", handle=done["stream"])
        found.update(between_marks(json.loads("".join(pieces))["traceEvents"]))


def between_marks(events: list[dict[str, Any]]) -> Windows:
    """The tasks between each mark and its end, on the thread that set them; a task that holds a mark is among them.

    A trace leaves out the processor's time of a task of a few microseconds: then the wall time stands, which is more.
    """
    marks: dict[tuple[int, int], list[tuple[float, str]]] = defaultdict(list)
    tasks: dict[tuple[int, int], list[tuple[float, float, Work]]] = defaultdict(list)
    for each in events:
        thread = each["pid"], each["tid"]
        if each["name"].startswith(MARK):
            marks[thread].append((each["ts"], each["name"]))
        elif each["name"] == TASK and each["ph"] == "X":
            is_garbage = each["args"].get("src_file", "").startswith(HEAP)
            work = Work(each.get("tdur", each["dur"]) / 1000, each["dur"] / 1000, is_garbage)
            tasks[thread].append((each["ts"], each["ts"] + each["dur"], work))
    found: Windows = defaultdict(list)
    for thread, named in marks.items():
        named.sort()
        mine = sorted(tasks[thread], key=lambda task: task[0])
        starts, ends = [start for start, _, _ in mine], [end for _, end, _ in mine]
        for (since, name), (until, last) in zip(named[::2], named[1::2], strict=True):
            assert name != END == last, f"{name}, then {last}"
            found[name.removeprefix(MARK)].append(
                [work for _, _, work in mine[bisect_right(ends, since) : bisect_left(starts, until)]]
            )
    return dict(found)


@contextmanager
def devtools(driver: webdriver.Chrome) -> Iterator[DevTools]:
    """A connection that is closed at the end."""
    found = DevTools(driver)
    try:
        yield found
    finally:
        found.close()

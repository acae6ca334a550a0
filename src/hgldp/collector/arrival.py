"""An upload on its way to the log: checked against its bulletin, not yet known to be new."""

from asyncio import AbstractEventLoop, Future

from hgldp.collector.gate import Gate
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.views import Receipt, TaskView
from hgldp.wire.upload import HEAD, MAGIC, MOST_BYTES, MOST_REPORTS, PADDED_TO

_PADDINGS = tuple(bytes(size) for size in range(PADDED_TO))


class Arrival:
    """`future` is whoever waits for the answer on a `loop`, if anybody does; `outcome` is the answer."""

    __slots__ = ("count", "future", "gate", "id", "loop", "outcome", "size", "symbols", "task")

    def __init__(self, task: int, upload_id: bytes, gate: Gate, count: int, symbols: bytes) -> None:
        self.task, self.id, self.gate, self.count, self.symbols = task, upload_id, gate, count, symbols
        self.size = len(symbols)
        self.loop: AbstractEventLoop | None = None
        self.future: Future[Receipt] | None = None
        self.outcome: Receipt | Refused | None = None


def read_arrival(view: TaskView, body: bytes) -> Arrival:
    """What `Upload.decode(body).symbols(limit)` checks, without an object for each report."""
    size = len(body)
    if size > MOST_BYTES:
        raise Refused(Problem.TOO_LARGE, f"upload must be at most {MOST_BYTES} bytes")
    if size < PADDED_TO or size % PADDED_TO:
        raise Refused(Problem.MALFORMED_UPLOAD, "upload must be a multiple of 64 bytes")
    magic, upload_id, version, count = HEAD.unpack_from(body)
    if magic != MAGIC or not 1 <= count <= MOST_REPORTS:
        raise Refused(Problem.MALFORMED_UPLOAD, f"upload must be of version 1 and hold 1 … {MOST_REPORTS} reports")
    gate = view.gates.get(version)
    if gate is None:
        raise Refused(Problem.BULLETIN_TOO_OLD)
    end = HEAD.size + count * gate.width
    if not 0 <= size - end < PADDED_TO or not body.endswith(_PADDINGS[size - end]):
        raise Refused(Problem.MALFORMED_UPLOAD, "upload must be as long as its count says, and padded with zeros")
    symbols = body[HEAD.size : end]
    if not gate.admits(symbols):
        raise Refused(Problem.MALFORMED_UPLOAD, "symbols must be below the limit of their bulletin")
    return Arrival(view.number, upload_id, gate, count, symbols)

"""An upload on its way to the log: checked against its bulletin, not yet known to be new."""

from asyncio import AbstractEventLoop, Future

from hgldp.collector.problems import Problem, Refused
from hgldp.collector.symbol_format import SymbolFormat
from hgldp.collector.views import Receipt, TaskView
from hgldp.collector.writer.quotas import Account
from hgldp.wire.upload import HEAD, MAGIC, MOST_BYTES, MOST_REPORTS, SIZES, padded

_ZEROS = bytes(MOST_BYTES)


class PendingUpload:
    """If a request waits for the answer, it waits for `future` in `loop`. `outcome` is the answer.

    `payer` is whose share it counts against, if its task has quotas.
    """

    __slots__ = ("count", "format", "future", "id", "loop", "outcome", "payer", "size", "symbols", "task")

    def __init__(self, task: int, upload_id: bytes, symbol_format: SymbolFormat, count: int, symbols: bytes) -> None:
        self.task = task
        self.id = upload_id
        self.format = symbol_format
        self.count = count
        self.symbols = symbols
        self.size = len(symbols)
        self.loop: AbstractEventLoop | None = None
        self.future: Future[Receipt] | None = None
        self.payer: Account | None = None
        self.outcome: Receipt | Refused | None = None


def read_upload(view: TaskView, body: bytes) -> PendingUpload:
    """Check all that `Upload.decode(body).symbols(limit)` checks, without an object for each report."""
    size = len(body)
    if size > MOST_BYTES:
        raise Refused(Problem.TOO_LARGE, f"an upload must have at most {MOST_BYTES} bytes, got {size}")
    if size not in SIZES:
        reason = f"the length of an upload must be one of {', '.join(map(str, SIZES))} bytes, got {size}"
        raise Refused(Problem.MALFORMED_UPLOAD, reason)
    magic, upload_id, version, count = HEAD.unpack_from(body)
    if magic != MAGIC:
        raise Refused(Problem.MALFORMED_UPLOAD, "an upload must start with the mark of version 1")
    if not 1 <= count <= MOST_REPORTS:
        raise Refused(Problem.MALFORMED_UPLOAD, f"an upload must hold 1 … {MOST_REPORTS} reports, got {count}")
    symbol_format = view.formats.get(version)
    if symbol_format is None:
        raise Refused(Problem.BULLETIN_TOO_OLD)
    end = HEAD.size + count * symbol_format.width
    if end > size or size != padded(end) or body[end:] != _ZEROS[end:size]:
        reason = "an upload must be as long as its number of reports says, and padded with zeros"
        raise Refused(Problem.MALFORMED_UPLOAD, reason)
    symbols = body[HEAD.size : end]
    if not symbol_format.admits(symbols):
        raise Refused(Problem.MALFORMED_UPLOAD, "every symbol must be one that the bulletin allows")
    return PendingUpload(view.number, upload_id, symbol_format, count, symbols)

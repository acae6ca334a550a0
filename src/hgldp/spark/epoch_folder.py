"""What a stream has counted and sealed, in one folder. Each micro-batch ends with one file that appears all at once.

`batches` holds that file; it says which micro-batch was counted last, and all that was counted since the last seal.
`sealed` are the states after the seals, `tallies` what each epoch counted, `results` what it found, `bulletins` what
clients are to answer, `ids` the uploads that were counted, and `checkpoint` belongs to Spark.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hgldp.collector.views import PublishedEpoch
from hgldp.errors import InvalidField, MalformedBytes, MalformedState
from hgldp.spark.seen_ids import Piece
from hgldp.system.durable import sync
from hgldp.tallies import SealState, Tally
from hgldp.wire.strict_json import read_json, strict

PRIVATE_FOLDER, PRIVATE = 0o700, 0o600
KEPT_BATCHES = KEPT_STATES = 2
NO_BATCH, NO_QUERY = -1, ""


@dataclass(frozen=True)
class StreamPosition:
    """Where a stream is: its last micro-batch, the epoch in force, and what was counted in it so far.

    `query` is Spark's name for the checkpoint whose micro-batches are counted. `refused` uploads (or reports, where
    each is a row) did not fit their bulletin, or answered one that is not read.
    """

    batch: int
    query: str
    epoch: int
    tally: Tally
    pieces: tuple[Piece, ...] = ()
    refused: int = 0

    def written(self) -> bytes:
        """As the file holds it."""
        fields = {"batch": self.batch, "query": self.query, "epoch": self.epoch, "refused": self.refused}
        rest = {"pieces": [list(each) for each in self.pieces], "tally": self.tally.to_csv().decode()}
        return json.dumps(fields | rest, indent=1).encode() + b"\n"

    @classmethod
    def read(cls, data: bytes) -> "StreamPosition":
        """And back."""
        try:
            fields: Any = dict(read_json(data))  # type: ignore[call-overload]
            pieces, tally = tuple(Piece(*each) for each in fields.pop("pieces")), fields.pop("tally")
            return cls(**fields, tally=Tally.from_csv(tally.encode()), pieces=pieces)
        except (KeyError, TypeError, AttributeError, ValueError, MalformedBytes, InvalidField):
            raise MalformedState("the file of a micro-batch must be as it was written") from None


class EpochFolder:
    """Written by one stream, by `sealing`; anybody may read its `bulletins`, `results` and `tallies` meanwhile."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        if not (self.path / "batches").is_dir():
            raise InvalidField("folder", "must be one that EpochFolder.create made", self.path)

    @classmethod
    def create(cls, path: Path | str, state: SealState) -> "EpochFolder":
        """A new folder, whose first epoch is that of the state."""
        target = Path(path)
        if target.exists() and any(target.iterdir()):
            raise InvalidField("folder", "must be empty or new", target)
        for name in ("sealed", "ids", "tallies", "results", "bulletins"):
            (target / name).mkdir(parents=True, exist_ok=True)
        (target / "sealed").chmod(PRIVATE_FOLDER)
        _write(target / "sealed" / _name(state.bulletin.epoch, "state"), state.write(), PRIVATE)
        _write(target / "bulletins" / _name(state.bulletin.epoch, "bulletin"), state.bulletin.canonical)
        (target / "batches").mkdir()
        folder = cls(target)
        folder.commit(StreamPosition(NO_BATCH, NO_QUERY, state.bulletin.epoch, Tally()))
        return folder

    def counted(self) -> StreamPosition:
        """Where the stream is."""
        files = sorted(self.path.glob("batches/*.json"))
        if not files:
            raise MalformedState(f"{self.path} must hold the file of a micro-batch, but has none")
        return StreamPosition.read(files[-1].read_bytes())

    def state(self, epoch: int | None = None) -> SealState:
        """The state that began an epoch, by default the one in force. States of the last few are kept."""
        number = self.counted().epoch if epoch is None else epoch
        return SealState.read(self._of(number, "sealed", "state", "must be one whose state is kept"))

    def tally(self, epoch: int) -> Tally:
        """What the seal of an epoch counted: with the state before it, all that followed."""
        return Tally.from_csv(self._of(epoch, "tallies", "csv", "must be one that has ended"))

    def result(self, epoch: int) -> dict[str, Any]:
        """What the seal of an epoch found."""
        found: Any = read_json(self._of(epoch, "results", "json", "must be one that has ended"))
        return dict(found)

    def _of(self, epoch: int, kind: str, ending: str, rule: str) -> bytes:
        try:
            return (self.path / kind / _name(epoch, ending)).read_bytes()
        except FileNotFoundError:
            raise InvalidField("epoch", rule, epoch) from None

    def newest_bulletin(self) -> bytes:
        """The canonical bytes of what clients should answer now."""
        return max(self.path.glob("bulletins/*.bulletin")).read_bytes()

    def write_seal(self, tally: Tally, result: PublishedEpoch, after: SealState) -> None:
        """What a seal left. It does not count before `commit`, and the same seal may be written again."""
        _write(self.path / "tallies" / _name(result.epoch, "csv"), tally.to_csv())
        _write(self.path / "results" / _name(result.epoch, "json"), json.dumps(strict(asdict(result))).encode() + b"\n")
        _write(self.path / "sealed" / _name(after.bulletin.epoch, "state"), after.write(), PRIVATE)

    def commit(self, counted: StreamPosition) -> None:
        """From now on the micro-batch is counted, whatever happens."""
        _write(self.path / "batches" / _name(counted.batch + 1, "json"), counted.written())

    def publish(self, state: SealState) -> None:
        """What follows from the last commit, and may have been left undone: the bulletin appears, old files go."""
        target = self.path / "bulletins" / _name(state.bulletin.epoch, "bulletin")
        if not target.exists():
            _write(target, state.bulletin.canonical)
        for pattern, kept in (("batches/*.json", KEPT_BATCHES), ("sealed/*.state", KEPT_STATES)):
            for path in sorted(self.path.glob(pattern))[:-kept]:
                path.unlink()

    def epochs(self) -> Iterator[int]:
        """The epochs that were sealed here, in order."""
        return (int(path.stem) for path in sorted(self.path.glob("tallies/*.csv")))


def _name(number: int, ending: str) -> str:
    return f"{number:012d}.{ending}"


def _write(target: Path, data: bytes, mode: int = 0o644) -> None:
    """All of it or nothing, and on the disk."""
    draft = target.with_name(f".{target.name}.draft")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
        file.write(data)
    sync(draft)
    draft.replace(target)
    sync(target.parent)

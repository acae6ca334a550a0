"""A folder that is a dictionary: for tests that start a client thousands of times and look at nothing on a disk."""

from collections.abc import Iterator
from fnmatch import fnmatchcase
from io import BytesIO


class MemoryPath:
    """As much of a `pathlib.Path` as the client uses; all paths made from one share its files."""

    def __init__(self, *parts: str, files: dict[tuple[str, ...], bytes] | None = None) -> None:
        self._parts = parts
        self._files = {} if files is None else files

    @property
    def name(self) -> str:
        return self._parts[-1]

    @property
    def parent(self) -> "MemoryPath":
        return MemoryPath(*self._parts[:-1], files=self._files)

    def __truediv__(self, name: str) -> "MemoryPath":
        return MemoryPath(*self._parts, name, files=self._files)

    def with_name(self, name: str) -> "MemoryPath":
        return self.parent / name

    def exists(self) -> bool:
        return self._parts in self._files

    def mkdir(self, mode: int = 0o777, exist_ok: bool = False) -> None:
        """A folder is a name without bytes."""
        if self.exists() and not exist_ok:
            raise FileExistsError(self.name)
        self._files.setdefault(self._parts, b"")

    def iterdir(self) -> Iterator["MemoryPath"]:
        return iter([self / parts[-1] for parts in self._files if parts and parts[:-1] == self._parts])

    def glob(self, pattern: str) -> Iterator["MemoryPath"]:
        return (path for path in self.iterdir() if fnmatchcase(path.name, pattern))

    def read_bytes(self) -> bytes:
        try:
            return self._files[self._parts]
        except KeyError:
            raise FileNotFoundError(self.name) from None

    def write_bytes(self, data: bytes) -> int:
        self._files[self._parts] = bytes(data)
        return len(data)

    def open(self, mode: str) -> BytesIO:
        if mode != "rb":
            raise ValueError(mode)
        return BytesIO(self.read_bytes())

    def replace(self, target: "MemoryPath") -> "MemoryPath":
        target.write_bytes(self.read_bytes())
        self.unlink()
        return target

    def unlink(self, missing_ok: bool = False) -> None:
        if self._files.pop(self._parts, None) is None and not missing_ok:
            raise FileNotFoundError(self.name)

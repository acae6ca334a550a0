"""The part of a page that a benchmark writes: what stands between two marks. The rest is written by people."""

from dataclasses import dataclass
from pathlib import Path

from hgldp.errors import InvalidField


@dataclass(frozen=True)
class PagePart:
    """The part with this name."""

    name: str

    @property
    def begin(self) -> str:
        """The mark before it."""
        return f"<!-- {self.name}: begin -->"

    @property
    def end(self) -> str:
        """The mark after it."""
        return f"<!-- {self.name}: end -->"

    def around(self, page: Path) -> tuple[str, str]:
        """What stands before and after it; asked before a long run, it refuses a page that lacks the marks."""
        try:
            before, _, rest = page.read_text(encoding="utf-8").partition(self.begin)
        except OSError as failure:
            raise InvalidField("--paste", "must be a readable page", failure.strerror or "unreadable") from None
        _, mark, after = rest.partition(self.end)
        if not mark:
            raise InvalidField("--paste", f"must be a page with {self.begin} and then {self.end}", page.name)
        return before, after

    def paste(self, page: Path, text: str) -> None:
        """Replace it."""
        before, after = self.around(page)
        page.write_text(f"{before}{self.begin}\n\n{text}\n\n{self.end}{after}", encoding="utf-8")

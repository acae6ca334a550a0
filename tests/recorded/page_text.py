"""What a page of the dashboard shows: its words, its times, and the shapes of its charts; not how it is built."""

from html.parser import HTMLParser

SHAPES = {"x", "y", "cx", "cy", "d", "width", "height", "points"}
WORDS = {"datetime", "aria-label", "title", "value", "placeholder"}
CHARTS = {"rect", "circle", "path", "line", "polyline", "text"}
SILENT = {"script", "style"}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._silent = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent = tag in SILENT
        wanted = SHAPES | WORDS if tag in CHARTS else WORDS
        told = [f"{name}={value}" for name, value in attrs if name in wanted and value]
        if told:
            self.lines.append(f"<{tag} {' '.join(told)}>")

    def handle_endtag(self, tag: str) -> None:
        self._silent = False

    def handle_data(self, data: str) -> None:
        if not self._silent and (text := " ".join(data.split())):
            self.lines.append(text)


def page_text(page: str) -> str:
    """One line for each piece of text."""
    reader = _Reader()
    reader.feed(page)
    return "\n".join(reader.lines)

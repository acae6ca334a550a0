"""What differs between the recording and what the code computes now, and how to read it."""

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from difflib import unified_diff

from tests.recorded.record import Content, agrees, digest, digest_of, in_bytes, rounded

NOTHING = "nothing"


@dataclass(frozen=True)
class Difference:
    """A name, what 0.1.0 computed under it, and what is computed now."""

    name: str
    recorded: str
    found: str


def differences(recorded: Mapping[str, object], found: Mapping[str, Content]) -> list[Difference]:
    """Every name whose content is another one, or that only one of the two knows, in order."""
    same = {name for name, kept in recorded.items() if name in found and agrees(kept, found[name])}
    was = {name: digest_of(kept) for name, kept in recorded.items()}
    now = {name: digest(content) for name, content in found.items()}
    names = sorted((was.keys() | now.keys()) - same)
    return [Difference(name, was.get(name, NOTHING), now.get(name, NOTHING)) for name in names]


def table(found: Iterable[Difference]) -> str:
    """One line a difference; a digest is cut to what tells two apart."""
    rows = [("name", "0.1.0", "now"), *((each.name, _short(each.recorded), _short(each.found)) for each in found)]
    widths = [max(len(row[place]) for row in rows) for place in range(3)]
    return "\n".join("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) for row in rows)


def explained(kept: object, content: Content) -> str:
    """Line by line, where the text was kept."""
    if not isinstance(kept, dict):
        return ""
    texts = (str(rounded(in_bytes(text).decode())) for text in (str(kept["text"]), content))
    was, now = map(readable, texts)
    return "\n".join(unified_diff(was, now, "0.1.0", "now", lineterm=""))


def readable(text: str) -> list[str]:
    """The lines of an answer; a body of JSON is spread over many."""
    head, blank, body = text.partition("\n\n")
    with suppress(ValueError):
        body = json.dumps(json.loads(body), indent=1, ensure_ascii=False)
    return (head + blank + body).splitlines()


def _short(line: str) -> str:
    parts = line.split()
    return f"{parts[1][:12]}… {parts[3]} bytes" if len(parts) == 5 else line

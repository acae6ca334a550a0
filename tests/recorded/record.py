"""What a recording is: cases that find named contents, and in a file of their kind an entry for each content.

Processors differ in the last bits of a float, so the entry of a text holds its numbers to six digits. Beside it stands
the digest of the very text, for `--exact`. Bytes are the same everywhere, or the code is wrong.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

Content = str | bytes
Found = Mapping[str, Content]
Case = Callable[[], Found]
Cases = Mapping[str, Case]
Entry = str | list[str] | dict[str, str | list[str]]
FOLDER = Path(__file__).parent / "contents"
MOST_TEXT = {"documents": 6_000, "clients": 4_000}
USUAL_TEXT, MOST_LINE = 1_200, 110
WHOLE = ("documents/http/openapi.json", "documents/http/metrics")
_NUMBER = re.compile(r"-?(?:0x[01]\.[0-9a-f]+p[-+]\d+|\d+\.\d+(?:e[-+]?\d+)?)")
_NEARLY_ZERO = 1e-9


def in_bytes(content: Content) -> bytes:
    """A text in UTF-8."""
    return content.encode() if isinstance(content, str) else content


def digest(content: Content) -> str:
    """A line that stands for a content."""
    data = in_bytes(content)
    return f"sha256 {sha256(data).hexdigest()} of {len(data)} bytes"


def rounded(text: str) -> str:
    """A text with every number that has a point rounded to six digits."""
    return _NUMBER.sub(_six_digits, text)


def entry(name: str, content: Content) -> Entry:
    """What the file keeps: a text that is short enough to be read, whole; of everything else the digest."""
    if isinstance(content, bytes):
        return digest(content)
    text = rounded(content)
    lines = readable(text)
    most = MOST_TEXT.get(name.partition("/")[0], USUAL_TEXT)
    kept = lines if len(text) <= most or name in WHOLE else digest("\n".join(lines))
    return kept if text == content else {"exact": digest(content), "rounded": kept}


def agrees(kept: Entry | None, now: Entry | None, *, exact: bool = False) -> bool:
    """Whether two entries stand for the same content: with `exact` to the bit, or else to six digits."""
    return kept == now if exact else _to_six_digits(kept) == _to_six_digits(now)


def lines_of(kept: Entry | None) -> list[str]:
    """What an entry lets one read."""
    found = _to_six_digits(kept)
    return found if isinstance(found, list) else []


def name_of_digest(kept: Entry | None) -> str:
    """What stands for an entry in a table."""
    if kept is None:
        return "nothing"
    found = _to_six_digits(kept)
    if isinstance(found, list):
        return f"{len(found)} lines"
    parts = str(found).split()
    return f"{parts[1][:12]}… {parts[3]} bytes"


def readable(text: str) -> list[str]:
    """The lines of a text; JSON, after the head of an answer too, is spread over as many as it needs."""
    head, blank, body = text.partition("\n\n") if text.startswith("HTTP ") else ("", "", text)
    if body.lstrip()[:1] in ("{", "["):
        with suppress(ValueError):
            body = "\n".join(_spread(json.loads(body)))
    return (head + blank + body).split("\n")


def read(kind: str) -> dict[str, Entry]:
    """Name → entry, of all cases of a kind."""
    file = FOLDER / f"{kind}.json"
    found: dict[str, Entry] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return found


def write(kind: str, entries: Mapping[str, Entry]) -> None:
    """In the order of the names."""
    FOLDER.mkdir(exist_ok=True)
    text = json.dumps(dict(sorted(entries.items())), indent=1, ensure_ascii=False)
    (FOLDER / f"{kind}.json").write_text(f"{text}\n", encoding="utf-8")


def _to_six_digits(kept: Entry | None) -> str | list[str] | None:
    return kept["rounded"] if isinstance(kept, dict) else kept


def _six_digits(number: re.Match[str]) -> str:
    value = float.fromhex(number[0]) if "x" in number[0] else float(number[0])
    return f"{0.0 if abs(value) < _NEARLY_ZERO else value:.6g}"


def _spread(value: object, before: str = "", after: str = "", deep: int = 0) -> Iterator[str]:
    """A JSON value, one line for each member of what does not fit into one line."""
    line = f"{' ' * deep}{before}{json.dumps(value, ensure_ascii=False)}{after}"
    if len(line) <= MOST_LINE or not isinstance(value, dict | list) or not value:
        yield line
        return
    keyed = [(f"{json.dumps(key)}: ", each) for key, each in value.items()] if isinstance(value, dict) else []
    members = keyed or [("", each) for each in value]
    opened, closed = "{}" if keyed else "[]"
    yield f"{' ' * deep}{before}{opened}"
    for place, (key, each) in enumerate(members, start=1):
        yield from _spread(each, key, "," if place < len(members) else "", deep + 1)
    yield f"{' ' * deep}{closed}{after}"

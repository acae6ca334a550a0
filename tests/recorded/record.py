"""What a recording is: cases that find named contents, and a line for each of them with its SHA-256 and its length.

0.1.0 was recorded bit for bit. What changed since is kept with its numbers rounded: processors differ in the last bits.
"""

import json
import re
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path

Content = str | bytes
Found = Mapping[str, Content]
Case = Callable[[], Found]
Cases = Mapping[str, Case]
FILE = Path(__file__).parent / "0.1.0.json"
SINCE = Path(__file__).parent / "since.json"
WHOLE = "documents/"
_NUMBER = re.compile(r"-?(?:0x[01]\.[0-9a-f]+p[-+]\d+|\d+\.\d+(?:e[-+]?\d+)?)")
_NEARLY_ZERO = 1e-9


def in_bytes(content: Content) -> bytes:
    """A text in UTF-8."""
    return content.encode() if isinstance(content, str) else content


def digest(content: Content) -> str:
    """The line that stands for a content."""
    data = in_bytes(content)
    return f"sha256 {sha256(data).hexdigest()} of {len(data)} bytes"


def rounded(content: Content) -> Content:
    """A text with every number that has a point rounded to six digits; bytes as they are."""
    return _NUMBER.sub(_six_digits, content) if isinstance(content, str) else content


def agrees(kept: object, content: Content) -> bool:
    """Whether a content is the one that is kept, to the bit or rounded."""
    return digest_of(kept) in (digest(content), digest(rounded(content)))


def entry(name: str, content: Content) -> object:
    """What the file keeps: the digest, and of a document of the HTTP API its text too, to read what has changed."""
    kept = rounded(content)
    found = digest(kept)
    return {"digest": found, "text": in_bytes(kept).decode()} if name.startswith(WHOLE) else found


def digest_of(kept: object) -> str:
    """The digest of what the file keeps."""
    return str(kept["digest"] if isinstance(kept, dict) else kept)


def read_recorded() -> dict[str, object]:
    """Name → what 0.1.0 computed, or what was changed on purpose since."""
    return {**_read(FILE), **_read(SINCE)}


def read_original() -> dict[str, object]:
    """Name → what 0.1.0 computed."""
    return _read(FILE)


def write_since(entries: Mapping[str, object]) -> None:
    """What differs from 0.1.0 on purpose; the commit that adds a name says why."""
    text = json.dumps(dict(sorted(entries.items())), indent=1, ensure_ascii=False)
    SINCE.write_text(f"{text}\n", encoding="utf-8")


def _six_digits(number: re.Match[str]) -> str:
    value = float.fromhex(number[0]) if "x" in number[0] else float(number[0])
    return f"{0.0 if abs(value) < _NEARLY_ZERO else value:.6g}"


def _read(file: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return found

"""The first file of a backup: what the backup holds, and the size and the hash of each of its files.

A backup may come from anywhere, so every value is checked before anything is done with it.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from hgldp.collector.log.schema import FORMAT
from hgldp.errors import DamagedLog, MalformedBytes
from hgldp.wire.strict_json import read_json

NAME = "hgldp-backup.json"
MARK = "hgldp backup"
MOST_BYTES = 1 << 20
_LAST_MOMENT = 253_402_300_799  # the end of the year 9999
_MOST = 1 << 63
_NAME = re.compile(r"[0-9a-f]{0,64}")
_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Manifest:
    """`size` and `sha256` are by the name of the file. `collector` is the same in all backups of one data folder.

    Backups of the first versions have neither sizes nor a collector.
    """

    made: float
    tasks: int
    reports: int
    sha256: Mapping[str, str]
    size: Mapping[str, int] = field(default_factory=dict)
    collector: str = ""
    format: int = FORMAT

    def packed(self) -> bytes:
        """As it is written."""
        return json.dumps({"what": MARK} | asdict(self), indent=1).encode()


def read_manifest(text: bytes, backup: object) -> Manifest:
    """And back, or a DamagedLog that names the backup."""
    try:
        facts = read_json(text, MOST_BYTES)
    except MalformedBytes:
        facts = None
    if not isinstance(facts, dict) or facts.get("what") != MARK or not _is_count(facts.get("format")):
        raise DamagedLog(f"{backup} must be a backup that hgldp made, but its first file says something else")
    if facts["format"] != FORMAT:
        raise DamagedLog(
            f"{backup} has the format {facts['format']}, and this version restores {FORMAT}: take the one that made it"
        )
    known = {name: facts[name] for name in Manifest.__dataclass_fields__ if name in facts}
    wrong = [name for name, is_right in _RULES.items() if not is_right(known.get(name, _IF_MISSING.get(name)))]
    if wrong or not known.get("size", known["sha256"]).keys() == known["sha256"].keys():
        raise DamagedLog(
            f"{backup} must be a backup that hgldp made, but its first file has no proper {(wrong or ['size'])[0]}"
        )
    return Manifest(**known)


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < _MOST


def _is_moment(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value <= _LAST_MOMENT


def _are_digests(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(one, str) and _DIGEST.fullmatch(one) for one in value.values())


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and bool(_NAME.fullmatch(value))


def _are_sizes(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_count, value.values()))


_IF_MISSING: dict[str, object] = {"size": {}, "collector": ""}
_RULES = {
    "made": _is_moment,
    "tasks": _is_count,
    "reports": _is_count,
    "sha256": _are_digests,
    "size": _are_sizes,
    "collector": _is_name,
}

"""What an operator may set: a TOML file, checked whole before anything starts; unknown keys are refused."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from hgldp.collector.limits import Limits
from hgldp.errors import InvalidField
from hgldp.model.validate import check_whole

ADMIN_TOKEN_VARIABLE = "HGLDP_ADMIN_TOKEN"  # noqa: S105 - a variable's name
SHORTEST_TOKEN = 16
LEVELS = ("debug", "info", "warning", "error")
MOST_AGE = 86_400


@dataclass(frozen=True)
class Settings:
    """Where the collector lives and what it answers with.

    `public_url` is what people outside type if a proxy stands before the server; `bulletin_max_age` is for how many
    seconds a client may use a bulletin before it asks for the current one; `admin_digest` is the SHA-256 of the admin
    token and comes from the data folder or the environment, never from the file.

    >>> Settings(data=Path("data")).url
    'http://127.0.0.1:8080'
    >>> Settings(port=0)
    Traceback (most recent call last):
    hgldp.errors.InvalidField: port must be a whole number in 1 … 65535, got 0
    """

    data: Path = Path("hgldp-data")
    host: str = "127.0.0.1"
    port: int = 8080
    public_url: str = ""
    bulletin_max_age: int = 60
    log_level: str = "info"
    limits: Limits = field(default_factory=Limits)
    admin_digest: bytes = field(default=bytes(32), repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.data, str | Path) or not str(self.data):
            raise InvalidField("data", "must be a folder", type(self.data).__name__)
        object.__setattr__(self, "data", Path(self.data))
        if not isinstance(self.host, str) or not self.host:
            raise InvalidField("host", "must be a name or an address", type(self.host).__name__)
        check_whole("port", self.port, 1, 65_535)
        check_whole("bulletin_max_age", self.bulletin_max_age, 1, MOST_AGE)
        if self.log_level not in LEVELS:
            raise InvalidField("log_level", f"must be one of {', '.join(LEVELS)}", self.log_level)
        object.__setattr__(self, "public_url", _checked_url(self.public_url))

    @property
    def url(self) -> str:
        """Where a browser finds the dashboard."""
        if self.public_url:
            return self.public_url
        name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(self.host, self.host)  # noqa: S104 - only compared
        return f"http://{f'[{name}]' if ':' in name and not name.startswith('[') else name}:{self.port}"


FROM_THE_FILE = tuple(each.name for each in fields(Settings) if each.name != "admin_digest")


def read_settings(text: str, source: str = "configuration") -> dict[str, Any]:
    """The keys of a TOML file, each one known, as the constructor takes them.

    >>> read_settings('port = 9000')
    {'port': 9000}
    >>> read_settings('prot = 9000', "hgldp.toml")
    Traceback (most recent call last):
    hgldp.errors.InvalidField: hgldp.toml must have only known keys, got prot
    """
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise InvalidField(source, "must be TOML", str(wrong)) from None
    _refuse_unknown(source, found, FROM_THE_FILE)
    if "limits" in found:
        limits = found["limits"]
        if not isinstance(limits, dict):
            raise InvalidField("limits", "must be a table", type(limits).__name__)
        _refuse_unknown(f"{source}, [limits]", limits, tuple(each.name for each in fields(Limits)))
        found["limits"] = Limits(**limits)
    return found


def load_settings(file: Path | None, **over: Any) -> Settings:
    """From a file, if there is one, and what was typed, which wins. What is None was not typed."""
    found: dict[str, Any] = {}
    if file is not None:
        try:
            found = read_settings(file.read_text(encoding="utf-8"), str(file))
        except (OSError, UnicodeDecodeError) as failure:
            reason = getattr(failure, "strerror", None) or "no UTF-8 text"
            raise InvalidField("config", "must be a readable file", f"{file} ({reason})") from None
    return Settings(**found | {name: value for name, value in over.items() if value is not None})


def _refuse_unknown(source: str, found: Mapping[str, Any], known: tuple[str, ...]) -> None:
    unknown = sorted(set(found) - set(known))
    if unknown:
        raise InvalidField(source, "must have only known keys", ", ".join(unknown))


def _checked_url(url: object) -> str:
    if not isinstance(url, str):
        raise InvalidField("public_url", "must be a text", type(url).__name__)
    try:
        parts = urlsplit(url)
    except ValueError:
        raise InvalidField("public_url", "must be a URL", "another text") from None
    if url and (parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment):
        raise InvalidField("public_url", "must start with http:// or https:// and have no query", url)
    if parts.path.strip("/"):
        raise InvalidField("public_url", "must have no path", url)
    return url.rstrip("/")

"""What an operator may set: a TOML file, checked as a whole before anything starts, and the admin token."""

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from hgldp.collector.admins import (
    FIRST,
    FIRST_FILE,
    NEW_TOKEN_FILE,
    admin_files,
    read_digest,
    write_admin,
)
from hgldp.collector.tokens import kept
from hgldp.errors import InvalidField, did_you_mean
from hgldp.model.validate import check_whole
from hgldp.system.owner import write_privately
from hgldp.wire.upload import MOST_BYTES

ADMIN_TOKEN_VARIABLE = "HGLDP_ADMIN_TOKEN"  # noqa: S105 - a variable's name
METRICS_TOKEN_VARIABLE = "HGLDP_METRICS_TOKEN"  # noqa: S105 - a variable's name
STORE_VARIABLE = "HGLDP_STORE"
SHORTEST_TOKEN = 16
LEVELS = ("debug", "info", "warning", "error")
MOST_AGE = 86_400
OWN_PATHS = ("v1", "tasks", "assets", "live", "health", "ready", "metrics", "openapi.json", "favicon.ico", "sdk")
MAY_BE_0 = ("free_bytes",)
_LARGEST = (1 << 40) - 1
_STEP = re.compile(r"[A-Za-z0-9._~-]+")


@dataclass(frozen=True)
class Limits:
    """Every queue, batch and body has an end. Beyond `queue_uploads` or `queue_bytes` the answer is 503.

    One commit holds at most `group_uploads` uploads and about `group_bytes`. A client may take `body_seconds` to send
    its body; `requests` may be under way at once; there can be `tasks` tasks. There may be `connections` connections,
    or as many as the descriptors allow; unfinished requests and unread answers take at most `held_bytes`. About
    `remembered_ids` upload ids are remembered, so that an upload sent twice counts once. A locked database is waited
    for `busy_milliseconds`; a live top is at most `refresh_milliseconds` old where it is cheap to compute. What up to
    `addresses` addresses have used of late is remembered, so that they share fairly. Pages and questions may take about
    `question_milliseconds` of each second. An address may show `wrong_tokens` wrong tokens at once, and then one every
    six seconds. With less than `free_bytes` of the disk free, reports go before their time (0: never).

    >>> Limits(queue_uploads=0)
    Traceback (most recent call last):
    hgldp.errors.InvalidField: queue_uploads must be a whole number in 1 … 1099511627775, got 0
    """

    queue_uploads: int = 20_000
    queue_bytes: int = 64 << 20
    group_uploads: int = 4_096
    group_bytes: int = 8 << 20
    body_bytes: int = MOST_BYTES
    body_seconds: int = 10
    requests: int = 20_000
    connections: int = 10_000
    held_bytes: int = 128 << 20
    tasks: int = 1_000
    remembered_ids: int = 1 << 24
    busy_milliseconds: int = 2_000
    addresses: int = 65_536
    question_milliseconds: int = 400
    refresh_milliseconds: int = 500
    wrong_tokens: int = 10
    free_bytes: int = 1 << 30

    def __post_init__(self) -> None:
        for each in fields(self):
            check_whole(each.name, getattr(self, each.name), int(each.name not in MAY_BE_0), _LARGEST)


@dataclass(frozen=True)
class Settings:
    """Where the collector lives and how it answers.

    With a `store`, the address of a PostgreSQL database, everything is kept there instead of in the folder `data`, and
    several collectors may share it. `public_url` is what people outside type if a proxy stands in front of the server;
    it may end in a path.
    `trusted_proxies` are the addresses and networks of proxies whose `X-Forwarded-For` says from which address a
    request comes. A client may use a bulletin for `bulletin_max_age` seconds before it asks for the current one.
    `admin_digest` and `metrics_digest` are the hashes of tokens in the environment; they never come from the file.

    >>> Settings(data=Path("data")).url
    'http://127.0.0.1:8080'
    >>> Settings(port=0)
    Traceback (most recent call last):
    hgldp.errors.InvalidField: port must be a whole number in 1 … 65535, got 0
    """

    data: Path = Path("hgldp-data")
    store: str = field(default="", repr=False)
    host: str = "127.0.0.1"
    port: int = 8080
    public_url: str = ""
    trusted_proxies: tuple[str, ...] = ()
    bulletin_max_age: int = 60
    log_level: str = "info"
    limits: Limits = field(default_factory=Limits)
    admin_digest: bytes | None = field(default=None, repr=False)
    metrics_digest: bytes | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.data, str | Path) or not str(self.data):
            raise InvalidField("data", "must be a folder", repr(self.data))
        object.__setattr__(self, "data", Path(self.data))
        if not isinstance(self.store, str):
            raise InvalidField("store", "must be a text", type(self.store).__name__)
        if not isinstance(self.host, str) or not self.host:
            raise InvalidField("host", "must be a name or an address", repr(self.host))
        check_whole("port", self.port, 1, 65_535)
        check_whole("bulletin_max_age", self.bulletin_max_age, 1, MOST_AGE)
        if self.log_level not in LEVELS:
            raise InvalidField("log_level", f"must be one of {', '.join(LEVELS)}", self.log_level)
        object.__setattr__(self, "public_url", _checked_url(self.public_url))
        object.__setattr__(self, "trusted_proxies", _checked_networks(self.trusted_proxies))

    @property
    def url(self) -> str:
        """Where a browser finds the dashboard."""
        return self.public_url or self.local_url

    @property
    def local_url(self) -> str:
        """Where a browser on the same machine finds it."""
        name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(self.host, self.host)  # noqa: S104 - only compared
        return f"http://{f'[{name}]' if ':' in name and not name.startswith('[') else name}:{self.port}"

    @property
    def mount(self) -> str:
        """The path below which people outside find everything: empty, or such as /hot.

        >>> Settings(public_url="https://example.org/hot/").mount
        '/hot'
        """
        return urlsplit(self.public_url).path


FROM_THE_FILE = tuple(each.name for each in fields(Settings) if not each.name.endswith("_digest"))


def read_settings(text: str, source: str = "configuration") -> dict[str, Any]:
    """The keys of a TOML file as the constructor takes them; unknown keys are refused.

    >>> read_settings('port = 9000')
    {'port': 9000}
    >>> read_settings('prot = 9000', "hgldp.toml")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    hgldp.errors.InvalidField: hgldp.toml must have no other keys than data, store, ..., got prot; did you mean port?
    """
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise InvalidField(source, "must be TOML", str(wrong)) from None
    _refuse_unknown(source, found, FROM_THE_FILE)
    if found.get("store") and "data" in found:
        raise InvalidField(source, "must have data, a folder, or store, a database", "both")
    if "limits" in found:
        limits = found["limits"]
        if not isinstance(limits, dict):
            raise InvalidField("limits", "must be a table", repr(limits))
        _refuse_unknown(f"{source}, [limits]", limits, tuple(each.name for each in fields(Limits)))
        found["limits"] = Limits(**limits)
    return found


def load_settings(file: Path | None, **over: Any) -> Settings:
    """Read the file, if one is given. Values in `over` win over the file; None means not given."""
    found: dict[str, Any] = {}
    if file is not None:
        try:
            found = read_settings(file.read_text(encoding="utf-8"), str(file))
        except (OSError, UnicodeDecodeError) as failure:
            reason = getattr(failure, "strerror", None) or "not UTF-8 text"
            raise InvalidField("config", "must be a readable file", f"{file} ({reason})") from None
    return Settings(**found | {name: value for name, value in over.items() if value is not None})


def shown_url(url: str) -> str:
    """Where the store is, without a password.

    >>> shown_url("postgresql://hgldp:secret@db.example:5432/hot?sslmode=require")
    'postgresql://db.example:5432/hot'
    """
    parts = urlsplit(url)
    return f"postgresql://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _refuse_unknown(source: str, found: Mapping[str, Any], known: tuple[str, ...]) -> None:
    unknown = sorted(set(found) - set(known))
    if unknown:
        near = did_you_mean(unknown[0], known)
        raise InvalidField(source, f"must have no other keys than {', '.join(known)}", ", ".join(unknown), near)


def _checked_url(url: object) -> str:
    if not isinstance(url, str):
        raise InvalidField("public_url", "must be a text", repr(url))
    try:
        parts = urlsplit(url)
        _ = parts.port, (parts.hostname or "").encode("idna")
    except ValueError:
        raise InvalidField("public_url", "must be a URL", url) from None
    if url and (parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment):
        raise InvalidField("public_url", "must start with http:// or https:// and have no query", url)
    steps = parts.path.strip("/").split("/")
    if parts.path.strip("/") and not all(_STEP.fullmatch(step) and set(step) != {"."} for step in steps):
        raise InvalidField("public_url", "must have a path of letters, digits and -._~ between slashes", url)
    if steps[0] in OWN_PATHS:
        raise InvalidField("public_url", f"must have a path that does not begin with one of ours, /{steps[0]}", url)
    return url.rstrip("/")


def _checked_networks(texts: object) -> tuple[str, ...]:
    rule = "must be a list of addresses and networks, such as 10.0.0.1 and fd00::/8"
    if isinstance(texts, str) or not isinstance(texts, list | tuple):
        raise InvalidField("trusted_proxies", rule, repr(texts))
    for each in texts:
        try:
            ip_network(each if isinstance(each, str) else "", strict=False)
        except ValueError:
            raise InvalidField("trusted_proxies", rule, repr(each)) from None
    return tuple(texts)


def given_token(environment: Mapping[str, str], variable: str) -> bytes | None:
    """The hash of a token in the environment, if there is one; a short one is refused."""
    given = environment.get(variable)
    if given is None:
        return None
    if len(given) < SHORTEST_TOKEN:
        file = environment.get(f"{variable}_FILE")
        found = f"{len(given)} in {file}" if file else len(given)
        raise InvalidField(variable, f"must have at least {SHORTEST_TOKEN} characters", found)
    return kept(given)


def with_tokens(settings: Settings, environment: Mapping[str, str]) -> Settings:
    """The same settings with the hashes of the tokens in the environment."""
    admin, metrics = (given_token(environment, name) for name in (ADMIN_TOKEN_VARIABLE, METRICS_TOKEN_VARIABLE))
    return replace(settings, admin_digest=admin, metrics_digest=metrics)


def first_admin_token(
    folder: Path, environment: Mapping[str, str], entropy: Callable[[int], bytes] = os.urandom
) -> str | None:
    """The token of the first admin, if it was made just now: it is shown once and not kept. None if there is an admin.

    A token in the environment is never written down. Delete the file to get a new token at the next start.
    """
    if environment.get(ADMIN_TOKEN_VARIABLE) is not None:
        return None
    if not admin_files(folder):
        return write_admin(folder, FIRST, entropy)
    if (folder / FIRST_FILE).exists():
        read_digest(folder / FIRST_FILE)
    return None


def keep_token_for_the_operator(folder: Path, token: str) -> Path:
    """Write a new token where only the owner of the folder can read it, for starts that no person watches."""
    path = folder / NEW_TOKEN_FILE
    write_privately(path, f"{token}\n")
    return path

"""The database that collectors share: whether it keeps what it acknowledged, fits this version, and has a sealer."""

import os
import stat
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

from hgldp.cli.commands.doctor.finding import Finding, ok, problem, warning
from hgldp.cli.place_given import holds_password
from hgldp.cli.store_rights import THE_SCHEMA, may_enter, out_of_reach, too_open, ways_past
from hgldp.cli.units import counted, in_bytes
from hgldp.collector.log.postgres.database import Connection, Database, one_value
from hgldp.collector.log.postgres.migrations import FORMAT
from hgldp.collector.log.takeover.era import ERA
from hgldp.collector.settings import ADMIN_TOKEN_VARIABLE, STORE_VARIABLE, shown_url
from hgldp.collector.shared.clock import FAR_SECONDS
from hgldp.collector.shared.presence import OF_LATE_SECONDS
from hgldp.errors import StorageFailed

OLDEST, OF_A_COLLECTOR = 150_000, 11
MUCH = 32_000_000
ADDRESS, INHERITED = "address", "programs that you start inherit variables"
MUST_BE_ON = ("fsync", "full_page_writes", "synchronous_commit")
ROLES = "deploy/several/postgres/roles.sql"
TOO_MIGHTY = """
SELECT rolsuper OR EXISTS (SELECT FROM pg_tables WHERE schemaname = 'public' AND tablename = 'service'
  AND pg_has_role(current_user, tableowner, 'MEMBER')) FROM pg_roles WHERE rolname = current_user
"""


def check_store(
    url: str, environment: Mapping[str, str] = os.environ, *, typed: bool = False, config: Path | None = None
) -> Iterator[Finding]:
    """Nothing is written. The address was `typed`, or is in the environment, or in the configuration file."""
    yield _address(url, environment, typed=typed, config=config)
    with closing(Database(url, most=1)) as database:
        try:
            with database.reading() as reader:
                yield ok("database", shown_url(url))
                yield from _server(reader)
                yield from _content(reader)
        except StorageFailed as failure:
            do = f"see that PostgreSQL runs, and compare the address in {STORE_VARIABLE}_FILE"
            yield problem("database", f"{shown_url(url)}: {failure}", do)


def _address(url: str, environment: Mapping[str, str], *, typed: bool, config: Path | None) -> Finding:
    """It may hold a password."""
    named = environment.get(f"{STORE_VARIABLE}_FILE")
    in_the_environment = not typed and bool(environment.get(STORE_VARIABLE))
    file = None if typed or in_the_environment else Path(named) if named else config
    if file is not None:
        mode = stat.S_IMODE(file.stat().st_mode)
        if mode & 0o077 not in (0, 0o040):
            return problem(ADDRESS, f"others can read {file} ({mode:o})", f"chmod 600 {file}, and change the password")
        return ok(ADDRESS, f"in {file}")
    if not holds_password(url):
        return ok(ADDRESS, "it holds no password")
    do = f"name a file that holds it in {STORE_VARIABLE}_FILE"
    if in_the_environment:
        return warning(ADDRESS, f"it is in the environment ({STORE_VARIABLE}), with its password", f"{do}: {INHERITED}")
    return warning(ADDRESS, "its password was typed: all users see it among the processes", do)


def _server(reader: Connection) -> Iterator[Finding]:
    """What its administrator has set."""
    version = int(_setting(reader, "server_version_num"))
    if version < OLDEST:
        yield problem("PostgreSQL", _setting(reader, "server_version"), f"take {OLDEST // 10_000} or newer")
    else:
        yield ok("PostgreSQL", _setting(reader, "server_version"))
    if _setting(reader, "data_checksums") == "on":
        yield ok("data checksums", "on")
    else:
        do = "stop PostgreSQL, run pg_checksums --enable, and start it again"
        yield warning("data checksums", "off: nobody notices when the disk changes what is stored", do)
    found = {name: _setting(reader, name) for name in MUST_BE_ON}
    off = [name for name, value in found.items() if value == "off"]
    if off:
        do = f"set {' and '.join(off)} to on, in postgresql.conf or for the role"
        yield problem("durability", f"{', '.join(off)} off: uploads that were acknowledged may get lost", do)
    else:
        yield ok("durability", ", ".join(f"{name} {value}" for name, value in found.items()))
    yield _clock(reader)


def _clock(reader: Connection) -> Finding:
    before = time.time()
    now = float(one_value(reader, "SELECT extract(epoch FROM clock_timestamp())"))
    off = (before + time.time()) / 2 - now
    if abs(off) > FAR_SECONDS:
        says = (
            f"this machine is {abs(off):,.0f} s {'ahead of' if off > 0 else 'behind'} the database, whose clock counts"
        )
        return warning("clocks", says, "compare both with another clock, and set the wrong one right")
    return ok("clocks", "this machine's and the database's agree")


def _content(reader: Connection) -> Iterator[Finding]:
    """What is in our tables, if this version may read them."""
    role = str(one_value(reader, "SELECT current_user"))
    rights = _rights(reader, role)
    yield rights
    if rights.verdict == "problem":
        return
    known = _format(reader)
    yield known
    if known.verdict == "problem":
        return
    yield _era(reader)
    yield _admins(reader)
    late = f"seen > clock_timestamp() - make_interval(secs => {OF_LATE_SECONDS})"
    collectors = int(one_value(reader, f"SELECT count(*) FROM workers WHERE {late}"))  # noqa: S608 - a number of ours
    yield ok("collectors", f"{collectors} here" if collectors else "none runs")
    yield _sealer(reader, collectors)
    yield _inbox(reader)
    yield _connections(reader, max(1, collectors))


def _rights(reader: Connection, role: str) -> Finding:
    do = f"run hgldp migrate --grant {role}, as the owner of the tables"
    if not may_enter(reader, role):
        return problem("rights", f"{role} may not use the schema public", do)
    lacking = out_of_reach(reader, role)
    if lacking:
        more = f" and {len(lacking) - 3} more" if len(lacking) > 3 else ""
        return problem("rights", f"{role} lacks rights to {', '.join(lacking[:3])}{more}", do)
    if one_value(reader, TOO_MIGHTY):
        instead = f"let collectors have a role of their own, as {ROLES} makes it"
        return warning("rights", f"{role} may also change and drop the tables", instead)
    if open_to := too_open(reader, role):
        if open_to == [THE_SCHEMA]:  # which need not belong to the owner of the tables
            do = f'as a superuser, run REVOKE CREATE ON SCHEMA public FROM PUBLIC, "{role}"'
        return warning("rights", f"{role} has more rights than a collector needs to {', '.join(open_to)}", do)
    if closed_by := ways_past(reader, role):
        says = f"{role} may change more rows than a collector needs: row security is off, or has another policy"
        return warning("rights", says, f"as a superuser, run {'; '.join(closed_by)}")
    return ok("rights", f"{role} may do what a collector does")


def _format(reader: Connection) -> Finding:
    there = one_value(reader, "SELECT to_regclass('service')") is not None
    found = int(one_value(reader, "SELECT value FROM service WHERE name = 'format'")) if there else 0
    if found == FORMAT:
        return ok("format", f"{found}")
    if found > FORMAT:
        return problem("format", f"{found}, from a newer version", f"install that version; this one reads {FORMAT}")
    says = f"{found}, from an older version" if found else "there are no tables yet"
    return problem("format", says, "run hgldp migrate, as a role that may make tables")


def _era(reader: Connection) -> Finding:
    found = int(one_value(reader, "SELECT value FROM service WHERE name = 'era'"))
    if found > ERA:
        return problem("era", f"{found}, from a newer version", f"install that version; this one knows {ERA}")
    if found < ERA:
        do = "start collectors of this version: the first takes over"
        return warning("era", f"{found}, from an older version", do)
    return ok("era", f"{found}")


def _admins(reader: Connection) -> Finding:
    names = [str(name) for (name,) in reader.execute("SELECT name FROM admins ORDER BY name").fetchall()]
    if names:
        return ok("admins", f"{counted(len(names), 'admin')}: {', '.join(names)}")
    says = f"none in the database: {ADMIN_TOKEN_VARIABLE}_FILE names a file with a token, the same everywhere"
    return ok("admins", f"{says}, or hgldp admin add makes one")


def _sealer(reader: Connection, collectors: int) -> Finding:
    row = reader.execute(
        "SELECT holder, until > clock_timestamp(), extract(epoch FROM until - clock_timestamp()) FROM sealer"
    ).fetchone()
    holder, alive, left = row or ("", False, 0)
    if alive:
        return ok(
            "sealer", f"{holder}; another takes over in {float(left):.0f} s unless it shows that it is still there"
        )
    if collectors:
        do = "see the logs of the collectors; one of them takes over within a second, if it can"
        return problem("sealer", "nobody seals: uploads are taken, but no results come", do)
    return ok("sealer", "nobody, as no collector runs")


def _inbox(reader: Connection) -> Finding:
    size = "octet_length(ids) + octet_length(counts) + octet_length(symbols)"
    sql = f"SELECT coalesce(sum(reports), 0), coalesce(sum({size}), 0) FROM inbox"  # noqa: S608 - of our own words
    reports, length = (int(each) for each in reader.execute(sql.encode()).fetchone() or (0, 0))
    says = f"{counted(reports, 'report')} waiting, {in_bytes(length)}"
    if length > MUCH:
        return warning("inbox", says, "see that a collector seals, and that it is not short of processor time")
    return ok("inbox", says)


def _connections(reader: Connection, collectors: int) -> Finding:
    most = int(_setting(reader, "max_connections")) - int(_setting(reader, "superuser_reserved_connections"))
    limit = int(one_value(reader, "SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user"))
    most = min(most, limit) if limit >= 0 else most
    needed = OF_A_COLLECTOR * collectors
    says = f"{most} for collectors and others; {counted(collectors, 'collector')} may take {needed}"
    if most < needed:
        return warning(
            "connections", says, "raise max_connections, or have a pooler between, as docs/several-collectors.md says"
        )
    return ok("connections", says)


def _setting(reader: Connection, name: str) -> str:
    return str(one_value(reader, f"SHOW {name}"))

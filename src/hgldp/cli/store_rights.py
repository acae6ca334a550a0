"""What a role may do with the tables that collectors share."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from psycopg.errors import InsufficientPrivilege

from hgldp.collector.log.postgres.database import Connection
from hgldp.collector.log.postgres.rights import NUMBERS, RIGHTS
from hgldp.errors import StorageFailed

CHANGES = ("INSERT", "UPDATE", "DELETE", "TRUNCATE")
OWNERS = "only the owner of the tables can do that; deploy/several/postgres/roles.sql makes one, hgldp_owner"
_OF_TABLES = """
SELECT DISTINCT name FROM unnest(%s::text[], %s::text[], %s::text[]) AS needed(name, verb, col)
WHERE CASE WHEN col = '' THEN has_table_privilege(%s, to_regclass('public.' || name), verb)
  ELSE has_column_privilege(%s, to_regclass('public.' || name), col, verb) END = %s ORDER BY name
"""
_OF_NUMBERS = "SELECT has_sequence_privilege(%s, to_regclass(%s), 'USAGE')"


def may_enter(reader: Connection, role: str) -> bool:
    """Whether it may see the tables at all."""
    found = reader.execute("SELECT has_schema_privilege(%s, 'public', 'USAGE')", (role,)).fetchone()
    return bool(found and found[0])


def out_of_reach(reader: Connection, role: str) -> list[str]:
    """The tables, and the sequence, of which a collector with this role lacks some right."""
    numbers = reader.execute(_OF_NUMBERS, (role, f"public.{NUMBERS}")).fetchone()
    lacking = [NUMBERS] if numbers and numbers[0] is False else []
    return sorted([*_tables(reader, role, list(_needed()), has=False), *lacking])


def too_open(reader: Connection, role: str) -> list[str]:
    """The tables that it may change more than a collector does."""
    beyond = [(table, verb, "") for table, rights in RIGHTS.items() for verb in CHANGES if verb not in rights]
    return _tables(reader, role, beyond, has=True)


def _needed() -> Iterator[tuple[str, str, str]]:
    """Table, what is done with it, and the column; empty for the whole table."""
    for table, rights in RIGHTS.items():
        for right in rights:
            verb, *columns = re.findall(r"\w+", right)
            yield from ((table, verb, column) for column in columns or [""])


def _tables(reader: Connection, role: str, rights: list[tuple[str, str, str]], *, has: bool) -> list[str]:
    """Those of which the role has, or lacks, one of these rights. One that is not there yet is left out."""
    columns = [list(each) for each in zip(*rights, strict=True)]
    return [str(name) for (name,) in reader.execute(_OF_TABLES, (*columns, role, role, has)).fetchall()]


@contextmanager
def as_owner() -> Iterator[None]:
    """Name the role to use, if the database refuses what only the owner of the tables may do."""
    try:
        yield
    except StorageFailed as failure:
        if isinstance(failure.__cause__, InsufficientPrivilege):
            raise StorageFailed(f"{failure}: {OWNERS}") from None
        raise


def is_owner(reader: Connection, role: str) -> bool:
    """Whether it is the role of this connection, or may become it."""
    found = reader.execute("SELECT pg_has_role(%s, current_user, 'MEMBER')", (role,)).fetchone()
    return bool(found and found[0])


def unknown_roles(reader: Connection, roles: list[str]) -> list[str]:
    """Those that do not exist."""
    sql = "SELECT name FROM unnest(%s::text[]) AS name WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name)"
    return [str(name) for (name,) in reader.execute(sql, (roles,)).fetchall()]

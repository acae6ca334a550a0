"""What a role may do with the tables that collectors share."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from psycopg.errors import InsufficientPrivilege

from hgldp.collector.log.postgres.database import Connection
from hgldp.collector.log.postgres.rights import NUMBERS, POLICIES, RIGHTS, SEQUENCES
from hgldp.errors import StorageFailed

THE_SCHEMA = "the schema public"
VERBS = ["SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER"]
OWNERS = "only the owner of the tables can do that; deploy/several/postgres/roles.sql makes one, hgldp_owner"
_LACKING = """
SELECT DISTINCT name FROM unnest(%s::text[], %s::text[], %s::text[]) AS needed(name, verb, col)
WHERE NOT CASE WHEN col = '' THEN has_table_privilege(%s, to_regclass('public.' || name), verb)
  ELSE has_column_privilege(%s, to_regclass('public.' || name), col, verb) END ORDER BY name
"""
_BEYOND = """
WITH needed AS (SELECT * FROM unnest(%s::text[], %s::text[], %s::text[]) AS needed(name, verb, col))
SELECT name FROM (SELECT DISTINCT name FROM needed) AS ours, unnest(%s::text[]) AS verbs(verb), pg_attribute
WHERE attrelid = to_regclass('public.' || name) AND attnum > 0 AND NOT attisdropped
  AND CASE WHEN verb IN ('DELETE', 'TRUNCATE', 'TRIGGER') THEN has_table_privilege(%s, attrelid, verb)
    ELSE has_column_privilege(%s, attrelid, attnum, verb) END
  AND NOT EXISTS (SELECT FROM needed WHERE needed.name = ours.name AND needed.verb = verbs.verb
    AND col IN ('', attname))
UNION SELECT name FROM unnest(%s::text[]) AS name
  WHERE has_sequence_privilege(%s, to_regclass('public.' || name), 'UPDATE')
UNION SELECT %s WHERE has_schema_privilege(%s, 'public', 'CREATE') ORDER BY name
"""
_WAYS_PAST = """
SELECT format('ALTER ROLE %%I NOBYPASSRLS', rolname) FROM pg_roles
WHERE rolbypassrls AND pg_has_role(%s, oid, 'MEMBER') UNION ALL
SELECT format('ALTER TABLE %%I ENABLE ROW LEVEL SECURITY', tablename) FROM pg_tables
WHERE schemaname = 'public' AND tablename = ANY(%s) AND NOT rowsecurity UNION ALL
SELECT format('DROP POLICY %%I ON %%I', policyname, tablename) FROM pg_policies
WHERE schemaname = 'public' AND tablename = ANY(%s) AND tablename || '.' || policyname <> ALL(%s)
  AND permissive = 'PERMISSIVE' AND cmd <> 'SELECT' AND EXISTS (SELECT FROM unnest(roles) AS whose
    WHERE CASE whose WHEN 'public' THEN TRUE ELSE pg_has_role(%s, whose, 'MEMBER') END)
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
    return sorted([*_names(reader, _LACKING, *_needed(), role, role), *lacking])


def too_open(reader: Connection, role: str) -> list[str]:
    """Tables, sequences and the schema to which it has a right that a collector does not need, even to one column."""
    return _names(reader, _BEYOND, *_needed(), VERBS, role, role, [*SEQUENCES], role, THE_SCHEMA, role)


def ways_past(reader: Connection, role: str) -> list[str]:
    """The statements with which a superuser makes row security bind the role again."""
    ours = [f"{table}.{each}" for table, names in POLICIES.items() for each in names]
    return _names(reader, _WAYS_PAST, role, [*POLICIES], [*POLICIES], ours, role)


def _needed() -> list[list[str]]:
    """Tables, what is done with each, and the columns; an empty one for the whole table."""
    rows = []
    for table, rights in RIGHTS.items():
        for right in rights:
            verb, *columns = re.findall(r"\w+", right)
            rows += [(table, verb, column) for column in columns or [""]]
    return [list(each) for each in zip(*rows, strict=True)]


def _names(reader: Connection, sql: str, *values: object) -> list[str]:
    return [str(name) for (name,) in reader.execute(sql.encode(), values).fetchall()]


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

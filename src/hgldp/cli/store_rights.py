"""What a role may do with the tables that collectors share."""

from hgldp.collector.log.postgres.database import Connection

NEEDED = ("SELECT", "INSERT", "UPDATE", "DELETE")
_MAY = " AND ".join(f"has_table_privilege(%(role)s, c.oid, '{each}')" for each in NEEDED)
_LACKING = f"""
SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'public' AND
  CASE c.relkind WHEN 'r' THEN NOT ({_MAY}) WHEN 'S' THEN NOT has_sequence_privilege(%(role)s, c.oid, 'USAGE') END
ORDER BY c.relname
"""  # noqa: S608 - of our own words


def may_enter(reader: Connection, role: str) -> bool:
    """Whether it may see the tables at all."""
    found = reader.execute("SELECT has_schema_privilege(%s, 'public', 'USAGE')", (role,)).fetchone()
    return bool(found and found[0])


def out_of_reach(reader: Connection, role: str) -> list[str]:
    """The tables and sequences that a collector with this role needs, and may not read and write."""
    return [str(name) for (name,) in reader.execute(_LACKING.encode(), {"role": role}).fetchall()]


def unknown_roles(reader: Connection, roles: list[str]) -> list[str]:
    """Those that do not exist."""
    sql = "SELECT name FROM unnest(%s::text[]) AS name WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name)"
    return [str(name) for (name,) in reader.execute(sql, (roles,)).fetchall()]

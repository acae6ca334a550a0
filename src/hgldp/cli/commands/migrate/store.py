"""`hgldp migrate --store`: the tables of a database that collectors share, and who may use them."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

from hgldp.cli.store_rights import as_owner, is_owner, may_enter, out_of_reach, unknown_roles
from hgldp.collector.log.postgres.database import Database
from hgldp.collector.log.postgres.migrations import FORMAT, grant, migrate
from hgldp.errors import InvalidField, StorageFailed


@dataclass(frozen=True)
class MigratedStore:
    """It took so many `steps` to the `format`."""

    database: str
    steps: int
    format: int


def migrate_store(url: str, roles: Sequence[str]) -> MigratedStore:
    """Nothing is done unless all roles exist. On return each of them may do what a collector does."""
    with closing(Database(url)) as database:
        with database.connection() as reader:
            if strange := unknown_roles(reader, list(roles)):
                raise InvalidField("--grant", "must name a role that is there (CREATE ROLE makes one)", strange[0])
            if mighty := [each for each in roles if is_owner(reader, each)]:
                rule = "must name neither the role that owns the tables nor one that may act for it"
                raise InvalidField("--grant", rule, mighty[0])
            row = reader.execute("SELECT current_database()").fetchone()
        with as_owner():
            steps = migrate(database)
            for role in roles:
                grant(database, role)
        with database.connection() as reader:
            for role in roles:
                if not may_enter(reader, role) or out_of_reach(reader, role):
                    raise StorageFailed(f"{role} got no rights: run hgldp migrate as the role that owns the tables")
    return MigratedStore(str(row[0]) if row else "", steps, FORMAT)

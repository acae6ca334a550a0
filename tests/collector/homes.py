"""Where a collector keeps what it has: a folder of its own, or a PostgreSQL database. Tests of both take a `home`."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Protocol

import psycopg

from hgldp.collector.collector import Collector
from hgldp.collector.log.postgres.database import Database
from hgldp.collector.log.postgres.frozen import FrozenDatabase
from hgldp.collector.log.postgres.store import PostgresStorage
from hgldp.collector.log.replay import ReplayReport, replay, replay_all
from hgldp.collector.log.schema import FILE
from hgldp.collector.log.sqlite import SQLiteStorage
from hgldp.collector.settings import Limits
from tests.collector.fakes import FakeClock, open_by_hand


class Home(Protocol):
    """What is opened here is closed by whoever opened it."""

    def storage(self) -> SQLiteStorage | PostgresStorage:
        """The store alone."""

    def collector(self, clock: FakeClock, limits: Limits | None = None) -> Collector:
        """By hand: nothing is written until `step` is called."""

    def replayed(self) -> ReplayReport:
        """What follows from the log, compared with what is stored."""

    def rows(self, table: str, task: int) -> int:
        """How many a task has in a table."""

    def tables(self) -> set[str]:
        """Those that have a column `task`."""


class FolderHome:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def storage(self) -> SQLiteStorage:
        return SQLiteStorage(self._folder)

    def collector(self, clock: FakeClock, limits: Limits | None = None) -> Collector:
        return open_by_hand(self._folder, clock, limits)

    def replayed(self) -> ReplayReport:
        return replay(self._folder)

    def rows(self, table: str, task: int) -> int:
        return self._ask(f"SELECT COUNT(*) FROM {table} WHERE task = {task}")[0][0]  # noqa: S608

    def tables(self) -> set[str]:
        columns = "SELECT tables.name FROM sqlite_master tables, pragma_table_info(tables.name) columns"
        return {name for (name,) in self._ask(f"{columns} WHERE columns.name = 'task' AND tables.type = 'table'")}

    def _ask(self, sql: str) -> list[tuple[int]]:
        with closing(sqlite3.connect(self._folder / FILE)) as database:
            return database.execute(sql).fetchall()


class DatabaseHome:
    def __init__(self, url: str) -> None:
        self.url = url

    def storage(self) -> PostgresStorage:
        return PostgresStorage(Database(self.url))

    def collector(self, clock: FakeClock, limits: Limits | None = None) -> Collector:
        """It seals: nobody else does."""
        found = Collector.join(self.url, clock=clock, limits=limits, threaded=False)
        found.step()
        return found

    def replayed(self) -> ReplayReport:
        database = Database(self.url)
        frozen = FrozenDatabase(database)
        try:
            return replay_all(frozen)
        finally:
            frozen.close()
            database.close()

    def rows(self, table: str, task: int) -> int:
        return int(str(self._ask(f"SELECT COUNT(*) FROM {table} WHERE task = {task}")[0][0]))  # noqa: S608

    def tables(self) -> set[str]:
        columns = "information_schema.columns WHERE table_schema = 'public' AND column_name = 'task'"
        sql = f"SELECT table_name FROM {columns} AND data_type = 'bigint'"  # noqa: S608 - a deed names its task in text
        return {str(name) for (name,) in self._ask(sql)}

    def _ask(self, sql: str) -> list[tuple[object, ...]]:
        with psycopg.connect(self.url) as connection:
            return connection.execute(sql.encode()).fetchall()

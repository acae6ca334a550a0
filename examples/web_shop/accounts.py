"""The shop's own table of accounts: who is reported by the browser, and who by the shop."""

import sqlite3
from pathlib import Path


class Accounts:
    """One row for each account that has bought something."""

    def __init__(self, path: Path) -> None:
        self._rows = sqlite3.connect(path, check_same_thread=False)
        self._rows.execute("CREATE TABLE IF NOT EXISTS accounts (name TEXT PRIMARY KEY, way TEXT NOT NULL)")

    def way(self, name: str) -> str | None:
        """Who reports this account: "browser", "server", or None before its first purchase."""
        found = self._rows.execute("SELECT way FROM accounts WHERE name = ?", (name,)).fetchone()
        return None if found is None else str(found[0])

    def decide(self, name: str, way: str) -> str | None:
        """The way of an account: this one, unless an earlier purchase decided otherwise."""
        with self._rows:
            self._rows.execute("INSERT OR IGNORE INTO accounts VALUES (?, ?)", (name, way))
        return self.way(name)

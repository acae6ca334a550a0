"""DuckDB's aggregate approx_top_k over a NumPy column, one thread."""

from importlib import import_module

from benchmarks.field.contest import Answer
from benchmarks.field.entrants.base import Feed, Items, Sketch


class DuckDB(Sketch):
    """It gives items in order but no counts, and its state stays inside the engine."""

    measured = "unknown"

    def open(self) -> None:
        self.connection = import_module("duckdb").connect(config={"threads": 1})
        self.found: list[int] = []

    def prepare(self, items: Items) -> dict[str, Items]:
        return {"item": items}

    def many(self) -> Feed:
        return self._add

    def _add(self, column: dict[str, Items]) -> None:
        self.connection.register("arrived", column)
        rows = self.connection.execute(f"SELECT approx_top_k(item, {self.contest.k:d}) FROM arrived").fetchall()  # noqa: S608
        self.found = list(rows[0][0])

    def top(self, k: int) -> Answer:
        return [(int(item), float("nan")) for item in self.found[:k]]

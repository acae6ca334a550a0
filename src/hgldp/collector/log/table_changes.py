"""What a transaction does to the tables of any SQL store: the rows that it adds, replaces or deletes, in order."""

from typing import NamedTuple

from hgldp.collector.log import rows
from hgldp.collector.log.storage import Transaction

ADD, REPLACE, DELETE = "add", "replace", "delete"


class TableChange(NamedTuple):
    """Rows to add or to replace by their key; or, to delete, values of the columns `where`."""

    verb: str
    table: str
    rows: list[rows.Row]
    where: tuple[str, ...] = ()


def table_changes(transaction: Transaction) -> list[TableChange]:
    """In an order in which they can be carried out; those without rows are left out."""
    gone = [(number,) for number in transaction.deleted]
    pieces = transaction.id_pieces
    found = [
        TableChange(ADD, "tasks", [rows.task_values(row) for row in transaction.tasks]),
        TableChange(REPLACE, "tasks", [rows.task_values(row) for row in transaction.changed]),
        TableChange(DELETE, "tasks", gone, ("number",)),
        TableChange(DELETE, "bulletins", gone, ("task",)),
        TableChange(DELETE, "warmups", gone, ("task",)),
        TableChange(ADD, "warmups", [rows.warmup_values(*each) for each in transaction.warmups.items()]),
        TableChange(ADD, "log", [rows.entry_values(row) for row in transaction.entries]),
        TableChange(ADD, "bulletins", [tuple(vars(row).values()) for row in transaction.bulletins]),
        TableChange(ADD, "results", [rows.result_values(row) for row in transaction.results]),
        TableChange(ADD, "kept", [rows.kept_values(row) for row in transaction.kept]),
        TableChange(ADD, "milestones", [rows.milestone_values(row) for row in transaction.milestones]),
        TableChange(REPLACE, "takeovers", [rows.takeover_values(row) for row in transaction.takeovers]),
        TableChange(REPLACE, "snapshots", [rows.snapshot_values(row) for row in transaction.snapshots.values()]),
        TableChange(REPLACE, "ids", [rows.piece_values(row) for row in pieces.values() if row]),
        TableChange(DELETE, "ids", [key for key, row in pieces.items() if row is None], ("task", "number")),
    ]
    return [each for each in found if each.rows]

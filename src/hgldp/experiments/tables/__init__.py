"""The tables of the report: costs of every scheme on every stream, and the paper's table of schemes."""

from hgldp.experiments.tables.defaults import DEFAULTS
from hgldp.experiments.tables.memory import MEMORY
from hgldp.experiments.tables.selection import SELECTION
from hgldp.experiments.tables.table import Grid, Table
from hgldp.experiments.tables.times import CLIENT, SERVER, TOGETHER
from hgldp.experiments.tables.traffic import DOWNLOAD, UPLOAD

TABLES: tuple[Table, ...] = (SELECTION, MEMORY, UPLOAD, DOWNLOAD, CLIENT, SERVER, TOGETHER, DEFAULTS)

__all__ = ["TABLES", "Grid", "Table"]

"""Reports as columns: in Arrow and Parquet, in CSV, and in a collector's log. Needs the extra `parquet`."""

from hgldp.errors import MissingExtra

try:
    import pyarrow
except ModuleNotFoundError as missing:
    raise MissingExtra("parquet", str(missing.name)) from missing

__all__ = ["pyarrow"]

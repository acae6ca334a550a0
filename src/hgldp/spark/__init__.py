"""Reports counted by Apache Spark, at rest or as a stream, and epochs sealed from what it counted.

Needs the extra `spark` and a Java runtime. Spark itself decodes, deduplicates and counts; Python sees tallies only.
"""

from hgldp.errors import MissingExtra

try:
    import pyspark.sql
except ModuleNotFoundError as missing:
    raise MissingExtra("spark", str(missing.name)) from missing

from hgldp.spark.counting import tally
from hgldp.spark.epoch_folder import EpochFolder
from hgldp.spark.layouts import REPORTS, UPLOADS, decoded
from hgldp.spark.log_source import CollectorLog
from hgldp.spark.micro_batches import sealing

__all__ = ["REPORTS", "UPLOADS", "CollectorLog", "EpochFolder", "decoded", "pyspark", "sealing", "tally"]

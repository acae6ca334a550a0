"""One small Spark in this process: a session takes seconds to start, so all tests of Spark share one."""

import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

CHEAP = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.driver.host": "127.0.0.1",
    "spark.pyspark.python": sys.executable,
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.streaming.pollingDelay": "5ms",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


def what_is_missing() -> str:
    """What Spark needs and is not here, as one line; nothing if all is."""
    if find_spec("pyspark") is None:
        return "There is no pyspark: make pyspark installs it."
    home = os.environ.get("JAVA_HOME")
    if shutil.which("java") is None and not (home and (Path(home) / "bin/java").exists()):
        return "There is no Java runtime: make pyspark installs one where it may."
    return ""


def small_session(warehouse: Path) -> Any:
    """One thread, one shuffle partition, no pages."""
    from pyspark.sql import SparkSession  # noqa: PLC0415

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[1]").appName("hgldp").config("spark.sql.warehouse.dir", str(warehouse))
    for name, value in CHEAP.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()

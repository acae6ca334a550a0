"""A driver in a process of its own: `python -m benchmarks.spark.driver WHAT MASTER UPLOADS FOLDER FILES`.

`stream` reads so many files in each micro-batch and ends when all are counted, `follow` never ends, and `batch` counts
all files at once.
"""

import sys
import time
from pathlib import Path

from benchmarks.spark.cluster import session
from hgldp.spark import UPLOADS, EpochFolder, sealing, tally


def main() -> None:
    what, address, uploads, folder, files = sys.argv[1:]
    spark = session(address)
    if what in ("stream", "follow"):
        stream = spark.readStream.schema(UPLOADS).option("maxFilesPerTrigger", int(files)).parquet(uploads)
        writer = sealing(stream, EpochFolder(folder))
        writer = (
            writer.trigger(availableNow=True) if what == "stream" else writer.trigger(processingTime="100 milliseconds")
        )
        writer.start().awaitTermination()
    else:
        for _ in range(2):  # the first time, most of it is compiling
            began = time.perf_counter()
            found = tally(spark.read.schema(UPLOADS).parquet(uploads))
            print(time.perf_counter() - began, flush=True)
        Path(folder).write_bytes(found.to_csv())
    spark.stop()


if __name__ == "__main__":
    main()

"""A standalone cluster of Spark on this machine: one master and two workers, which end with it."""

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import pyspark

from tests.free_port import free_port

HOST, WORKERS, MEMORY, START_SECONDS = "127.0.0.1", 2, "3g", 90.0
SETTINGS = {
    "spark.driver.bindAddress": HOST,
    "spark.driver.extraJavaOptions": "-XX:+UseSerialGC",
    "spark.driver.host": HOST,
    "spark.executor.extraJavaOptions": "-XX:+UseSerialGC",
    "spark.executor.memory": "2g",
    "spark.sql.files.maxPartitionBytes": "16m",
    "spark.sql.shuffle.partitions": str(2 * WORKERS),
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


class Cluster:
    """Every process is ours and is ended by its id. What they say goes to files in the folder."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._port = folder, free_port()
        self._processes: list[subprocess.Popen[bytes]] = []
        self._files: list[IO[bytes]] = []
        self.address = f"spark://{HOST}:{self._port}"

    def __enter__(self) -> "Cluster":
        try:
            self._start("Master", "master", ["--host", HOST, "--port", str(self._port), "--webui-port", "0"])
            _wait_for_port(self._port)
            for number in range(WORKERS):
                place = ["--work-dir", str(self._folder / f"work-{number}"), "--webui-port", "0", "--host", HOST]
                self._start("Worker", "worker", ["--cores", "1", "--memory", MEMORY, *place, self.address])
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, at: TracebackType | None
    ) -> None:
        self._end()

    def _start(self, name: str, package: str, arguments: list[str]) -> None:
        self._folder.mkdir(exist_ok=True)
        said = (self._folder / f"{package}-{len(self._processes)}.log").open("wb")
        self._files.append(said)
        program = str(Path(pyspark.__file__).parent / "bin/spark-class")
        command = [program, f"org.apache.spark.deploy.{package}.{name}", *arguments]
        self._processes.append(subprocess.Popen(command, env=environment(self._folder), stdout=said, stderr=said))

    def _end(self) -> None:
        for each in reversed(self._processes):
            for child in children(each.pid):
                _kill(child)
            each.kill()
            each.wait()
        for file in self._files:
            file.close()

    def executors(self) -> list[int]:
        """The processes that work for a driver now."""
        return [child for worker in self._processes[1:] for child in children(worker.pid)]

    def kill_an_executor(self) -> int:
        """With SIGKILL; its id."""
        (first, *_) = self.executors()
        os.kill(first, signal.SIGKILL)
        return first


def environment(folder: Path) -> dict[str, str]:
    """Of every process of Spark: it talks to this machine only, and runs the same Python."""
    own = {
        "SPARK_DAEMON_JAVA_OPTS": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1",
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join(each for each in sys.path if each),
        "SPARK_LOCAL_DIRS": str(folder),
        "SPARK_LOCAL_IP": HOST,
    }
    return os.environ | own


def session(address: str) -> Any:
    """A session of the cluster, for a driver."""
    from pyspark.sql import SparkSession  # noqa: PLC0415

    builder = SparkSession.builder.master(address).appName("hgldp")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    found = builder.getOrCreate()
    found.sparkContext.setLogLevel("ERROR")
    return found


def end_when_told() -> None:
    """A SIGTERM ends this process as an error would, so that what it started ends too."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("told to end"))


def children(process: int) -> list[int]:
    """The processes that one has started and that still run."""
    files = Path(f"/proc/{process}/task").glob("*/children")
    try:
        return [int(each) for file in files for each in file.read_text().split()]
    except OSError:
        return []


def _kill(process: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


def _wait_for_port(port: int) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        try:
            socket.create_connection((HOST, port), 1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit(f"The master must listen within {START_SECONDS:.0f} s, and does not: see its log.")

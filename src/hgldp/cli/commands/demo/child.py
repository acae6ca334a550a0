"""The demo's collector as a process that ends, and deletes its folder, when the demo is gone, even if killed."""

import os
import shutil
import signal
import sys
import threading
from pathlib import Path

from hgldp.cli.command import main

STANDARD_INPUT = 0


def run(words: list[str]) -> int:
    """Run `serve --data FOLDER/data …` until told to stop, or until our standard input is closed."""
    alone = threading.Event()
    threading.Thread(target=_watch, args=(alone,), daemon=True).start()
    try:
        return main(words)
    finally:
        if alone.is_set():
            shutil.rmtree(Path(words[2]).parent, ignore_errors=True)


def _watch(alone: threading.Event) -> None:
    """Nothing is ever written to the pipe: it ends when the demo does, even by SIGKILL."""
    os.read(STANDARD_INPUT, 1)
    alone.set()
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    sys.exit(run(sys.argv[1:]))

"""The package for npm, packed from a copy of the SDK and unpacked as an application would have it.

Its scripts are those that the collector serves: tests/sdk/test_build.py says that these are what the sources build.
"""

import json
import os
import shutil
import subprocess
import tarfile
from itertools import product
from pathlib import Path
from typing import Any

from tests.sdk.node import SDK
from tests.sdk.site import built

SCRIPTS = ("hgldp", "hgldp-all", "hgldp-hints", "panel")
NOT_COPIED = shutil.ignore_patterns("node_modules", "dist", "build", "test")


def packed(folder: Path) -> tuple[Path, list[str]]:
    """Pack and unpack; the folder of the package, and the names of its files."""
    copy = folder / "sdk"
    shutil.copytree(SDK, copy, ignore=NOT_COPIED)
    (copy / "node_modules").symlink_to(SDK / "node_modules")
    _run(copy, os.fspath(SDK / "node_modules" / ".bin" / "tsc"))
    for name, ending in product(SCRIPTS, ("mjs", "js")):
        (copy / "dist" / f"{name}.{ending}").write_bytes(built(f"{name}.{ending}"))
    (told,) = json.loads(_run(copy, shutil.which("npm") or "npm", "pack", "--json", "--offline", "--ignore-scripts"))
    with tarfile.open(copy / told["filename"]) as archive:
        archive.extractall(folder, filter="data")
    return folder / "package", sorted(each["path"] for each in told["files"])


def read(package: Path) -> dict[str, Any]:
    """Its package.json."""
    found: dict[str, Any] = json.loads((package / "package.json").read_text(encoding="utf-8"))
    return found


def _run(folder: Path, *command: str) -> str:
    quiet = {"npm_config_update_notifier": "false", "npm_config_loglevel": "error"}
    done = subprocess.run(command, cwd=folder, env=os.environ | quiet, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout

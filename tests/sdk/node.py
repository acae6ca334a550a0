"""Node and what the SDK is built with: there on CI, and wherever `make sdk` could install it."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

SDK = Path(__file__).resolve().parents[2] / "sdk"
NODE = shutil.which("node") or "node"


def require_node() -> None:
    """Skip the file that calls this where Node or its packages are missing; on CI their absence is a failure."""
    there = shutil.which("node") is not None and (SDK / "node_modules" / "esbuild").is_dir()
    if not there and os.environ.get("CI") != "true":
        pytest.skip("node or its packages are not installed: make sdk", allow_module_level=True)


def run(*command: str, **environment: str) -> str:
    """The output of a command in the SDK's folder; it must succeed."""
    done = subprocess.run(command, cwd=SDK, env=os.environ | environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(folder: Path, plant: dict[str, str] | None = None) -> Path:
    """Build all files into a folder, perhaps with a mistake in them."""
    environment = {"SERVED": str(folder)} | ({"PLANT": json.dumps(plant)} if plant else {})
    run(NODE, "build.mjs", **environment)
    return folder

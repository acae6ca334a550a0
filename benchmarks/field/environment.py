"""The peers' own environment: `python -m benchmarks.field.environment FOLDER LOCK…` from pinned, hashed locks.

What cannot be installed is written down and shown in the table; it does not keep the others out.
"""

import json
import re
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from rich.progress import track as shown

ERRORS = "refused.json"
BUILDERS = ("setuptools", "wheel")
PIP = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input")
LIMIT = 900
FOLDERS = re.compile(r"(?<![\w.])/(?:[\w.+-]+/)+")


def entries(lock: str) -> dict[str, str]:
    """The text of each requirement of a lock, with its hashes; versions for several Pythons stay together.

    >>> list(entries("numpy==2.0 ; python_version < '3.12' \\\\\\n    --hash=sha256:00\\nriver==0.1 --hash=sha256:11"))
    ['numpy', 'river']
    """
    found: dict[str, str] = {}
    name = ""
    for line in lock.splitlines():
        if line and not line[0].isspace() and not line.startswith("#"):
            name = line.partition("==")[0].strip()
        if name and line.strip():
            found[name] = found.get(name, "") + line + "\n"
    return found


def install(python: Path, requirements: str) -> str:
    """Install exactly these files and nothing else; the error, or nothing."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "requirements.txt"
        file.write_text(requirements, encoding="utf-8")
        command = [str(python), *PIP, "--no-deps", "--no-build-isolation", "--require-hashes", "-r", str(file)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
        except subprocess.TimeoutExpired:
            return f"stopped after {LIMIT} seconds"
    return "" if done.returncode == 0 else reason(done.stderr)


def reason(complaints: str) -> str:
    """The line of pip's output that says what went wrong.

    >>> reason("x\\n  ModuleNotFoundError: No module named 'Cython'\\n  note: This error originates from a subprocess")
    "ModuleNotFoundError: No module named 'Cython'"
    """
    lines = [line.strip() for line in complaints.splitlines() if line.strip()]
    named = [line for line in lines if "Error:" in line]
    compiled = [line for line in lines if " error: " in line]
    return FOLDERS.sub("", (named or compiled or lines[-1:] or ["no reason given"])[0])


def make(folder: Path, locks: list[Path]) -> dict[str, str]:
    """The environment, and what was refused with its error."""
    venv.create(folder, clear=True, with_pip=True)
    python, refused = folder / "bin" / "python", dict[str, str]()
    if not python.exists():
        python = folder / "Scripts" / "python.exe"
    for lock in locks:
        wanted = entries(lock.read_text(encoding="utf-8"))
        builders = "".join(wanted.pop(name) for name in BUILDERS if name in wanted)
        if builders:
            install(python, builders)
        if install(python, "".join(wanted.values())):
            for name, text in shown(wanted.items(), f"{lock.name}, one by one", transient=True):
                if error := install(python, text):
                    refused[name] = error
    (folder / ERRORS).write_text(json.dumps(refused, indent=2), encoding="utf-8")
    return refused


def refused_in(folder: Path) -> dict[str, str]:
    """What `make` wrote down."""
    file = folder / ERRORS
    found: dict[str, str] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return found


def main() -> None:
    """Say what could not be installed, and go on."""
    folder, *locks = map(Path, sys.argv[1:])
    for name, error in make(folder, locks).items():
        print(f"{name} cannot be installed: {error}")


if __name__ == "__main__":
    main()

"""What is inside, as CycloneDX 1.6: `python requirements/sbom.py FOLDER` writes two files there.

The same sources give the same bytes: there is no time and no random number in them.
"""

import json
import re
import sys
import tomllib
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

ROOT = Path(__file__).parent.parent
LOCK, SCRIPTS, SOURCES = "requirements/collector.lock", "src/hgldp/collector/sdk/static", "sdk/src"
PIN = re.compile(
    r"(?P<name>[a-z0-9][a-z0-9.-]*)==(?P<version>[^\s;]+)(?: ; (?P<marker>.+?))?"
    r"(?P<hashes>(?:\s+--hash=sha256:[0-9a-f]{64})+)"
)
IMPORTED = re.compile(r"""(?:\bfrom|\bimport)\s*\(?\s*["']([^"']+)["']""")
NEEDED = ("dependencies", "peerDependencies", "optionalDependencies")
Document = dict[str, Any]


class Wrong(Exception):
    """The sources do not say what the document has to say."""


def collector(root: Path) -> Document:
    """Every package of the lock file, each with the hashes of the files that pip accepts: one of them is installed."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return _document(_itself("hgldp", project["version"]), pinned((root / LOCK).read_text(encoding="utf-8")))


def pinned(lock: str) -> list[Document]:
    """The packages of a lock file with the SHA-256 of each file that may be installed."""
    found = []
    for line in filter(None, map(str.strip, lock.replace("\\\n", " ").splitlines())):
        pin = PIN.fullmatch(line)
        if pin is None:
            raise Wrong(f"{LOCK} must have lines like name==version --hash=sha256:…, got {line[:80]}")
        address = f"pkg:pypi/{pin['name']}@{pin['version']}"
        part: Document = {"type": "library", "name": pin["name"], "version": pin["version"], "purl": address}
        part["bom-ref"] = address
        part["hashes"] = [
            {"alg": "SHA-256", "content": each} for each in pin["hashes"].replace("--hash=sha256:", "").split()
        ]
        if pin["marker"]:
            part["properties"] = [{"name": "hgldp:only-where", "value": pin["marker"]}]
        found.append(part)
    return found


def browser(root: Path) -> Document:
    """The scripts that pages load. Nothing of anybody else is in them, and that is checked here."""
    package = json.loads((root / "sdk/package.json").read_text(encoding="utf-8"))
    needed = [each for kind in NEEDED for each in package.get(kind, ())]
    for path in sorted((root / SOURCES).rglob("*.ts")):
        needed += [each for each in IMPORTED.findall(path.read_text(encoding="utf-8")) if not each.startswith(".")]
    if needed:
        raise Wrong(f"the browser scripts must need nothing, got {', '.join(needed)}")
    files: list[Document] = []
    for path in sorted((root / SCRIPTS).glob("*.*js")):
        content = sha256(path.read_bytes()).hexdigest()
        files.append({"type": "file", "name": path.name, "hashes": [{"alg": "SHA-256", "content": content}]})
    itself = _itself("hgldp-browser-scripts", package["version"]) | {"components": files}
    return _document(itself, []) | {"dependencies": [{"ref": itself["bom-ref"], "dependsOn": []}]}


def _itself(name: str, version: str) -> Document:
    licences = [{"license": {"id": "Apache-2.0"}}]
    return {"type": "application", "name": name, "version": version, "bom-ref": name, "licenses": licences}


def _document(itself: Document, parts: list[Document]) -> Document:
    found: Document = {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1}
    found |= {"metadata": {"component": itself}, "components": parts}
    found["compositions"] = [{"aggregate": "complete", "assemblies": [itself["bom-ref"]]}]
    return found | {"serialNumber": f"urn:uuid:{uuid5(NAMESPACE_URL, json.dumps(found, sort_keys=True))}"}


def main(folder: Path, root: Path = ROOT) -> None:
    """Write both."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, document in (("collector", collector(root)), ("browser", browser(root))):
        (folder / f"{name}.cdx.json").write_text(f"{json.dumps(document, indent=2)}\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

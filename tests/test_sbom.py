"""The bills of materials have what CycloneDX 1.6 requires and every pin; a dependency of a page is found out."""

import json
import re
import shutil
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
KINDS = {"application", "library", "file"}
SHA_256, REFERENCE = re.compile(r"[0-9a-f]{64}"), re.compile(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")

_spec = spec_from_file_location("sbom", ROOT / "requirements/sbom.py")
assert _spec is not None
assert _spec.loader is not None
sbom: Any = module_from_spec(_spec)
_spec.loader.exec_module(sbom)


def complaints(document: dict[str, Any]) -> list[str]:
    """What the schema of CycloneDX 1.6 says about the fields that we use."""
    found = [] if document.get("bomFormat") == "CycloneDX" and document.get("specVersion") == "1.6" else ["format"]
    if not REFERENCE.fullmatch(document.get("serialNumber", "")) or document.get("version", 0) < 1:
        found.append("serial number")
    itself = document["metadata"]["component"]
    parts = [itself, *itself.get("components", []), *document["components"]]
    for part in parts:
        if part.get("type") not in KINDS or not part.get("name"):
            found.append(f"type and name of {part}")
        hashes = [json.dumps(each) for each in part.get("hashes", [])]
        if len(hashes) != len(set(hashes)):
            found.append(f"hashes of {part['name']} twice")
        for each in part.get("hashes", []):
            legal = each.get("alg") == "SHA-256" and SHA_256.fullmatch(each.get("content", ""))
            found += [] if legal else [f"hash of {part['name']}"]
    references = [part["bom-ref"] for part in parts if "bom-ref" in part]
    if len(references) != len(set(references)):
        found.append("a reference twice")
    named = [name for each in document["compositions"] for name in each["assemblies"]]
    named += [each["ref"] for each in document.get("dependencies", [])]
    return found + [name for name in named if name not in references]


def test_both_are_legal_and_the_same_every_time(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        sbom.main(tmp_path / folder)
    for name in ("collector.cdx.json", "browser.cdx.json"):
        text = (tmp_path / "one" / name).read_text()
        assert complaints(json.loads(text)) == []
        assert text == (tmp_path / "two" / name).read_text()


@pytest.mark.parametrize("field", ["bomFormat", "serialNumber", "name", "content"])
def test_what_is_required_is_missed(field: str) -> None:
    document = sbom.collector(ROOT)
    part = document["components"][0]
    for holder in (document, part, part["hashes"][0]):
        holder.pop(field, None)
    assert complaints(document) != []


def test_every_pin_of_the_collector_is_in_it_with_all_its_hashes() -> None:
    lock = (ROOT / sbom.LOCK).read_text()
    parts = sbom.collector(ROOT)["components"]
    assert {(part["name"], part["version"]) for part in parts} == set(re.findall(r"^(\S+)==(\S+)", lock, re.MULTILINE))
    assert sum(len(part["hashes"]) for part in parts) == lock.count("--hash=sha256:")
    assert all(part["purl"] == f"pkg:pypi/{part['name']}@{part['version']}" for part in parts)


def test_a_package_for_some_systems_only_says_so() -> None:
    (uvloop,) = (part for part in sbom.collector(ROOT)["components"] if part["name"] == "uvloop")
    assert uvloop["properties"] == [{"name": "hgldp:only-where", "value": "sys_platform != 'win32'"}]


@pytest.mark.parametrize("line", ["one", "one==1", "one==1 --hash=md5:00", "one @ file:///tmp/x", "-e ."])
def test_a_lock_file_that_is_not_understood_is_refused(line: str) -> None:
    with pytest.raises(sbom.Wrong, match="must have lines like"):
        sbom.pinned(f"{line}\n")


def test_the_scripts_of_pages_have_no_dependency() -> None:
    document = sbom.browser(ROOT)
    assert document["components"] == []
    assert document["dependencies"] == [{"ref": "hgldp-browser-scripts", "dependsOn": []}]
    shown = {each["name"] for each in document["metadata"]["component"]["components"]}
    assert shown == {path.name for path in (ROOT / sbom.SCRIPTS).iterdir() if path.suffix in (".js", ".mjs")}


@pytest.mark.parametrize("place", ["package.json", "sources"])
def test_a_dependency_of_a_script_is_found_out(tmp_path: Path, place: str) -> None:
    shutil.copytree(ROOT / sbom.SOURCES, tmp_path / sbom.SOURCES)
    package = json.loads((ROOT / "sdk/package.json").read_text())
    if place == "package.json":
        package["dependencies"] = {"left-pad": "1.3.0"}
    else:
        (tmp_path / sbom.SOURCES / "more.ts").write_text('import { pad } from "left-pad";\n')
    (tmp_path / "sdk/package.json").write_text(json.dumps(package))
    with pytest.raises(sbom.Wrong, match="must need nothing, got left-pad"):
        sbom.browser(tmp_path)

"""What is served is what the sources build, and the sources pass their own tests."""

import gzip
import json
import re
from pathlib import Path

import pytest

from tests.sdk.node import NODE, SDK, require_node, run
from tests.sdk.site import STATIC

require_node()

SCRIPTS = ("hgldp.js", "hgldp.mjs", "hgldp-all.js", "hgldp-all.mjs", "hgldp-hints.js", "hgldp-hints.mjs")


def test_the_unit_tests_of_the_sdk_pass() -> None:
    """Types too. Among them every vector of testvectors/v1."""
    said = run("npm", "test", "--silent")
    passed, failed = (int(re.findall(rf"# {word} (\d+)", said)[-1]) for word in ("pass", "fail"))
    assert passed > 130
    assert failed == 0


def test_the_build_is_what_is_served_prints_sizes_and_keeps_to_its_limits(tmp_path: Path) -> None:
    said = run(NODE, "build.mjs", SERVED=str(tmp_path))
    for name in SCRIPTS:
        assert (tmp_path / name).read_bytes() == STATIC.joinpath(name).read_bytes(), f"{name}: run make sdk"
    rows = [line.split() for line in said.splitlines()[1:]]
    assert {row[0] for row in rows} >= set(SCRIPTS)
    for name, size, gzipped, most, *_ in rows:
        assert (tmp_path / name).stat().st_size == int(size)
        assert int(gzipped) <= int(most), name


def test_the_page_about_embedding_has_the_sizes() -> None:
    said = (SDK.parent / "docs" / "embedding.md").read_text()
    found = re.findall(r"`([\w-]+\.js)` (?:has )?(\d\.\d)(?: kB)?", said.partition("Gzipped, ")[2].partition(";")[0])
    assert {name for name, _ in found} == {name for name in SCRIPTS if name.endswith(".js")} | {"panel.js"}
    for name, size in found:
        assert f"{len(gzip.compress(STATIC.joinpath(name).read_bytes(), 9)) / 1000:.1f}" == size, name


def test_names_in_the_database_never_change() -> None:
    """A visitor whose ledger had other names would start with a new budget."""
    names = json.loads((SDK / "ledger-names.json").read_text())
    interfaces = (SDK / "src" / "ledger.ts").read_text().split("export interface ")
    kept = [each.partition("\n}")[0] for each in interfaces if each.startswith(("Ledger {", "Site {"))]
    declared = re.findall(r"^  (\w+)\??:", "".join(kept), re.MULTILINE)
    assert set(names) == set(declared)
    assert len(set(names.values())) == len(names)
    assert list(names.values()) == sorted(names.values())


def test_only_the_script_for_lists_holds_what_reads_them() -> None:
    """It is left out of the others when they are built: every byte is loaded by every visitor."""
    for name in SCRIPTS:
        text = STATIC.joinpath(name).read_text()
        assert all((mark in text) == ("hints" in name) for mark in ("pfr-hints", "hgldp hints 1")), name
        assert "WITH_LISTS" not in text


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_file_needs_neither_eval_nor_another_host(name: str) -> None:
    text = STATIC.joinpath(name).read_text()
    assert not re.search(
        r"\beval\b|new Function|https?://|document\.write|innerHTML|Math\.random|localStorage|cookie", text
    )

"""What npm would publish: only what was built, its types, README and licence; and a TypeScript project can use it."""

import os
import re
from pathlib import Path, PurePosixPath

import pytest

from tests.sdk.node import NODE, SDK, require_node, run
from tests.sdk.package import SCRIPTS, packed, read

require_node()

BUILT = {f"dist/{name}.{ending}" for name in SCRIPTS for ending in ("mjs", "js")}
ALLOWED = {"package.json", "README.md", "LICENSE", *BUILT}
TYPES = ("dist/types/*.d.ts", "dist/types/panel/*.d.ts")
SOME_CODE = """
import { Reporter, type Explanation, type Options, type Outcome } from "hgldp";
import { Reporter as Complete } from "hgldp/all";
import { Reporter as WithLists } from "hgldp/hints";
import { definePanel } from "hgldp/panel";

const options: Options = { url: "https://hot.example.org", task: "0".repeat(64), key: "k", maxEpsilon: 2 };
const outcome: Outcome = new Reporter(options).report("tea");
const told: Promise<Explanation> = new Complete(options).explain();
const sent: Promise<boolean> = new WithLists(options).flush();
definePanel();
export { outcome, sent, told };
// @ts-expect-error: an option that does not exist
new Reporter({ ...options, gathers: 1 });
// @ts-expect-error: an outcome that does not exist
outcome == "sent";
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    return packed(tmp_path_factory.mktemp("npm"))


def unexpected(names: list[str]) -> list[str]:
    paths = (PurePosixPath(name) for name in names if name not in ALLOWED)
    return [path.as_posix() for path in paths if not any(path.match(pattern) for pattern in TYPES)]


def test_it_holds_what_was_built_and_nothing_else(package: tuple[Path, list[str]]) -> None:
    _, names = package
    assert set(names) >= ALLOWED
    assert {
        "dist/types/index.d.ts",
        "dist/types/all.d.ts",
        "dist/types/hints.d.ts",
        "dist/types/panel/index.d.ts",
    } <= set(names)
    assert unexpected(names) == []
    assert len([name for name in names if name.endswith(".d.ts")]) < 40


@pytest.mark.parametrize(
    "stray",
    ["src/index.ts", "test/run.mjs", "dist/playground.js", "dist/types/pages/example.d.ts", "package-lock.json"],
)
def test_a_stray_file_would_be_noticed(stray: str) -> None:
    assert unexpected(["README.md", "dist/types/index.d.ts", stray]) == [stray]


def test_types_come_first_and_every_file_that_is_named_is_there(package: tuple[Path, list[str]]) -> None:
    folder, names = package
    described = read(folder)
    assert described["sideEffects"] is False
    assert not {"dependencies", "peerDependencies", "optionalDependencies"} & set(described)
    assert not {"preinstall", "install", "postinstall"} & set(described["scripts"])
    assert described["exports"].keys() == {".", "./all", "./hints", "./panel"}
    for entry in described["exports"].values():
        assert next(iter(entry)) == "types"
        assert {path.removeprefix("./") for path in entry.values()} <= set(names)


def test_the_licence_is_the_projects_and_the_readme_has_no_dead_link(package: tuple[Path, list[str]]) -> None:
    folder, _ = package
    assert (folder / "LICENSE").read_bytes() == (SDK.parent / "LICENSE").read_bytes()
    told = (folder / "README.md").read_text(encoding="utf-8")
    assert [target for target in re.findall(r"\]\(([^)#]+)\)", told) if not (folder / target).exists()] == []


def test_the_modules_load_without_a_browser_and_do_nothing_by_themselves(package: tuple[Path, list[str]]) -> None:
    """As a server does that renders pages: importing must touch neither document nor network."""
    folder, _ = package
    for name in SCRIPTS:
        said = run(
            NODE, "-e", f"import('{folder}/dist/{name}.mjs').then((all) => console.log(Object.keys(all).join()))"
        )
        assert said.strip() == ("definePanel" if name == "panel" else "Reporter")


@pytest.mark.parametrize("resolution", ["nodenext", "bundler"])
def test_a_typescript_project_finds_the_types(package: tuple[Path, list[str]], resolution: str, tmp_path: Path) -> None:
    folder, _ = package
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "hgldp").symlink_to(folder)
    (tmp_path / "app.mts").write_text(SOME_CODE, encoding="utf-8")
    module = "nodenext" if resolution == "nodenext" else "esnext"
    language = ["--strict", "--target", "es2022", "--lib", "es2022,dom"]
    modules = ["--module", module, "--moduleResolution", resolution]
    compiler = os.fspath(SDK / "node_modules" / ".bin" / "tsc")
    run(compiler, "--ignoreConfig", "--noEmit", *language, *modules, os.fspath(tmp_path / "app.mts"))

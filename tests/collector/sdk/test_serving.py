"""Scripts for web pages: where they are, how a browser may keep them, and that they are what their hashes say."""

import gzip
import re
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha384

import httpx
import pytest

from hgldp.collector.dashboard.pages import POLICY
from hgldp.collector.problems import MEDIA_TYPE
from hgldp.collector.sdk.files import Files, built_files
from tests.collector.live_service import Service, live_service
from tests.collector.test_mounted import MOUNT

PLAIN = {"accept-encoding": "identity"}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with live_service(tmp_path_factory.mktemp("data") / "folder") as running:
        yield running


def listed(http: httpx.Client) -> dict[str, dict[str, object]]:
    return {each["file"]: each for each in http.get("/sdk").json()["files"]}


def mismatch(answer: httpx.Response, said: dict[str, object]) -> list[str]:
    """What a browser or a developer would find wrong with a file."""
    digest = b64encode(sha384(answer.content).digest()).decode()
    found = [] if said["integrity"] == f"sha384-{digest}" else ["integrity"]
    return found + ([] if said["bytes"] == len(answer.content) else ["bytes"])


def test_every_file_is_what_its_hash_says_and_may_be_kept_for_ever_by_any_page(service: Service) -> None:
    files = listed(service.http)
    assert {f"{name}.{end}" for name in ("hgldp", "hgldp-all", "hgldp-hints") for end in ("js", "mjs")} <= set(files)
    for name, said in files.items():
        answer = service.http.get(said["path"], headers=PLAIN)
        assert answer.status_code == 200
        assert mismatch(answer, said) == [], name
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.headers["access-control-allow-origin"] == "*"
        assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
        assert answer.headers["x-content-type-options"] == "nosniff"
        kind = "text/css" if name.endswith(".css") else "text/javascript"
        assert answer.headers["content-type"] == f"{kind}; charset=utf-8"


def test_one_changed_byte_is_noticed_and_gives_another_version(service: Service) -> None:
    files = {each.name: each.content for each in built_files().named.values()}
    said = listed(service.http)["hgldp.js"]
    changed = httpx.Response(200, content=files["hgldp.js"][:-2] + b" \n")
    assert mismatch(changed, said) == ["integrity"]
    assert Files(files).version == built_files().version
    assert Files(files | {"hgldp.js": changed.content}).version != built_files().version
    assert Files({"x" + name: content for name, content in files.items()}).version != built_files().version
    other = Files(files | {"pages.css": b"body {}"})
    assert other.path("hgldp.js") == built_files().path("hgldp.js")
    assert other.path("pages.css") != built_files().path("pages.css")


def test_whoever_accepts_gzip_gets_it_and_nobody_else(service: Service) -> None:
    said = listed(service.http)["hgldp.js"]
    path = said["path"]
    plain, packed = service.http.get(path, headers=PLAIN), service.http.get(path, headers={"accept-encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert plain.headers["vary"] == packed.headers["vary"] == "accept-encoding"
    assert int(packed.headers["content-length"]) == said["gzipped_bytes"] < said["bytes"]
    assert packed.content == plain.content
    assert len(gzip.compress(plain.content, 9)) >= said["gzipped_bytes"] - 20
    again = service.http.get(path, headers={"accept-encoding": "gzip", "if-none-match": packed.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert plain.headers["etag"] != packed.headers["etag"]


def test_another_version_another_name_and_another_method_are_refused(service: Service) -> None:
    version = listed(service.http)["hgldp.js"]["path"].split("/")[-2]
    for path in ("000000000000/hgldp.js", f"{version}/none.js", f"{version}/..%2ffiles.py", version):
        answer = service.http.get(f"/sdk/{path}")
        assert (answer.status_code, answer.headers["content-type"]) == (404, MEDIA_TYPE), path
        assert "immutable" not in answer.headers.get("cache-control", "")
    assert service.http.get(f"/sdk/{version}/hgldp.js?x=1").status_code == 400
    assert service.http.post(f"/sdk/{version}/hgldp.js").status_code == 405
    assert service.http.head(f"/sdk/{version}/hgldp.js").status_code == 200


def inline_parts(page: str) -> list[str]:
    """What a policy without `unsafe-inline` would refuse, and scripts of which the browser checks nothing."""
    bare = re.findall(r"<(?:script|link rel=\"stylesheet\")(?![^>]*integrity=)[^>]*>", page)
    bare = [each for each in bare if "/assets/dashboard.css" not in each]
    return [*bare, *re.findall(r"<style|\sstyle=|\son[a-z]+=|javascript:", page)]


@pytest.mark.parametrize("name", ["example", "playground"])
def test_a_page_has_the_strict_policy_and_nothing_that_it_would_refuse(service: Service, name: str) -> None:
    answer = service.http.get(f"/sdk/{name}")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert answer.headers["content-security-policy"] == POLICY
    assert not {"unsafe", "data:", "http"} & set(re.split(r"[\s;'-]", POLICY))
    assert inline_parts(answer.text) == []
    assert "http" not in answer.text
    for file, integrity in re.findall(r'/sdk/[0-9a-f]{12}/([a-z.-]+)" integrity="([^"]+)"', answer.text):
        assert built_files().named[file].integrity == integrity


def test_inline_parts_are_found() -> None:
    for planted in (
        "<script>x()</script>",
        '<p style="color: red">',
        '<a onclick="x()">',
        "<style>",
        '<script src="a">',
    ):
        assert inline_parts(f"<main>{planted}</main>") != [], planted


def test_a_key_belongs_in_the_fragment_so_a_page_refuses_a_query(service: Service) -> None:
    assert service.http.get("/sdk/example?key=secret").status_code == 400


def test_below_a_path_the_list_names_paths_that_work_outside(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("mounted") / "folder"
    with live_service(folder, public_url=f"https://x.example{MOUNT}") as service:
        said = listed(service.http)["hgldp.js"]
        assert said["path"].startswith(f"{MOUNT}/sdk/")
        assert service.http.get(said["path"]).status_code == 200
        for name in ("example", "playground"):
            links = re.findall(r'(?:href|src|data-base)="([^"]*)"', service.http.get(f"/sdk/{name}").text)
            assert all(link.startswith((MOUNT, "#")) for link in links), links

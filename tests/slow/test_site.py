"""The documentation site: built strictly, every link leads somewhere, and no page asks another host for anything.

The last tests look at it in a real browser, on a desk and on a phone, with the browser's network log.
"""

import doctest
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from threading import Thread
from urllib.parse import unquote, urldefrag, urlsplit

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from tests.collector.browser import browser, complaints, emulate, require_browser, until
from tests.documents import ROOT
from tests.patience import PATIENCE

LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "audio": "src"}
LOADING_RELATIONS = {
    "stylesheet",
    "icon",
    "preload",
    "prefetch",
    "preconnect",
    "dns-prefetch",
    "manifest",
    "modulepreload",
}
CSS_LOAD = re.compile(r"""(?:url\(\s*["']?|@import\s+["'])([^"')]+)""")


@dataclass
class Page(HTMLParser):
    """What a page of HTML points to, what it loads, and the anchors it has."""

    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attrs}
        self.anchors |= {named[name] for name in ("id", "name") if name in named and tag != "meta"}
        if tag == "a" and "href" in named:
            self.links.append(named["href"])
        if tag == "link" and LOADING_RELATIONS & set(named.get("rel", "").split()):
            self.loads.append(named["href"])
        if named.get(LOADED.get(tag, "")):
            self.loads.append(named[LOADED[tag]])
        self.loads += CSS_LOAD.findall(named.get("style", ""))


def parse(html: str) -> Page:
    page = Page()
    page.feed(html)
    return page


def build(source: Path, site: Path) -> subprocess.CompletedProcess[str]:
    """As `make docs` does. Not with --quiet: that hides the warnings from --strict as well."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(
        command, cwd=source, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = build(ROOT, folder)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return folder


def pages(site: Path) -> dict[Path, Page]:
    return {path: parse(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}


@pytest.fixture(scope="module")
def found(site: Path) -> dict[Path, Page]:
    """Every page of the site, parsed once."""
    return pages(site)


def dead_links(found: dict[Path, Page]) -> list[str]:
    """Each link inside the site that leads to no file, or to a place that its page does not have."""
    dead = []
    for path, page in found.items():
        for link in (*page.links, *page.loads):
            target, anchor = urldefrag(link)
            if urlsplit(link).scheme:
                continue
            where = (path.parent / unquote(target)).resolve() if target else path
            where = where / "index.html" if where.is_dir() else where
            missing = anchor and where in found and unquote(anchor) not in found[where].anchors
            if path.name != "404.html" and (not where.is_file() or missing):
                dead.append(f"{path.name}: {link}")
    return dead


def outside(loads: list[str]) -> list[str]:
    return [load for load in loads if urlsplit(load).netloc]


def test_every_link_and_anchor_of_the_site_leads_somewhere(found: dict[Path, Page]) -> None:
    assert len(found) > 25
    assert dead_links(found) == []


def test_a_dead_link_and_a_dead_anchor_would_be_noticed(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<a href="b.html#there"></a><a href="b.html#gone"></a><a href="c.html"></a>')
    (tmp_path / "b.html").write_text('<h2 id="there"></h2>')
    assert dead_links(pages(tmp_path)) == ["a.html: b.html#gone", "a.html: c.html"]


def test_nothing_is_loaded_from_another_host(site: Path, found: dict[Path, Page]) -> None:
    for path, page in found.items():
        assert outside(page.loads) == [], path.name
    for sheet in site.rglob("*.css"):
        assert outside(CSS_LOAD.findall(sheet.read_text(encoding="utf-8"))) == [], sheet.name


@pytest.mark.parametrize(
    "html",
    [
        '<script src="https://cdn.example.org/a.js"></script>',
        '<link rel="preconnect" href="https://fonts.example.org">',
        '<img src="//badges.example.org/b.svg">',
        '<p style="background: url(https://example.org/c.png)"></p>',
    ],
)
def test_an_outside_load_would_be_noticed(html: str) -> None:
    assert len(outside(parse(html).loads)) == 1
    assert outside(parse('<a href="https://example.org/paper.pdf">a paper</a>').loads) == []


def test_a_broken_page_does_not_build(tmp_path: Path) -> None:
    """The strictness itself: a copy of the settings with one page that links to nothing."""
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    rest = re.sub(r"^(nav|hooks|extra_css):\n(?:[ -].*\n)+|^  custom_dir:.*\n", "", settings, flags=re.MULTILINE)
    (tmp_path / "mkdocs.yml").write_text(rest.replace("docs/site_docstrings.py", str(ROOT / "docs/site_docstrings.py")))
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text("# A page\n\n[nowhere](#nowhere)\n")
    done = build(tmp_path, tmp_path / "site")
    assert done.returncode == 1
    assert "#nowhere" in done.stderr


@pytest.mark.parametrize(("name", "examples"), [("site_links", 5), ("site_typesetting", 4)])
def test_a_page_is_rewritten_as_the_hook_says(name: str, examples: int) -> None:
    specification = spec_from_file_location(name, ROOT / f"docs/{name}.py")
    assert specification is not None
    assert specification.loader is not None
    hook = module_from_spec(specification)
    specification.loader.exec_module(hook)
    assert doctest.testmod(hook).attempted == examples
    assert doctest.testmod(hook).failed == 0


class _Quiet(SimpleHTTPRequestHandler):
    """Serves a folder; a browser refuses whatever a page wants from elsewhere, and says so in its console."""

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", "default-src 'self' 'unsafe-inline'; img-src 'self' data:")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        pass


class _NothingToSearch(_Quiet):
    """Each page that loads indexes the whole site for the search, which takes longer than the page itself."""

    def do_GET(self) -> None:
        if self.path != "/search/search_index.json":
            super().do_GET()
            return
        index = json.loads(Path(self.translate_path(self.path)).read_text(encoding="utf-8")) | {"docs": []}
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(index).encode())


@contextmanager
def served(folder: Path, handler: type[_Quiet] = _Quiet) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder))) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


FITS = "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"
WIDER = """
const width = document.documentElement.clientWidth
return [...document.querySelectorAll("article img, article svg")]
    .filter(picture => picture.getBoundingClientRect().right > width + 1).map(picture => picture.outerHTML)
"""

LOWEST = """
const boxes = [...document.querySelectorAll("article img, article section")]
return Math.max(...boxes.map(box => box.getBoundingClientRect().bottom))
"""


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with served(site) as url:
        yield url


@pytest.fixture(scope="module")
def driver() -> Iterator[webdriver.Chrome]:
    require_browser()
    with browser() as chromium:
        chromium.get("about:blank")
        chromium.get_log("performance")  # what the browser's own first tab asked for
        yield chromium


def requested(driver: webdriver.Chrome) -> list[str]:
    """Every address that the browser asked for since the last call."""
    events = (json.loads(entry["message"])["message"] for entry in driver.get_log("performance"))
    return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]


def test_every_page_fits_a_desk_and_a_phone_and_asks_nobody_else(site: Path, driver: webdriver.Chrome) -> None:
    """A page loads on the screen on which the last one was left: half of them on a phone."""
    widths, shown = [1280, 390], 1280
    emulate(driver, width=shown)
    with served(site, _NothingToSearch) as address:
        for path in sorted(site.rglob("*.html")):
            name = path.relative_to(site).as_posix()
            driver.get(f"{address}/{name}")
            for width in widths:
                if width != shown:
                    emulate(driver, width=width)
                    shown = width
                until(driver, lambda page: page.execute_script(FITS), f"{name} must fit at {width}")
                assert driver.execute_script(WIDER) == [], f"{name} at {width}"
            widths.reverse()
            asked = [url for url in requested(driver) if not url.startswith("data:")]
            assert asked, name
            assert [url for url in asked if not url.startswith(f"{address}/")] == [], name
            assert complaints(driver) == [], name


def test_a_page_that_is_too_wide_would_be_noticed(site: Path, address: str, driver: webdriver.Chrome) -> None:
    (site / "planted.html").write_text('<!doctype html><article><img style="width: 2000px; height: 9px"></article>')
    try:
        driver.get(f"{address}/planted.html")
        emulate(driver, width=390)
        assert not driver.execute_script(FITS)
        assert len(driver.execute_script(WIDER)) == 1
    finally:
        (site / "planted.html").unlink()
        driver.get_log("performance")
        driver.get_log("browser")


def test_the_search_finds_a_page_and_asks_nobody_else(address: str, driver: webdriver.Chrome) -> None:
    emulate(driver)
    driver.get(f"{address}/index.html")
    box = driver.find_element(By.CSS_SELECTOR, "input.md-search__input")
    driver.execute_script("arguments[0].focus()", box)
    box.send_keys("half-life")
    until(driver, lambda page: page.find_elements(By.CSS_SELECTOR, "a.md-search-result__link"), "a result")
    assert [url for url in requested(driver) if not url.startswith((f"{address}/", "data:", "blob:"))] == []
    assert complaints(driver) == []


def test_an_outside_request_would_be_noticed(site: Path, address: str, driver: webdriver.Chrome) -> None:
    (site / "planted.html").write_text('<!doctype html><img src="https://outside.invalid/pixel.png">')
    try:
        driver.get(f"{address}/planted.html")
        until(driver, lambda page: "outside.invalid" in " ".join(complaints(page)), "the console must name the host")
    finally:
        (site / "planted.html").unlink()


@pytest.mark.parametrize("package", ["client", "tracker", "checks"])
def test_a_page_of_the_api_that_lists_its_names_lists_all_of_them(
    site: Path, found: dict[Path, Page], package: str
) -> None:
    page = found[site / f"reference/{package}.html"]
    names = import_module(f"hgldp.{package}").__all__
    shown = {anchor.rpartition(".")[2] for anchor in page.anchors if anchor.startswith(f"hgldp.{package}.")}
    assert set(names) <= shown


def test_every_page_says_what_it_is_about(site: Path) -> None:
    described = re.compile(r'<meta name="description" content="([^"]{40,})"')
    found = {path: described.search(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    assert [path.name for path, text in found.items() if text is None] == []
    assert len({text[1] for text in found.values() if text}) == len(found)


def test_the_front_page_shows_the_picture_and_the_three_ways_in_on_one_screen(
    address: str, driver: webdriver.Chrome
) -> None:
    emulate(driver)
    driver.get(f"{address}/index.html")
    until(driver, lambda page: 0 < page.execute_script(LOWEST) <= 900, "the front page must fit one screen")
    assert len(driver.find_elements(By.CSS_SELECTOR, "article section")) == 3

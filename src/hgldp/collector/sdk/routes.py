"""`/sdk`: what there is, every file at a path that names its content, the example page and the playground."""

import re

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from hgldp.collector.dashboard.pages import HEADERS
from hgldp.collector.http.answers.responses import ANY_PAGE, FOR_EVER, json_answer, tagged_answer
from hgldp.collector.http.documents.service import SDK, SDK_FILE
from hgldp.collector.http.request import Query
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.sdk.files import File, Files, built_files
from hgldp.collector.settings import Settings
from hgldp.wire import api

LISTED_FOR = "public, max-age=60"
PAGES_FOR = "no-cache"
_NO_WEIGHT = re.compile(r"q=0(\.0*)?")


def accepts_gzip(header: str) -> bool:
    """Whether an answer to this `accept-encoding` may be compressed.

    >>> [accepts_gzip(each) for each in ("gzip, deflate, br", "br;q=1, gzip;q=0.5", "gzip;q=0", "identity", "")]
    [True, True, False, False, False]
    """
    wishes = (wish.replace(" ", "").split(";") for wish in header.lower().split(","))
    return any(coding == "gzip" and not any(map(_NO_WEIGHT.fullmatch, rest)) for coding, *rest in wishes)


def routes(settings: Settings) -> list[Route]:
    """For everybody: these files hold nothing of any task."""
    served = SdkRoutes(built_files(), settings.mount)
    return [
        Route(api.SDK, served.listed, methods=["GET"]),
        Route(api.SDK_EXAMPLE, served.example, methods=["GET"]),
        Route(api.SDK_PLAYGROUND, served.playground, methods=["GET"]),
        Route(api.SDK_FILE, served.file, methods=["GET"]),
    ]


class SdkRoutes:
    """Handlers over the files of one build."""

    def __init__(self, files: Files, mount: str) -> None:
        self._files, self._mount = files, mount
        self._example = self._page("example", "A page that reports", "hgldp-all.js", "panel.js", "example.js")
        self._playground = self._page("playground", "Playground", "playground.js")

    async def listed(self, request: Request) -> Response:
        """Every file of this version, with the hash that a page asks its browser to check."""
        Query(request)
        found = [
            SDK_FILE.of(each.name, self._mount + self._files.path(each.name), *_sizes(each), each.integrity)
            for each in self._files.named.values()
        ]
        answer = json_answer(SDK.of(self._files.version, found), cache=LISTED_FOR)
        answer.headers.update(ANY_PAGE)
        return answer

    async def example(self, request: Request) -> Response:
        """A page that reports to a task. Which one stands in its fragment, so that no server is told the key."""
        Query(request)
        return HTMLResponse(self._example, headers=HEADERS | {"cache-control": PAGES_FOR})

    async def playground(self, request: Request) -> Response:
        """A page that teaches: everything on it happens in the browser."""
        Query(request)
        return HTMLResponse(self._playground, headers=HEADERS | {"cache-control": PAGES_FOR})

    async def file(self, request: Request) -> Response:
        """One file, for ever; of another version there is nothing, because it would be another file."""
        Query(request)
        version, name = request.path_params["version"], request.path_params["file"]
        found = self._files.named.get(name)
        if found is None or version != found.version:
            raise Refused(Problem.NOT_FOUND)
        packed = accepts_gzip(request.headers.get("accept-encoding", ""))
        tag = f"{version}-{name}{'-gzip' if packed else ''}"
        content = found.gzipped if packed else found.content
        answer = tagged_answer(request, content, tag, found.media_type, FOR_EVER)
        answer.headers["vary"] = "accept-encoding"
        if packed and answer.status_code == 200:
            answer.headers["content-encoding"] = "gzip"
        return answer

    def _page(self, here: str, title: str, *scripts: str) -> bytes:
        """Written once: it is the same for everybody."""
        pages = Environment(
            loader=PackageLoader("hgldp.collector.sdk"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
        )
        values = {"title": title, "here": here, "base": self._mount, "files": self._files, "scripts": scripts}
        return pages.get_template(f"{here}.html").render(values).encode()


def _sizes(file: File) -> tuple[int, int]:
    return len(file.content), len(file.gzipped)

"""Whole pages and the files they need, with headers that let a browser load nothing but what is ours."""

from functools import cache
from hashlib import sha256
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from hgldp.collector.dashboard.templates import render
from hgldp.collector.problems import Refused

MEDIA_TYPES = {
    "ages.js": "text/javascript; charset=utf-8",
    "dashboard.css": "text/css; charset=utf-8",
    "dashboard.js": "text/javascript; charset=utf-8",
    "morph.js": "text/javascript; charset=utf-8",
    "stream.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "referrer-policy": "same-origin",  # with no referrer at all, a form could not tell that it is ours
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
}


def page(template: str, status: int = 200, /, *, title: str, base: str, **values: object) -> HTMLResponse:
    """The page of this template; its links begin with `base`.

    `live` is the path of the stream that renews its regions, `mark` what the page has already, `now` the server's time.
    """
    usual = {"live": "", "mark": "", "now": "", "signed_in": False, "task_id": ""}
    content = render(template, title=title, base=base, **usual | values)
    return HTMLResponse(content, status, {**HEADERS, "cache-control": "no-store"})


def no_page(refused: Refused, base: str) -> HTMLResponse:
    """What stands in the place of a page that cannot be had, or not now."""
    title, reason = "Nothing here" if refused.retry_after is None else "Too busy", refused.problem.title
    answer = page("message", refused.problem.status, title=title, base=base, reason=reason, sign_in_label=None)
    answer.headers.update({key: value for key, value in refused.headers.items() if key == "retry-after"})
    return answer


def static_file(request: Request) -> Response:
    """A file that pages load, with a tag so that a browser fetches it again only if it changed."""
    name = request.path_params["name"]
    return _file(request, name) if name in MEDIA_TYPES else Response(status_code=404)


def icon(request: Request) -> Response:
    """For browsers that show one of our JSON documents: no page has told them where the icon is."""
    return _file(request, "icon.svg")


def _file(request: Request, name: str) -> Response:
    content, tag = _read(name)
    headers = {"etag": tag, "cache-control": "no-cache", **HEADERS}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=MEDIA_TYPES[name], headers=headers)


@cache
def _read(name: str) -> tuple[bytes, str]:
    content = files(__package__).joinpath("static", name).read_bytes()
    return content, f'"{sha256(content).hexdigest()[:32]}"'

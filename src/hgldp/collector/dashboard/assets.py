"""The files that a page needs, from the package: nothing comes from another host."""

from functools import cache
from hashlib import sha256
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response

MEDIA_TYPES = {
    "dashboard.css": "text/css; charset=utf-8",
    "dashboard.js": "text/javascript; charset=utf-8",
    "morph.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
}


@cache
def _asset(name: str) -> tuple[bytes, str]:
    content = files(__package__).joinpath("assets", name).read_bytes()
    return content, f'"{sha256(content).hexdigest()[:32]}"'


def icon(request: Request) -> Response:
    """For browsers that show one of our JSON documents: no page has told them where the icon is."""
    return _file(request, "icon.svg")


def asset(request: Request) -> Response:
    """One file, asked for again only when it is another."""
    name = request.path_params["name"]
    if name not in MEDIA_TYPES:
        return Response(status_code=404)
    return _file(request, name)


def _file(request: Request, name: str) -> Response:
    content, tag = _asset(name)
    headers = {"etag": tag, "cache-control": "no-cache", **HEADERS}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=MEDIA_TYPES[name], headers=headers)

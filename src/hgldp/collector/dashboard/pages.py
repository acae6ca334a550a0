"""Whole pages, with the headers that let a browser load nothing but what is ours."""

from starlette.responses import HTMLResponse

from hgldp.collector.dashboard.assets import HEADERS
from hgldp.collector.dashboard.markup import fill

CACHE = {"cache-control": "no-store"}


def page(title: str, template: str, status: int = 200, /, *, live: str = "", **values: object) -> HTMLResponse:
    """A page around a template; `live` is the path of the stream that renews its regions."""
    body = fill(template, **values)
    return HTMLResponse(fill("page", title=title, live=live, body=body), status, {**HEADERS, **CACHE})

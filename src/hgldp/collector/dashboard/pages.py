"""Whole pages, with the headers that let a browser load nothing but what is ours."""

from starlette.responses import HTMLResponse

from hgldp.collector.dashboard.assets import HEADERS
from hgldp.collector.dashboard.markup import fill
from hgldp.collector.problems import Refused

CACHE = {"cache-control": "no-store"}


def page(title: str, template: str, status: int = 200, /, *, live: str = "", **values: object) -> HTMLResponse:
    """A page around a template; `live` is the path of the stream that renews its regions."""
    body = fill(template, **values)
    return HTMLResponse(fill("page", title=title, live=live, body=body), status, {**HEADERS, **CACHE})


def no_page(refused: Refused) -> HTMLResponse:
    """What stands in the place of a page that cannot be had, or not now."""
    heading = "Nothing here" if refused.retry_after is None else "Too busy"
    answer = page(heading, "no_such_page", refused.problem.status, heading=heading, reason=refused.problem.title)
    answer.headers.update({key: value for key, value in refused.headers.items() if key == "retry-after"})
    return answer

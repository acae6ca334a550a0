"""A form that one of our own pages posted: it comes from our site, has a limited length, and its fields are texts."""

from urllib.parse import parse_qs, urlsplit

from starlette.requests import Request

from hgldp.collector.http.request import limited_body
from hgldp.collector.problems import Problem, Refused

MOST_FIELDS = 8


async def posted_form(request: Request, url: str, most_bytes: int, seconds: float) -> dict[str, str]:
    """Its fields; the first one if several have the same name. `url` is the address that people outside use."""
    check_origin(request, url)
    body = await limited_body(request, most_bytes, seconds)
    try:
        fields = parse_qs(body.decode("ascii", "replace"), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise Refused(Problem.MALFORMED_REQUEST) from None
    return {name: values[0] for name, values in fields.items()}


def check_origin(request: Request, url: str) -> None:
    """A browser says which site a form comes from, in one of two headers; a program says nothing."""
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    ours = (request.headers.get("host", ""), urlsplit(url).netloc)
    if site is not None and site not in ("same-origin", "none"):
        raise Refused(Problem.WRONG_ORIGIN)
    if site is None and origin is not None and _host(origin) not in ours:
        raise Refused(Problem.WRONG_ORIGIN)


def _host(origin: str) -> str:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""

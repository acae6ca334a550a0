"""What a request shows to be let in, read and hashed once, however many tasks it is compared with."""

from functools import cached_property

from starlette.requests import Request

from hgldp.collector.tokens import LONGEST, kept

COOKIE, SHOWN = "hgldp-reader", "hgldp.shown-tokens"
MOST_PAIRS = 256


class ShownTokens:
    """The token in the header of a request, and our cookies: one for all tasks, or one for each."""

    def __init__(self, request: Request) -> None:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        token = token.strip()
        self.claims_bearer = scheme.lower() == "bearer"
        self.bearer = token if self.claims_bearer and len(token) <= LONGEST else ""
        self.cookies = cookies_like(request, COOKIE)

    @classmethod
    def of(cls, request: Request) -> "ShownTokens":
        """Those of a request; the second time they are known."""
        found: ShownTokens | None = request.scope.get(SHOWN)
        if found is None:
            found = request.scope[SHOWN] = cls(request)
        return found

    @cached_property
    def bearer_proof(self) -> bytes:
        """What a server keeps of the token in the header."""
        return kept(self.bearer)


def cookie_name(task_id: bytes | None) -> str:
    """The name of the cookie for a task, or of that for all tasks."""
    return COOKIE if task_id is None else f"{COOKIE}-{task_id.hex()[:16]}"


def cookies_like(request: Request, beginning: str) -> dict[str, str]:
    """The cookies whose names begin like this, as they were sent; of several with one name the first.

    They are found in one pass: the standard library's parser takes quadratic time over quotes.
    A value that is too long is empty. Our cookies hold letters, digits, - _ and dots alone: nothing is ever unquoted.
    A header that has none of ours is not taken apart, and of the others no more than the first cookies.
    """
    found: dict[str, str] = {}
    left = MOST_PAIRS
    for header in request.headers.getlist("cookie"):
        if beginning not in header:
            continue
        for pair in header.split(";", left)[:left]:
            name, _, value = pair.strip(" \t").partition("=")
            if name.startswith(beginning):
                found.setdefault(name, value if len(value) <= LONGEST else "")
            left -= 1
        if left <= 0:
            break
    return found

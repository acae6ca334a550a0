"""What a request asks for, checked: the task in its path, its query parameters, and its body, which has an end."""

import asyncio
import re
from typing import TYPE_CHECKING

from starlette.requests import ClientDisconnect, Request

from hgldp.collector.problems import Problem, Refused
from hgldp.collector.views import TaskView
from hgldp.model.validate import LARGEST_63

if TYPE_CHECKING:
    from hgldp.collector.collector import Collector

HEX_OF_32_BYTES = re.compile(r"[0-9a-f]{64}")
MOST_DIGITS = 19
LONGEST_SHOWN, LONGEST_QUERY = 40, 1_024


def find_view(collector: "Collector", request: Request) -> TaskView | None:
    """The task that the path names, if there is one. A text that can be no id is refused."""
    text = request.path_params["id"]
    if not HEX_OF_32_BYTES.fullmatch(text):
        raise Refused(Problem.UNKNOWN_TASK)
    return collector.view(bytes.fromhex(text))


def task_view(collector: "Collector", request: Request) -> TaskView:
    """The task that the path names; for those who may know whether it exists."""
    view = find_view(collector, request)
    if view is None:
        raise Refused(Problem.UNKNOWN_TASK)
    return view


def whole_number(text: str) -> int | None:
    """The number that a few plain digits are; None for anything else, however long.

    >>> whole_number("007"), whole_number("-7"), whole_number("٧"), whole_number("7" * 5000)
    (7, None, None, None)
    """
    return int(text) if len(text) <= MOST_DIGITS and text.isascii() and text.isdecimal() else None


class Query:
    """The parameters of a query: only known ones, each at most once."""

    def __init__(self, request: Request, *known: str) -> None:
        if len(request.scope["query_string"]) > LONGEST_QUERY:
            raise Refused(Problem.MALFORMED_QUERY, f"the query must have at most {LONGEST_QUERY} bytes")
        pairs = request.query_params.multi_items()
        self._found = dict(pairs)
        if len(pairs) != len(self._found) or not set(self._found) <= set(known):
            wanted = f"only {', '.join(known)}, each at most once" if known else "no parameters"
            raise Refused(Problem.MALFORMED_QUERY, f"the query must have {wanted}")

    def integer(self, name: str, least: int = -LARGEST_63) -> int | None:
        """A whole number, or None if it was left out. Without `least` any will do: the answer checks its bounds."""
        text = self._found.get(name)
        if text is None:
            return None
        number = whole_number(text.removeprefix("-"))
        if number is None or not least <= (number := -number if text.startswith("-") else number) <= LARGEST_63:
            rule = f"{name} must be a whole number in {least} … {LARGEST_63}"
            raise Refused(Problem.MALFORMED_QUERY, f"{rule}, got {text[:LONGEST_SHOWN]}")
        return number

    def choice(self, name: str, *known: str) -> str:
        """One of some words; the first if it was left out."""
        found = self._found.get(name, known[0])
        if found not in known:
            raise Refused(
                Problem.MALFORMED_QUERY, f"{name} must be one of {', '.join(known)}, got {found[:LONGEST_SHOWN]}"
            )
        return found


async def limited_body(request: Request, most: int, seconds: float) -> bytes:
    """The whole body, refused as soon as it is too long or takes too long."""
    parts, size = [], 0
    try:
        async with asyncio.timeout(seconds):
            async for part in request.stream():
                size += len(part)
                if size > most:
                    raise Refused(Problem.TOO_LARGE, f"the body must have at most {most} bytes")
                parts.append(part)
    except TimeoutError:
        raise Refused(Problem.UPLOAD_TIMEOUT) from None
    except ClientDisconnect:
        raise Refused(Problem.MALFORMED_REQUEST, "the client went away before its body was complete") from None
    return b"".join(parts)

"""A question about any items of a task: its body, read and checked. No error repeats an item."""

from dataclasses import dataclass
from typing import Any

from hgldp.collector.http.documents.schema import Schema, list_of, maybe, record, up_to
from hgldp.collector.http.request import whole_number
from hgldp.collector.problems import Problem, Refused
from hgldp.errors import InvalidField, MalformedBytes
from hgldp.model.domain import AnyDomain
from hgldp.model.validate import LARGEST_63, check_whole
from hgldp.wire.api import MOST_ASKED
from hgldp.wire.strict_json import read_json

MOST_BYTES = 1 << 20
_ITEM: Schema = {"type": ["integer", "string"]}
QUESTION: Schema = record(
    items=list_of(_ITEM) | {"minItems": 1, "maxItems": MOST_ASKED}, window=maybe(up_to(LARGEST_63, 1))
) | {"required": ["items"]}


@dataclass(frozen=True)
class Question:
    """Which items, and in how many of the last reports; None for all of them."""

    items: tuple[int | str, ...]
    window: int | None = None

    @classmethod
    def read(cls, body: bytes, domain: AnyDomain) -> "Question":
        """What a body of JSON asks of a task over this domain."""
        try:
            fields: Any = read_json(body, surrogates=False)
        except MalformedBytes as wrong:
            raise Refused(Problem.MALFORMED_QUESTION, str(wrong)) from None
        if not isinstance(fields, dict) or not {"items"} <= set(fields) <= {"items", "window"}:
            raise _malformed("the body must be a JSON object with items, and maybe a window")
        items, window = fields["items"], fields.get("window")
        if not isinstance(items, list) or not 1 <= len(items) <= MOST_ASKED:
            raise _malformed(f"items must be a list of 1 … {MOST_ASKED} items")
        if not all(isinstance(item, int | str) and not isinstance(item, bool) for item in items):
            raise _malformed("items must be whole numbers or texts")
        if window is not None:
            try:
                check_whole("window", window, 1, LARGEST_63)
            except InvalidField:
                raise _malformed(f"window must be a whole number in 1 … {LARGEST_63}") from None
        return cls(tuple(as_item(domain, item) for item in items), window)


def as_item(domain: AnyDomain, given: int | str) -> int | str:
    """What people type is text: where items are numbers, digits are the number.

    >>> from hgldp.model.domain import RangeDomain, StringDomain
    >>> as_item(RangeDomain(10), " -7 "), as_item(RangeDomain(10), "seven"), as_item(StringDomain(), "7")
    (-7, 'seven', '7')
    """
    if not domain.has_numbers or not isinstance(given, str):
        return given
    text = given.strip()
    number = whole_number(text.removeprefix("-"))
    if number is None:
        return given
    return -number if text.startswith("-") else number


def _malformed(rule: str) -> Refused:
    return Refused(Problem.MALFORMED_QUESTION, rule)

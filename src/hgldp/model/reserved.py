"""What stands for items that a domain does not list, so that no event is answered by silence."""

import re
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any, Literal, get_args

from hgldp.errors import InvalidField, OutsideDomain
from hgldp.model.domain import RangeDomain, Vocabulary, check_size

Normalisation = Literal["none", "space", "case", "space and case"]
MUST_HAVE_OTHER = "must be true: otherwise silence would show that an item is not on the list"
SPACE = " \t\n\v\f\r"
SPACE_IN_A_LINE = SPACE.replace("\n", "")
_LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")


class Reserved(Enum):
    """`OTHER`: an item that the domain does not list. `NOTHING`: no event in a whole period."""

    OTHER = "other"
    NOTHING = "nothing"


def normalised(text: str, rule: Normalisation) -> str:
    """A text by the public rule of a task. Only ASCII changes, so that every language has the same rule.

    >>> normalised(" Tea\\n", "none"), normalised(" Tea\\n", "space"), normalised(" Tea\\n", "space and case")
    (' Tea\\n', 'Tea', 'tea')
    """
    return _in_one_case(_without_space(text, rule), rule)


def normalised_if_short(text: str, rule: Normalisation, longest: int) -> str | None:
    """The same, or None if it has more characters than any item: a long text must not take longer than a short one.

    >>> normalised_if_short(" TEA", "space and case", 3), normalised_if_short("coffee", "none", 3)
    ('tea', None)
    """
    text = _without_space(text, rule)
    return _in_one_case(text, rule) if len(text) <= longest else None


def first_changed(lines: bytes, rule: Normalisation) -> int | None:
    """The first of many lines that the rule would change; None if there is none.

    >>> first_changed(b"tea\\nMate\\nmilk \\n", "case"), first_changed(b"tea\\nMate\\nmilk \\n", "space")
    (1, 2)
    """
    space, case = rf"^[{SPACE_IN_A_LINE}]|[{SPACE_IN_A_LINE}]$", "[A-Z]"
    parts = [part for name, part in (("space", space), ("case", case)) if name in rule]
    found = re.search("|".join(parts).encode(), lines, re.MULTILINE) if parts else None
    return None if found is None else lines.count(b"\n", 0, found.start())


def _without_space(text: str, rule: Normalisation) -> str:
    text = str.__str__(text)  # runs no code of the item
    return text.strip(SPACE) if "space" in rule else text


def _in_one_case(text: str, rule: Normalisation) -> str:
    return text.translate(_LOWER) if "case" in rule else text


def check_normalisation(rule: object) -> None:
    """Refuse a rule that does not exist."""
    if rule not in get_args(Normalisation):
        raise InvalidField("normalise", f"must be one of {', '.join(get_args(Normalisation))}", rule)


@dataclass(frozen=True)
class WithOther:
    """A listed domain and its reserved items, which come last: *other*, and *nothing* where the task counts that too.

    A vocabulary that lists the word "other" or "nothing" itself gets no second one. `index` is for people and refuses
    what is not an item; `encode` is for clients and takes anything.

    >>> drinks = WithOther(Vocabulary(("tea", "coffee")), normalise="case")
    >>> drinks.size, drinks.item(2), drinks.encode("TEA"), drinks.encode("gin"), drinks.encode(7)
    (3, 'other', 0, 2, 2)
    """

    base: RangeDomain | Vocabulary
    nothing: bool = False
    normalise: Normalisation = "none"

    def __post_init__(self) -> None:
        check_normalisation(self.normalise)
        check_size(self.size)
        if isinstance(self.base, Vocabulary) and len(self._numbers) != self.base.size:
            rule = f"must be distinct after the task's rule (normalise: {self.normalise})"
            raise InvalidField("words", rule, "two that are the same then")

    @property
    def has_numbers(self) -> bool:
        """As the domain has it: people type numbers, although the reserved items are texts."""
        return self.base.has_numbers

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """The words as the rule leaves them."""
        words = self.base.words if isinstance(self.base, Vocabulary) else ()
        return {normalised(word, self.normalise): number for number, word in enumerate(words)}

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self._numbers), default=0)

    @cached_property
    def reserved(self) -> dict[Reserved, int]:
        """The numbers of the reserved items."""
        found, after = dict[Reserved, int](), self.base.size
        for each in (Reserved.OTHER, Reserved.NOTHING) if self.nothing else (Reserved.OTHER,):
            found[each] = self._numbers.get(each.value, after)
            after += found[each] == after
        return found

    @property
    def size(self) -> int:
        """How many items there are, the reserved ones included."""
        return max(self.base.size, 1 + max(self.reserved.values()))

    def index(self, item: object) -> int:
        """The number of an item; "other" and "nothing" name the reserved ones."""
        number = self._listed(item)
        if number is None and isinstance(item, str | Reserved):
            text = item.value if isinstance(item, Reserved) else str.__str__(item)
            number = next((self.reserved[each] for each in self.reserved if each.value == text), None)
        if number is None:
            kind = "" if isinstance(item, int if self.has_numbers else str) else f", not {type(item).__name__}"
            raise OutsideDomain(f"{self.describe()}{kind}")
        return number

    def encode(self, item: object) -> int:
        """The number of an item; whatever is not listed is *other*."""
        if isinstance(item, Reserved):
            return self.index(item)
        number = self._listed(item)
        return self.reserved[Reserved.OTHER] if number is None else number

    def _listed(self, item: object) -> int | None:
        if isinstance(self.base, Vocabulary):
            text = normalised_if_short(item, self.normalise, self._longest) if isinstance(item, str) else None
            return None if text is None else self._numbers.get(text)
        try:
            return self.base.index(item)
        except OutsideDomain:
            return None

    def item(self, index: int) -> int | str:
        """The item of a number."""
        for each, number in self.reserved.items():
            if number == index:
                return each.value
        return self.base.item(index)

    def as_fields(self) -> list[object]:
        """As the domain: the task says what is reserved."""
        return self.base.as_fields()

    def summary(self) -> dict[str, Any]:
        """As the domain."""
        return self.base.summary()

    def describe(self) -> str:
        """The domain, and what is reserved.

        >>> WithOther(Vocabulary(("tea", "coffee")), nothing=True).describe()
        '2 words, other and nothing'
        """
        rest = [each.value for each, number in self.reserved.items() if number >= self.base.size]
        return ", ".join([self.base.describe(), " and ".join(rest)]) if rest else self.base.describe()

"""Lists of strings as somebody may have them: most of the frequent ones among many others, or only wrong ones."""

from typing import Literal, get_args

import numpy as np

from benchmarks.strings.contest.populations import Strings, top
from hgldp.model.hints import Hints

Kind = Literal["no list", "no list, 2,048 symbols", "good list", "wrong list"]
KINDS: tuple[Kind, ...] = get_args(Kind)
CELLS: dict[Kind, int] = {"no list, 2,048 symbols": 2_048}
"""As many as a task with a list has for the strings that are not on it."""
FREQUENT, KNOWN, OTHERS = 1_000, 0.8, 20_000


def spliced(strings: Strings, count: int, most_bytes: int, generator: np.random.Generator) -> list[str]:
    """Strings that nobody sends and that look as if: the beginning of one and the end of another.

    >>> import numpy as np
    >>> few = Strings(("maria", "peter", "anna"), np.ones(3), None)
    >>> wrong = spliced(few, 4, 64, np.random.default_rng(1))
    >>> len(set(wrong)), set(wrong) & set(few.texts)
    (4, set())
    """
    real, made = set(strings.texts), dict[str, None]()
    while len(made) < count:
        one, other = (strings.texts[place] for place in generator.integers(len(strings.texts), size=2))
        cut, rest = generator.integers(1, max(2, len(one))), generator.integers(1, max(2, len(other)))
        text = one[:cut] + other[-rest:]
        if text not in real and len(text.encode()) <= most_bytes and "\n" not in text:
            made[text] = None
    return list(made)


def list_of(kind: Kind, strings: Strings, most_bytes: int, seed: int) -> Hints | None:
    """The list of a seed: its lines are in a drawn order, so that none tells what is frequent."""
    if kind.startswith("no list"):
        return None
    generator = np.random.default_rng([seed, 2])
    lines = spliced(strings, OTHERS, most_bytes, generator)
    if kind == "good list":
        frequent = top(strings.weights, FREQUENT)
        known = generator.choice(frequent, round(KNOWN * len(frequent)), replace=False)
        lines += [strings.texts[place] for place in known]
    return Hints.of([lines[place] for place in generator.permutation(len(lines))])

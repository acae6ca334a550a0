"""From the text that was typed to a validated value."""

from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import Literal

from hgldp.errors import InvalidField, did_you_mean
from hgldp.model.weights import as_epsilon

HotShare = Literal["online", "warm-up"] | float
ALL = "all"
COLUMN_RULE = "must be given for a CSV file, a name in its first line or a number from 1"
MAX_SEED = (1 << 64) - 1


def parse_number(field: str, text: str) -> float:
    """Parsed here and not by argparse, so that the refusal names the field as all others do."""
    try:
        found = float(text)
    except ValueError:
        raise InvalidField(field, "must be a number", text or "nothing") from None
    if not isfinite(found):
        raise InvalidField(field, "must be finite and above 0", found)
    return found


def read_file(field: str, path: str) -> bytes:
    """The bytes of a file that an option names."""
    try:
        return Path(path).read_bytes()
    except OSError as failure:
        raise InvalidField(field, "must be a file that can be read", f"{path} ({failure.strerror})") from None


def parse_epsilons(text: str) -> list[float]:
    """One or more budgets, with commas between them.

    >>> parse_epsilons("0.5,1")
    [0.5, 1.0]
    """
    budgets = [parse_number("epsilon", part.strip()) for part in text.split(",")]
    for budget in budgets:
        as_epsilon(budget)
    return list(dict.fromkeys(budgets))


def parse_names(text: str, known: Sequence[str]) -> list[str]:
    """`all`, or some of the known names, in the order typed, in upper or lower case.

    >>> parse_names("dsr, BGR", ["bgr", "dsr", "cnr"]), parse_names("all", ["bgr", "dsr"])
    (['dsr', 'bgr'], ['bgr', 'dsr'])
    """
    if text.lower() == ALL:
        return list(known)
    return list(dict.fromkeys(parse_name(part.strip(), known, f"{ALL} or ") for part in text.split(",")))


def parse_name(text: str, known: Sequence[str], otherwise: str = "") -> str:
    """The known name that was typed, in upper or lower case; a refusal suggests the nearest one.

    >>> parse_name("DSR", ["bgr", "dsr"])
    'dsr'
    """
    found = next((name for name in known if name.lower() == text.lower()), None)
    if found is None:
        rule = f"must be {otherwise}one of {', '.join(known)}"
        raise InvalidField("scheme", rule, text or "nothing", did_you_mean(text, known))
    return found


def parse_hot_share(text: str | None) -> HotShare | None:
    """`online`, `warm-up`, or a share set by hand; None leaves it to the variant."""
    if text is None:
        return None
    named: dict[str, HotShare] = {"online": "online", "warm-up": "warm-up"}
    if text in named:
        return named[text]
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise InvalidField("hot_share", "must be online, warm-up or a number in 0 … 1", text or "nothing")
    return share


def parse_warmup(text: str) -> float:
    """A share of the stream in 0 … below 1, or a whole count of 2 or more."""
    try:
        warmup = float(text)
    except ValueError:
        warmup = -1.0
    if not (0 <= warmup < 1 or (warmup >= 2 and warmup.is_integer())):
        rule = "must be a share of the stream below 1, such as 0.01, or a whole number of items above 1"
        raise InvalidField("warmup", rule, text or "nothing")
    return warmup


def check_seeds(seed: int, repeats: int) -> range:
    """The seeds of all runs."""
    if repeats < 1:
        raise InvalidField("repeats", "must be at least 1", repeats)
    if not 0 <= seed <= MAX_SEED + 1 - repeats:
        raise InvalidField("seed", "must lie in 0 … 2^64 − 1, like every seed after it", seed)
    return range(seed, seed + repeats)

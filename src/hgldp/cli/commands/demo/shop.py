"""What the simulated crowd of the demo likes: a made-up shop, where a few of many products are loved."""

from itertools import accumulate
from random import Random

COLOURS = (
    "amber", "black", "blue", "copper", "coral", "cream", "crimson", "golden", "green", "grey", "indigo", "ivory",
    "lilac", "mint", "navy", "olive", "orange", "pink", "purple", "red", "silver", "teal", "white", "yellow",
)  # fmt: skip
THINGS = (
    "apron", "backpack", "bicycle", "blanket", "boots", "bottle", "candle", "chair", "clock", "cup", "drum", "guitar",
    "hammock", "kettle", "kite", "lamp", "mirror", "notebook", "rug", "scarf", "skates", "teapot", "tent", "umbrella",
    "vase",
)  # fmt: skip
PRODUCTS = tuple(f"{colour} {thing}" for colour in COLOURS for thing in THINGS)
STEEPNESS = 1.2


class Taste:
    """How likely each product is to be looked at next. The seed decides which ones are loved."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)  # noqa: S311 - what happens in the made-up shop, not what hides it
        self._loved = self._random.sample(PRODUCTS, len(PRODUCTS))
        self._weights = list(accumulate(rank**-STEEPNESS for rank in range(1, len(PRODUCTS) + 1)))

    def events(self, number: int) -> list[str]:
        """What one client looked at, one after the other."""
        return self._random.choices(self._loved, cum_weights=self._weights, k=number)

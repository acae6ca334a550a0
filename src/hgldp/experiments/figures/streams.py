"""Streams as titles of panels, and their order."""

from hgldp.simulation.generators import is_generator, parse_generator

NAMES = {"kosarak-first100k": "kosarak, first 100,000 lines"}
ORDER = ("normal", "exponential", "retail", "kosarak", "kosarak-first100k", "zipf", "webdocs")


def stream_title(stream: str) -> str:
    """A generator in words, a data set by its name.

    >>> stream_title("normal:n=100000,d=1000,sigma=5")
    'normal, d = 1,000, n = 100,000'
    >>> stream_title("zipf:n=300000000,d=5260000,s=1.1")
    'Zipf 1.1, d = 5,260,000, n = 300,000,000'
    """
    if not is_generator(stream):
        return NAMES.get(stream, stream)
    drawn = parse_generator(stream)
    kind = f"Zipf {drawn.shape:g}" if drawn.kind == "zipf" else drawn.kind
    return f"{kind}, d = {drawn.d:,}, n = {drawn.n:,}"


def stream_place(stream: object) -> tuple[int, int, str]:
    """Synthetic ones by their domain, then data sets, then the largest."""
    text = str(stream)
    kind = text.partition(":")[0]
    size = parse_generator(text).d if is_generator(text) else 0
    return (ORDER.index(kind) if kind in ORDER else len(ORDER)), size, text

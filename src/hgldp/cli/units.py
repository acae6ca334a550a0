"""Numbers and texts as people read them."""

from math import isfinite

LONGEST_LABEL = 32


def in_bytes(size: float) -> str:
    """A size with its unit, in powers of 1,000.

    >>> in_bytes(0), in_bytes(336), in_bytes(35_140_000)
    ('0 B', '336 B', '35.1 MB')
    """
    for unit in ("B", "kB", "MB", "GB"):
        if size < 999.5 or unit == "GB":
            break
        size /= 1000
    return f"{size:.0f} {unit}" if unit == "B" or size >= 99.95 else f"{size:.1f} {unit}"


def in_count(number: float) -> str:
    """A count with commas.

    >>> in_count(80194.7), in_count(float("inf"))
    ('80,195', 'unknown')
    """
    return f"{round(number):,}" if isfinite(number) else "unknown"


def counted(number: float, noun: str) -> str:
    """A count with its noun.

    >>> counted(1, "report"), counted(4000, "report"), counted(2, "entry")
    ('1 report', '4,000 reports', '2 entries')
    """
    many = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{in_count(number)} {noun if number == 1 else many}"


def in_figures(number: float) -> str:
    """Three significant figures, without an exponent where there is room.

    >>> in_figures(0.0283), in_figures(7.362), in_figures(1011.3), in_figures(0)
    ('0.0283', '7.36', '1,011', '0')
    """
    if not isfinite(number):
        return "unknown"
    if abs(number) >= 1e7:
        return f"{number:.2e}"
    return f"{round(number):,}" if abs(number) >= 100 else f"{number:.3g}"


def in_millions(number: float) -> str:
    """Millions with one decimal.

    >>> in_millions(31_080_000), in_millions(270_000), in_millions(9_000)
    ('31.1', '0.3', '<0.1')
    """
    return f"{number / 1e6:.1f}" if number >= 50_000 else "<0.1"


def in_share(share: float) -> str:
    """A share of the whole, as a percentage.

    >>> in_share(0.01), in_share(0.00123)
    ('1 %', '0.123 %')
    """
    return f"{100 * share:.3g} %"


def label(item: object, longest: int = LONGEST_LABEL) -> str:
    """An item for the terminal: control characters replaced, cut to a width that leaves room for the numbers.

    >>> label("tea"), label(chr(27) + "[2J"), label("")
    ('tea', '�[2J', '(empty)')
    """
    text = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in str(item))
    if len(text) > longest:
        text = text[: longest - 1] + "…"
    return text or "(empty)"

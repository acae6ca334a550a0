"""Numbers and times as people read them."""

from datetime import UTC, datetime

from hgldp.collector.dashboard.markup import Html, fill

MINUS = "\u2212"


def whole(value: float) -> str:
    """A count, in full.

    >>> whole(1234567.4), whole(-12)
    ('1,234,567', '−12')
    """
    return f"{round(value):,}".replace("-", MINUS)


def short(value: float) -> str:
    """A count in at most three digits and a letter.

    >>> [short(value) for value in (0, 12, 999, 1500, 20_000, 1_250_000, -3000, 999_999)]
    ['0', '12', '999', '1.5k', '20k', '1.25M', '−3k', '1M']
    """
    number, unit = abs(value), ""
    for larger in ("k", "M", "G", "T"):
        if float(f"{number:.3g}") < 1000:
            break
        number, unit = number / 1000, larger
    return (MINUS if value < 0 else "") + f"{float(f'{number:.3g}'):g}" + unit


def size(count: int) -> str:
    """A number of bytes.

    >>> size(981), size(16_384), size(2_500_000)
    ('981 B', '16.4 kB', '2.5 MB')
    """
    if count < 1000:
        return f"{count} B"
    number, unit = count / 1000, "kB"
    for larger in ("MB", "GB"):
        if number < 1000:
            break
        number, unit = number / 1000, larger
    return f"{number:.3g} {unit}"


def rate(per_second: float | None) -> str:
    """Reports per second; a dash where nobody has measured.

    >>> rate(None), rate(0), rate(0.4), rate(12.3), rate(2_340_000)
    ('–', '0', '0.4', '12', '2.34M')
    """
    if per_second is None:
        return "–"
    return f"{per_second:.1g}" if 0 < per_second < 1 else short(round(per_second))


def percent(share: float) -> str:
    """A share of one.

    >>> percent(0.1234), percent(0.00071), percent(0)
    ('12.3 %', '0.071 %', '0 %')
    """
    return f"{float(f'{100 * share:.{3 if share >= 0.01 else 2}g}'):g} %".replace("-", MINUS)


def moment(seconds: float) -> Html:
    """A time since 1970: in UTC for everybody, and as an age where there is a script."""
    time = datetime.fromtimestamp(seconds, UTC)
    return fill("moment", iso=f"{time:%Y-%m-%dT%H:%M:%SZ}", text=f"{time:%Y-%m-%d %H:%M:%S} UTC")

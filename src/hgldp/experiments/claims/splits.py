"""The rows of an allocation sweep, by how ε is split."""

from collections.abc import Callable, Iterable
from fractions import Fraction

from hgldp.experiments.claims.gaps import LESS_IS_BETTER, Contest, Point
from hgldp.experiments.claims.view import Family, NotMeasured, domain_of, on
from hgldp.experiments.measurement import Setting
from hgldp.experiments.results import Results, Row

TWO, HALF, NINTH = Fraction(2, 3), Fraction(1, 3), Fraction(1, 10)


def at_split(rows: Results, split: Fraction) -> Results:
    """The rows with that share of ε for the judge."""
    found = Results(tuple(row for row in rows if _share(row.measurement.get("judge_share")) == split))
    if not len(found):
        raise NotMeasured(f"ε1/ε2 = {split / (1 - split)}")
    return found


def splits_of(rows: Results) -> list[Fraction]:
    """Every share that was run, the largest first."""
    return sorted({_share(row.measurement.get("judge_share")) for row in rows}, reverse=True)


def best_split(rows: Results, metric: str) -> Fraction:
    """The split whose mean is best."""
    means = {split: at_split(rows, split).mean(metric) for split in splits_of(rows)}
    return (min if metric in LESS_IS_BETTER else max)(means, key=lambda split: means[split])


def on_domain(rows: Results, choose: Callable[[Iterable[int]], int]) -> Results:
    """The rows on the smallest or the largest domain, if there are several."""
    sizes = {size for row in rows if (size := domain_of(row.measurement.stream)) is not None}
    if len(sizes) < 2:
        raise NotMeasured("streams over several domains")
    wanted = choose(sizes)
    return on(rows, Family(f"d = {wanted}", lambda stream: domain_of(stream) == wanted))


def lost_to_domain(rows: Results, metric: str) -> Contest:
    """What the largest domain costs against the smallest, for each kind of stream and ε."""
    small, large = (_by_kind(on_domain(rows, choose), metric) for choose in (min, max))
    points = tuple(
        Point(
            *place,
            small[place][0] - large[place][0],
            (small[place][1] ** 2 + large[place][1] ** 2) ** 0.5,
            small[place][2],
        )
        for place in small.keys() & large.keys()
    )
    if not points:
        raise NotMeasured("the same kind of stream over several domains")
    return Contest(points)


def _by_kind(rows: Results, metric: str) -> dict[tuple[str, float], tuple[float, float, int]]:
    """Mean, standard error and number of rows for each kind of stream and ε."""
    found: dict[tuple[str, float], list[Row]] = {}
    for row in rows:
        found.setdefault((row.measurement.stream.partition(":")[0], row.measurement.epsilon), []).append(row)
    groups = {place: Results(tuple(some)) for place, some in found.items()}
    return {place: (some.mean(metric), some.standard_error(metric), len(some)) for place, some in groups.items()}


def _share(setting: Setting | None) -> Fraction:
    return Fraction(str(setting))

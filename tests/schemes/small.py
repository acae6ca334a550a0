"""Small schemes and bulletins for property tests, and the exact variance of an estimate."""

from collections.abc import Callable
from fractions import Fraction

from hypothesis import strategies as st

from hgldp.checks.subjects import SchemeSubject
from hgldp.model.bulletins import Bulletin
from hgldp.model.weights import MAX_EPSILON, MIN_EPSILON, Epsilon
from hgldp.schemes.bdr import BDR
from hgldp.schemes.bgr import BGR
from hgldp.schemes.cnr import CNR
from hgldp.schemes.dsr import DSR
from hgldp.schemes.hot_list import HotListScheme

KINDS: dict[str, Callable[[int, int, Epsilon], HotListScheme]] = {
    "bgr": BGR,
    "dsr": DSR,
    "bdr": BDR,
    "cnr": CNR,
    "bdr, printed": lambda *sizes: BDR(*sizes, tight=False),
    "bdr, 1:8": lambda *sizes: BDR(*sizes, tight=False, judge_share=Fraction(1, 9)),
    "cnr, printed": lambda *sizes: CNR(*sizes, tight=False),
}
epsilons = st.one_of(
    st.floats(MIN_EPSILON, MAX_EPSILON),
    st.fractions(Fraction(1, 100), MAX_EPSILON, max_denominator=1000),
    st.sampled_from([MIN_EPSILON, 0.01, 0.1, 1.0, 3.0, MAX_EPSILON]),
)


@st.composite
def bulletins(draw: st.DrawFn, largest: int = 10) -> Bulletin:
    """Any hot list over any small domain, from one hot item to one cold item."""
    size = draw(st.integers(2, largest))
    cells = draw(st.integers(1, size - 1))
    hot = draw(st.permutations(range(size)))[:cells]
    return Bulletin(bytes(32), 0, size, tuple(hot), draw(st.booleans()))


def quiet(domain_size: int, cells: int) -> Bulletin:
    """The first items are hot, and nobody is wanted."""
    return Bulletin(bytes(32), 0, domain_size, tuple(range(cells)))


def exact_variance(subject: SchemeSubject, item: int, slot: int) -> Fraction:
    """The variance that one event of an item adds to the estimate of a slot, out of the channel itself."""
    row = subject.channel()[item]
    worth = {report: subject.adds(report)[slot] for report in row}
    mean = sum((chance * worth[report] for report, chance in row.items()), Fraction(0))
    return sum((chance * worth[report] ** 2 for report, chance in row.items()), Fraction(0)) - mean**2

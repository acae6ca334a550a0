"""What the frontier needs to know of the scheme it serves."""

from fractions import Fraction
from typing import Protocol


class Response(Protocol):
    """What the store needs of the mechanism: how often a report speaks for a symbol, and which residues do."""

    @property
    def p(self) -> Fraction: ...  # noqa: D102
    @property
    def q(self) -> Fraction: ...  # noqa: D102
    @property
    def variance(self) -> float: ...  # noqa: D102
    @property
    def modulus(self) -> int: ...  # noqa: D102
    @property
    def members(self) -> tuple[int, ...]: ...  # noqa: D102


class Search(Protocol):
    """What the store needs of the scheme; `hgldp.schemes.pfr.PFR` is one."""

    @property
    def domain_size(self) -> int: ...  # noqa: D102
    @property
    def cells(self) -> int: ...  # noqa: D102
    @property
    def most_leaves(self) -> int: ...  # noqa: D102
    def mechanism_over(self, cells: int) -> Response: ...  # noqa: D102
    def __hash__(self) -> int: ...

"""What is seen of one draw does not depend on the draws around it."""

import pytest

from hgldp.audit.views import Views, views_of
from hgldp.wire.upload import Upload

LIMIT, BULLETIN = 9, bytes(32)
ONE, TWO = ([Upload.of(bytes(16), BULLETIN, symbols, LIMIT).encode()] for symbols in ([4], [4, 7]))


def rows(views: Views, place: int) -> dict[str, object]:
    return {view: seen[place].tolist() for view, seen in views.items()}


@pytest.mark.parametrize("draw", [[], ONE, TWO], ids=["nothing", "one report", "two reports"])
def test_a_draw_looks_the_same_alone_and_among_others(draw: list[bytes]) -> None:
    alone, among = views_of([draw], LIMIT, BULLETIN), views_of([TWO, draw, []], LIMIT, BULLETIN)
    assert rows(alone, 0) == rows(among, 1)

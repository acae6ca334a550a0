"""The answer of the box that asks for any item, in words."""

from hgldp.collector.dashboard.ask_box import AskBox
from hgldp.collector.dashboard.templates import ENVIRONMENT
from hgldp.collector.views import AskedAnswer, AskedItem

MACROS = ENVIRONMENT.get_template("macros.html").module
LINE = AskedItem("tea", 900.0, 50.0, 802.0, 998.0, 900.0, 50.0, 100, may_be_noise=False)
NOISE = AskedItem("mate", 9.0, 50.0, 0.0, 107.0, 0.0, 0.0, 0, may_be_noise=True)


def box(line: AskedItem, reports: int = 9_000, window: int | None = None, covered: int | None = None) -> str:
    counted = reports if covered is None else covered
    return MACROS.ask_box(AskBox("/tasks/0#ask", answer=AskedAnswer(window, 3, reports, counted, (line,))))


def test_it_says_why_an_item_may_be_noise() -> None:
    assert "It may be noise: chance alone could have brought it here." in box(NOISE)
    assert "noise:" not in box(LINE)

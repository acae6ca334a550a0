"""A measurement is named by all that its result depends on."""

from dataclasses import asdict, replace

import pytest

from hgldp.errors import InvalidField
from hgldp.experiments import measurement as module
from hgldp.experiments.measurement import Measurement

ONE = Measurement("retail", "bdr", epsilon=2.0, seed=1, settings=(("variant", "as-published"), ("cells", 20)))
OTHERS = {
    "stream": "kosarak",
    "scheme": "cnr",
    "epsilon": 2.5,
    "seed": 2,
    "k": 10,
    "warmup": "0",
    "settings": (("cells", 40),),
}


@pytest.mark.parametrize("field", OTHERS)
def test_whatever_differs_has_another_key(field: str) -> None:
    assert replace(ONE, **{field: OTHERS[field]}).key != ONE.key


def test_every_field_is_tried_above() -> None:
    assert set(OTHERS) == set(asdict(ONE))


def test_other_code_has_another_key(monkeypatch: pytest.MonkeyPatch) -> None:
    before = ONE.key
    monkeypatch.setattr(module, "code_version", lambda: "other")
    assert ONE.key != before


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("scheme", "magic"),
        ("epsilon", 0.0),
        ("epsilon", float("inf")),
        ("seed", -1),
        ("k", 0),
        ("warmup", "some"),
        ("warmup", "true 0"),
        ("settings", (("cells", 20), ("cells", 30))),
    ],
)
def test_what_makes_no_sense_is_refused(field: str, value: object) -> None:
    with pytest.raises(InvalidField, match=field):
        replace(ONE, **{field: value})


def test_what_spends_no_budget_has_none() -> None:
    assert Measurement("retail", "warmup", 0.0, 1).epsilon == 0
    with pytest.raises(InvalidField, match="epsilon"):
        Measurement("retail", "heavyguardian", 1.0, 1)


def test_the_order_of_settings_does_not_matter() -> None:
    swapped = replace(ONE, settings=tuple(reversed(ONE.settings)))
    assert (swapped, swapped.key) == (ONE, ONE.key)

"""One symbol and the bulletin it answers, and nothing else."""

from dataclasses import FrozenInstanceError, fields

import pytest

from hgldp.errors import InvalidField
from hgldp.model.reports import Report


def test_a_report_holds_a_symbol_and_a_version_alone() -> None:
    assert [field.name for field in fields(Report)] == ["bulletin", "symbol"]
    assert not hasattr(Report("v", 3), "__dict__")


def test_a_report_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Report("v", 3).symbol = 4  # type: ignore[misc]


def test_a_negative_symbol_is_refused() -> None:
    with pytest.raises(InvalidField, match="symbol must be at least 0, got -1"):
        Report("v", -1)

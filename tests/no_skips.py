"""On CI a test that skips fails: CI installs everything, so a missing program would go unnoticed everywhere."""

import os
from collections.abc import Generator

import pytest

ALLOWED = "the public files are not here"  # they are no part of this repository
Report = pytest.TestReport | pytest.CollectReport


def _judged(report: Report) -> Report:
    if report.skipped and not hasattr(report, "wasxfail") and ALLOWED not in str(report.longrepr):
        report.outcome = "failed"
        report.longrepr = f"{report.nodeid} must not skip on CI: {report.longrepr}"
    return report


if os.environ.get("CI") == "true":

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, Report]:
        return _judged((yield))

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, Report]:
        return _judged((yield))

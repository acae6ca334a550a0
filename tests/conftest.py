"""Hypothesis tries the same examples in every run, and each may take as long as a busy machine needs."""

from hypothesis import settings

settings.load_profile("ci")

pytest_plugins = ("tests.no_skips", "tests.postgres")

"""No speed is judged in these tests: an example may take as long as a busy machine needs."""

from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

pytest_plugins = ("tests.no_skips", "tests.postgres")

"""The browser and the collector of tests/sdk."""

from tests.sdk.conftest import driver, script, service, visit

__all__ = ["driver", "script", "service", "visit"]

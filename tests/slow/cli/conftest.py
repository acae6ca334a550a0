"""The terminal of tests/cli, and its collector."""

from tests.cli.conftest import _one_terminal, service, tokens

__all__ = ["_one_terminal", "service", "tokens"]

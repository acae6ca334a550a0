"""Which address a request comes from. It is used in memory for fair shares, and never written."""

from collections.abc import Collection
from typing import Any


def address_of(scope: Any, trusted: Collection[str]) -> str:  # noqa: ARG001 - proxies are not known here yet
    """The address of whoever is connected."""
    client = scope.get("client")
    return str(client[0]) if client else ""

"""The frontier of strings that nobody listed: what the server of pfr keeps while it spells them out."""

from hgldp.stores.strings.store import OpenFrontier

__all__ = ["OpenFrontier"]

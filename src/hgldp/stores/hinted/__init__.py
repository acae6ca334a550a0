"""The frontier of a public list beside the frontier of all other strings: what the server of pfr keeps with hints."""

from hgldp.stores.hinted.store import HintedFrontier

__all__ = ["HintedFrontier"]

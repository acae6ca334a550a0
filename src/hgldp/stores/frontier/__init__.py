"""The frontier of a listed domain: what the server of pfr keeps."""

from hgldp.stores.frontier.store import Frontier

__all__ = ["Frontier"]

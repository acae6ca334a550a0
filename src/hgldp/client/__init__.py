"""The client's half: task + bulletin + event → report. The standard library is enough."""

from hgldp.client.randomizer import Randomizer

__all__ = ["Randomizer"]

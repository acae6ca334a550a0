"""The paper's own algorithms, as printed and as published: for the reproduction, and never deployed."""

from hgldp.simulation.paper.run import simulate_paper

__all__ = ["simulate_paper"]

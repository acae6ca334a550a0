"""HeavyGuardian: a top-k sketch in fixed memory, useful with no privacy at all."""

from hgldp.stores.heavy_guardian.sketch import Count, HeavyGuardian

__all__ = ["Count", "HeavyGuardian"]

"""Attackers against every scheme."""

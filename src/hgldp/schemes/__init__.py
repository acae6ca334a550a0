"""Mechanism + store + stream rule: the paper's four schemes and the exhaustive baselines."""

"""Measurements that a person runs: speed, accuracy, and how honest the intervals are."""

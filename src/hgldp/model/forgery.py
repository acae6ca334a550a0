"""What an answer grants to forged reports: how far it extrapolates, and how many liars a certain line withstands."""

REACH = 8.0
"""The count of a hot list's item is at most so many times what was measured since it was admitted."""

FRONTIER_REACH = 2.0
"""The same for pfr: a burst may spread to the epochs around it. The worst that was measured is 1.7."""

FORGED_SHARE = 0.001
"""A line that is not marked as possible noise would stand out even if so many of all reports were forged for it."""

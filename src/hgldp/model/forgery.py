"""What an answer grants to forged reports: how far it extrapolates, and how many liars a certain line withstands."""

REACH = 8.0
"""The count of a hot list's item is at most so many times what was measured since it was admitted."""

FRONTIER_REACH = 2.0
"""The same for pfr: a burst may spread to the epochs around it. In bursts of 500 the worst that was measured is 1.7;
with 100 forged reports luck alone brought one run to 3.7, since the noise of a count is then as large as the burst."""

STRING_REACH = 8.0
"""The same for strings that nobody listed, since they were tracked."""

FORGED_SHARE = 0.001
"""A hot list's line that may not be noise would stand out even if this share of all reports were forged for it."""

"""`hgldp tally` and `hgldp seal`."""

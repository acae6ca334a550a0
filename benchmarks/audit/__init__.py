"""What `hgldp audit` finds and what it does not: planted bugs, published ones, and no false alarms."""

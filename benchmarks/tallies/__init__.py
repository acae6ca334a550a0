"""`hgldp tally` over a billion reports, beside DuckDB."""

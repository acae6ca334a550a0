"""How answers are written: short ones, long ones in pieces, and tables as CSV, JSON or Parquet."""

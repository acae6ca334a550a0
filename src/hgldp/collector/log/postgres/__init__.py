"""PostgreSQL as the store that several collectors share."""

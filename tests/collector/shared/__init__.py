"""Several collectors on one PostgreSQL."""

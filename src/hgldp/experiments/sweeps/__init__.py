"""What is measured for the figures, tables and claims: one description a file."""

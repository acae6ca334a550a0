"""Every example, started by the commands in its README, against a real collector."""

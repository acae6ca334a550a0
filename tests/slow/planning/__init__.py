"""Plans: drawn at once, the epochs are those of clients one by one; what a plan says is what then happens."""

"""What a promise to a person costs in accuracy: every level at the same ε per person and month."""

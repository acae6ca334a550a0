"""What the settings of a scheme do: the split of ε, the hot share, the start, epochs, and everything with a default."""

"""The figures: one file each, drawn from results alone."""

"""What happened, on disk and in order, and what follows from it: the state of each task, its bulletins, its results."""

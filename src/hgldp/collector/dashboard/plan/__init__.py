"""The page of plans: what a task would find, simulated in a process of its own while the collector goes on counting."""

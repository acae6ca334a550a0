"""The machine: its clock, its folders, its network. What touches them is an argument everywhere else."""

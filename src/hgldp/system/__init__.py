"""The machine: its clock, its folders, its network. Only the standard library is needed."""

"""How one measurement is made: the numbers depend on this code, and `code_version` counts all of it."""

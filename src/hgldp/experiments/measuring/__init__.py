"""One measurement made: the code on which the numbers depend, all of which `code_version` counts."""

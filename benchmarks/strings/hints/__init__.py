"""What a public list of some strings adds if it is good, and what it costs if it is wrong."""

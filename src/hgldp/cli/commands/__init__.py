"""The commands, one package each.

`NAME/__init__` says what can be typed after `hgldp NAME`: summary, description, examples and arguments, with the
standard library alone. `NAME/run` does it, with ordinary imports at its top. Two files, because every `--help` must
answer at once and without an extra, and because a missing extra must be found before anything is done: a task must not
be created if the key that is shown only once cannot be printed.
"""

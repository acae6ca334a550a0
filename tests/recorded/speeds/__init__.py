"""How fast things are, from outside: by commands, HTTP and public names, so that any checkout can be measured.

`python -m tests.recorded.speeds` prints a table; `--against FOLDER` measures another checkout's code in turns.
"""

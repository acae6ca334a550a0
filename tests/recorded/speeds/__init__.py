"""How fast things are, from outside: commands, HTTP and the library's public names, so that any checkout can be measured.

`python -m tests.recorded.speeds` prints a table; `--against FOLDER` measures another checkout's code in turns.
"""

"""What the code computes, recorded once and compared with whatever the code has become.

`python -m tests.recorded` prints what differs; `tests/recorded` and `tests/slow/recorded` fail by the same list.
"""

"""What version 0.1.0 computes: recorded once, bit for bit, and compared with whatever the code has become.

`python -m tests.recorded` prints what differs; `tests/recorded/test_recorded.py` fails by its name.
"""

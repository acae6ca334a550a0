"""What is measured and shown, one topic a file: its sweeps, figures, tables, claims and findings together.

A module in here that has a `STUDY` is found by `registry`: adding a study is adding a file.
"""

"""Numba kernels: arrays in, arrays out. Every kernel has a slow obvious twin in tests/naive.py."""

"""Tests that take long: whole lives, many processes, every command."""

"""Rates, daily caps and fair shares, with a clock that tests move."""

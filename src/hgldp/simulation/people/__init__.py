"""A person who reports again and again, and an observer who reads every report."""

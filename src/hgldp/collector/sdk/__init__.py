"""The script that web pages load: built from `sdk/`, served under a path that never changes its content."""

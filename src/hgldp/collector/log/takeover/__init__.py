"""A version that derives something else from the same reports takes the tasks of an earlier one over."""

"""Who takes part: one file a library, imported only in the process that measures it."""

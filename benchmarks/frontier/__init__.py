"""PFR in a listed domain: against the oracle, its choices one by one, its width, and pictures of its search."""

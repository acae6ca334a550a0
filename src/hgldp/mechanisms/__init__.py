"""One-shot randomisers with their debias rules, one file each."""

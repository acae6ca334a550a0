"""PFR among strings that nobody listed: what it finds, its choices, its intervals, and how it follows change."""

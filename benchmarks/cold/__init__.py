"""PFR without a warm-up in few bytes, beside oracles with unlimited memory, on steady and on drifting streams."""

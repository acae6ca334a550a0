"""How often published intervals and rank ranges hold the truth: every scheme, kind of interval and start."""

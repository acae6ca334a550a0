"""How many items have a share in each decade: pfr beside the truth, and how often its intervals hold."""

"""How strangers connect: who has a place, how much each may hold, from which address, and when one is cut off."""

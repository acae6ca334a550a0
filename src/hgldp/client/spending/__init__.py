"""What one person may spend: the ceilings that the app sets, the ledger of what was spent, and the draw of a period."""

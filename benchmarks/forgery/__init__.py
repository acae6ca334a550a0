"""What a few forged reports do to the published answer: attackers who see every bulletin, against every scheme."""

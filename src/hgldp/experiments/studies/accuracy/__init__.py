"""How accurate the schemes are: against ε, among themselves, and beside mechanisms without a bound on memory."""

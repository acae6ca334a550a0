"""How clients answer a bulletin, and how the server reads the answers: the paper's four, pfr, and exhaustive baselines.

The two halves of a scheme stand in one file, because they must agree on every probability.
"""

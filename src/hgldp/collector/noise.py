"""Which estimates may be noise alone."""

REACH = 4.0


def may_be_noise(estimate: float, standard_error: float) -> bool:
    """The best of hundreds of candidates may be four standard errors above zero with nothing behind it.

    >>> may_be_noise(390, 100), may_be_noise(410, 100)
    (True, False)
    """
    return estimate <= REACH * standard_error

"""People who report again and again: a crowd with favourites, what each level lets them send, and who listens."""

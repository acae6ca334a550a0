"""What a billion and a hundred billion reports a day cost, from measurements of one run."""

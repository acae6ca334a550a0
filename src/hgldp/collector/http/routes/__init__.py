"""What the paths of the API answer, apart from uploads, and to whom."""

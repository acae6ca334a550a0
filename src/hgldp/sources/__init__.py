"""Streams of items from files, standard input and generators: the edge that reads."""

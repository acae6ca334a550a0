"""Space-saving structures at equal bytes: as plain sketches of the raw stream, and under the hot lists."""

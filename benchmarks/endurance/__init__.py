"""What years do to a collector: many millions of reports through the real writer, in process."""

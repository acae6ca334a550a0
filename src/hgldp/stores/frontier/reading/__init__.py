"""What the retained epochs say: who may be in the top, how often each occurred, and how sure that is."""

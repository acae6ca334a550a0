"""The part of the recording that takes long, and the recording on a processor that computes otherwise."""

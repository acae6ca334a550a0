"""The nouns: frozen, validated, standard library only."""

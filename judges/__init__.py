"""Judges score one recorded answer; measures take the cases of a finished episode. Both are pure, from rows."""

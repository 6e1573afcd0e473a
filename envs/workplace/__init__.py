"""The workplace track: a scenario as an environment."""

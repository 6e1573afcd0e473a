"""The agent's own directory: what the scenario puts there, and reading it."""

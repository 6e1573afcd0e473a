"""The agents: model aliases and endpoint gateway, tool loop and call styles, baselines."""

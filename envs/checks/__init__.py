"""What `envs validate` checks: one module a group of checks, each a function from a scenario to its findings."""

"""Speed and memory against their targets, and against the libraries beneath on the same machine."""

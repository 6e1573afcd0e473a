"""Speed and memory against their targets, as ratios of things measured side by side in one run: `make bench`."""

"""Slack: channels, threads, direct messages; the state over time and the reading tools."""

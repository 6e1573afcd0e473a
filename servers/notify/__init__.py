"""Notifications: what the company's platforms told the agent's account, and its calendar."""

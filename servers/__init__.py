"""The platforms: one folder each with its store and its operations, one gateway, one MCP adapter."""

"""The scenario format (schema, loader) and, beside it, the scenarios themselves as YAML."""

"""The environments and the command: protocol, tracks, driver, records, runner, report and `envs` itself.

Import submodules; this file stays a docstring so that importing `envs.protocol` loads nothing else.
"""

"""The command `tocwalk`."""

from tocwalk.cli.app import main

__all__ = ["main"]

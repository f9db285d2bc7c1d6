"""One file per command; each offers `command`."""

__all__: list[str] = []

"""Summaries that a model has written, kept in the index's file so that none is paid for twice."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from sqlalchemy import Connection, insert, select

from tocwalk.index.cleaning import clean_text
from tocwalk.index.location import database_path
from tocwalk.index.schema import summary
from tocwalk.index.versions import open_database

__all__ = ["SummaryCache"]


class SummaryCache:
    """The summaries of one tenant by the key of what they were made from. Every method is one transaction, and blocks.

    What has been kept outlives a killed process. Summaries of sections that are gone stay, at some 500 bytes each: they
    are found again if the section comes back. Safe for use by many threads and processes.
    """

    def __init__(self, location: str | Path, *, tenant: str = "default") -> None:
        """Open the cache in the file of an index; either is made where it is missing.

        Args:
            location: Path of the index's file, or `sqlite:///PATH`.
            tenant: Whose summaries: those of other tenants are never read.

        Raises:
            IndexStoreError: As `TreeIndex` does, for the same location; or it cannot be written.
            SettingsError: The location cannot be one.
        """
        self._tenant = tenant
        self._database = open_database(database_path(location), create=True)
        try:
            self._require_table()
        except BaseException:
            self._database.close()
            raise

    def __enter__(self) -> Self:
        """Return the cache itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the cache."""
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._database.close()

    def get(self, key: str) -> str | None:
        """Return the summary that was kept under a key, or None."""
        with self._database.reading() as connection:
            return self._kept(connection, key)

    def put(self, key: str, text: str) -> str:
        """Keep a summary, and return the one that is kept: the first, where another process was faster.

        Raises:
            IndexStoreError: The disk is full, or the index busy or read-only.
        """
        with self._database.writing() as connection:
            kept = self._kept(connection, key)
            if kept is not None:
                return kept
            row = {"tenant": self._tenant, "key": key, "text": clean_text(text)}
            connection.execute(insert(summary).values(row))
            return row["text"]

    def _kept(self, connection: Connection, key: str) -> str | None:
        text: str | None = connection.scalar(
            select(summary.c.text).where(summary.c.tenant == self._tenant, summary.c.key == key)
        )
        return text

    def _require_table(self) -> None:
        """Make the table in an index of an older tocwalk, which neither knows it nor minds it.

        It is a write in any case: what cannot keep summaries says so before one is paid for.
        """
        with self._database.writing() as connection:
            summary.create(connection, checkfirst=True)

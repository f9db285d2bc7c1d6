"""Every error tocwalk raises, in one place.

    TocwalkError
    ├── InputError (ValueError)              what was asked cannot be asked: question, budget, filter
    ├── ConfigurationError (ValueError)      raised before the walk begins, never survived
    │   ├── SettingsError                    a setting out of bounds
    │   ├── NavigatorResolutionError         no navigator supports the model, or several do
    │   ├── CredentialError                  a key is missing or was refused (401, 403)
    │   ├── ProviderConfigurationError       the provider says the request is wrong (400, 404)
    │   └── ReplayError                      a record does not fit what it is replayed on
    ├── NavigatorError (RuntimeError)        a navigator gave no decision; carries a `reason`
    ├── DecisionError (ValueError)           a decision put into the state by hand is not one
    ├── IndexStoreError (RuntimeError)       the index cannot do what was asked
    │   ├── IndexVersionError                the index was written by a newer tocwalk
    │   ├── ReadOnlyIndexError               a write to an index that cannot be written
    │   ├── IndexBusyError                   another process held the index for too long
    │   ├── GenerationCollectedError         the pinned generation is no longer there
    │   └── DocumentConflictError            another source has the same id
    ├── NotFoundError (LookupError, ValueError)  no such corpus, document or section
    ├── HierarchyError (ValueError)          sections that do not form a tree
    └── IngestError (ValueError)             a file that cannot become a document; carries a `reason`

Every message says what happened, the offending value, and what to do next.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = [
    "ConfigurationError",
    "CredentialError",
    "DecisionError",
    "DocumentConflictError",
    "GenerationCollectedError",
    "HierarchyError",
    "IndexBusyError",
    "IndexStoreError",
    "IndexVersionError",
    "IngestError",
    "InputError",
    "NavigatorError",
    "NavigatorResolutionError",
    "NotFoundError",
    "ProviderConfigurationError",
    "ReadOnlyIndexError",
    "ReplayError",
    "SettingsError",
    "TocwalkError",
]


class TocwalkError(Exception):
    """Base of all errors of this package: catch it to catch them all."""


class InputError(TocwalkError, ValueError):
    """The question, budget, scope or filter of a run cannot be used."""


class ConfigurationError(TocwalkError, ValueError):
    """Something is set up wrongly; no failure policy survives it."""


class SettingsError(ConfigurationError):
    """A setting is missing, of the wrong type or out of bounds."""


class NavigatorResolutionError(ConfigurationError):
    """No installed navigator supports the model, or more than one does."""


class CredentialError(ConfigurationError):
    """A provider's key is missing or was refused."""


class ProviderConfigurationError(ConfigurationError):
    """The provider answered that the request itself is wrong, so that a retry cannot help."""


class ReplayError(ConfigurationError):
    """A recorded walk cannot be replayed: it is no record, or does not fit the question, index or documents."""


class NavigatorError(TocwalkError, RuntimeError):
    """A navigator ended without a decision.

    Attributes:
        reason: One word for the trace and for `failures`: `timeout`, `unavailable`, `invalid`,
            `refused`, or `failed`.
        retry_after: Seconds after which the provider said to try again; None where it said nothing.
        connection_lost: Whether there was no connection, or one that broke off: tried again once in a row, not more.
        usage: What a walk had used that ended with this error; None where it ended none.
    """

    def __init__(
        self,
        message: str,
        *,
        reason: str = "failed",
        retry_after: float | None = None,
        connection_lost: bool = False,
        usage: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.retry_after = retry_after
        self.connection_lost = connection_lost
        self.usage = usage


class DecisionError(TocwalkError, ValueError):
    """A decision in the state is not of the form of a decision."""


class IndexStoreError(TocwalkError, RuntimeError):
    """The index cannot do what was asked of it."""


class IndexVersionError(IndexStoreError):
    """The index was written by a newer version of tocwalk; it is left untouched."""


class ReadOnlyIndexError(IndexStoreError):
    """A write was asked of an index that cannot be written."""


class IndexBusyError(IndexStoreError):
    """Another process kept the index locked for longer than the time-out."""


class GenerationCollectedError(IndexStoreError):
    """The generation a walk has pinned was collected; what it saw is no longer there."""


class DocumentConflictError(IndexStoreError):
    """Another source is indexed under the same document or section id."""


class NotFoundError(TocwalkError, LookupError, ValueError):
    """No corpus, document or section has this id.

    A `ValueError` too: of others a LangGraph server tells its clients no message.

    Attributes:
        command: What somebody at a shell runs next, "" where there is nothing. Not in the message: callers of a server
            read that too.
    """

    def __init__(self, message: str, *, command: str = "") -> None:
        super().__init__(message)
        self.command = command


class HierarchyError(TocwalkError, ValueError):
    """The sections handed over do not form a tree."""


class IngestError(TocwalkError, ValueError):
    """A file cannot become a document.

    Attributes:
        reason: One word for reports: `not_found`, `not_a_file`, `unreadable`, `empty_file`,
            `unsupported`, `encrypted`, `no_text` (a scan), `too_large`, `parse_failed`, `time_limit`, `memory_limit`,
            `outside_roots` (a link that leads out); of what a server is sent also `bad_name`, `not_base64`, `hidden`.
    """

    def __init__(self, message: str, *, reason: str) -> None:
        super().__init__(message)
        self.reason = reason

    def __reduce__(self) -> tuple[object, ...]:
        """Keep the reason when the error crosses a process boundary."""
        return (_ingest_error, (str(self), self.reason))


def _ingest_error(message: str, reason: str) -> IngestError:
    return IngestError(message, reason=reason)

"""What a provider's exception means to a walk: set up wrongly, unavailable for now, or refused."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any

from tocwalk.errors import CredentialError, NavigatorError, ProviderConfigurationError, TocwalkError
from tocwalk.tree import one_line

__all__ = ["provider_error", "status_of"]

_TRY_AGAIN = (
    HTTPStatus.REQUEST_TIMEOUT,
    HTTPStatus.CONFLICT,
    HTTPStatus.TOO_EARLY,
    HTTPStatus.TOO_MANY_REQUESTS,
)
_DETAIL = 300  # characters of what the provider said

# Providers' packages have exceptions of their own for the same things; their names agree where their types do not.
_BY_NAME = {
    "refused": {"ContentFilterFinishReasonError", "ModelRefusalError"},
    "timeout": {"TimeoutError", "TimeoutException", "APITimeoutError", "ModelTimeoutError"},
    "unavailable": {"ConnectionError", "TransportError", "APIConnectionError", "ModelConnectionError"},
}


def provider_error(error: Exception, *, model: str, advice: str) -> TocwalkError:
    """Return what a provider's exception is to a walk; to be raised from it.

    Args:
        error: As the provider's package raised it.
        model: As it was asked for.
        advice: What a user sets where key, model or address are wrong, as a sentence.

    Returns:
        CredentialError for 401 and 403; ProviderConfigurationError for 400, 404 and other answers that a repetition
        cannot change; NavigatorError for all else: reason `unavailable` (429, 5xx, no connection), `timeout`,
        `refused` (a content filter), `invalid` (an answer that was cut off or is none), or `failed`.
    """
    status = status_of(error)
    said = one_line(str(error), _DETAIL) or type(error).__name__
    if status >= HTTPStatus.BAD_REQUEST and getattr(error, "code", None) != "content_filter":
        return _by_status(status, error, f"The provider of {model!r}", f"({status}: {said})", advice)
    reason = _reason(error, status)
    if reason == "invalid" and isinstance(error, AttributeError):
        said = "the server sent something else than a chat completion; look at its address"
    return NavigatorError(
        f"{model!r} gave no answer, {reason}: {type(error).__name__}: {said}",
        reason=reason,
        connection_lost=reason == "unavailable",
    )


def _reason(error: Exception, status: int) -> str:
    """Return the word for a failure that no HTTP status of its own says."""
    if status >= HTTPStatus.BAD_REQUEST:
        return "refused"  # by a content filter
    names = {kind.__name__ for kind in type(error).__mro__}
    for reason, known in _BY_NAME.items():
        if names & known:
            return reason
    return "invalid" if status else "failed"  # with a status there was an answer, but none that can be read


def _by_status(status: int, error: Exception, provider: str, said: str, advice: str) -> TocwalkError:
    """Return what an HTTP status means."""
    if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        return CredentialError(f"{provider} refused the credentials {said}. {advice}")
    if status in _TRY_AGAIN or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        seconds = _retry_after(error)
        wait = "" if seconds is None else f" and asked to wait {seconds:g} s"
        return NavigatorError(f"{provider} is unavailable{wait} {said}.", reason="unavailable", retry_after=seconds)
    return ProviderConfigurationError(f"{provider} rejects the request {said}. {advice}")


def status_of(error: Exception) -> int:
    """Return the HTTP status that an exception carries, 0 for none."""
    for holder in (error, getattr(error, "response", None)):
        status = getattr(holder, "status_code", None)
        if isinstance(status, int):
            return status
    return 0


def _retry_after(error: Exception) -> float | None:
    """Return the seconds to wait that the provider named in a header: a number, milliseconds, or a date (RFC 9110)."""
    headers: Mapping[str, Any] = getattr(getattr(error, "response", None), "headers", None) or {}
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            seconds = float(headers[name]) / unit
        except (KeyError, ValueError):
            continue
        return max(0.0, seconds) if math.isfinite(seconds) else None
    try:
        until = parsedate_to_datetime(str(headers["retry-after"]))
    except (KeyError, ValueError):
        return None
    return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds())

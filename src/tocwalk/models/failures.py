"""What a provider's exception means to a walk: set up wrongly, unavailable for now, or refused."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any

from tocwalk.errors import CredentialError, NavigatorError, ProviderConfigurationError, TocwalkError
from tocwalk.models.body_limit import BodyLimitError
from tocwalk.models.encodable import encodable
from tocwalk.models.replies import as_object
from tocwalk.tree import one_line

__all__ = ["provider_error", "status_of", "told_by"]

_TRY_AGAIN = (
    HTTPStatus.REQUEST_TIMEOUT,
    HTTPStatus.CONFLICT,
    HTTPStatus.TOO_EARLY,
    HTTPStatus.TOO_MANY_REQUESTS,
)
_LOOKED_AT = 2000
_DETAIL = 300  # characters of what the provider said
_SHOWN = 200  # characters of what a package said of an answer

# Providers' packages have exceptions of their own for the same things; their names agree where their types do not.
_BY_NAME = {
    "refused": {"ContentFilterFinishReasonError", "ModelRefusalError"},
    "timeout": {"TimeoutError", "TimeoutException", "APITimeoutError", "ModelTimeoutError"},
    "unavailable": {"ConnectionError", "TransportError", "APIConnectionError", "ModelConnectionError"},
    # An error that a stream reports, and what comes of values that are not of the types a package reads.
    "invalid": {"APIError", "ValueError", "TypeError", "LookupError", "AttributeError", "RecursionError"},
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
        `refused` (a content filter), `invalid` (the package cannot read what came), or `failed`.
    """
    status = status_of(error)
    said = one_line(told_by(error), _DETAIL) or type(error).__name__
    if status >= HTTPStatus.MULTIPLE_CHOICES and getattr(error, "code", None) != "content_filter":
        return _by_status(status, error, f"The provider of {model!r}", f"({status}: {said})", advice)
    reason = _reason(error, status)
    if reason == "invalid":
        said = f"{_unreadable(error)} {advice}"
    elif reason == "unavailable":
        said = f"{type(error).__name__}: {_innermost(error)} {advice}"
    else:
        said = f"{type(error).__name__}: {said}"
    return NavigatorError(
        f"{model!r} gave no answer, {reason}: {said}", reason=reason, connection_lost=reason == "unavailable"
    )


def _unreadable(error: Exception) -> str:
    """Return what is wrong with an answer that came, as a sentence."""
    too_large = next((one for one in _causes(error) if isinstance(one, BodyLimitError)), None)
    if too_large is not None:
        return f"{too_large}."
    return f"the server sent no chat completion, or none that is whole ({one_line(repr(error), _SHOWN)})."


def _innermost(error: Exception) -> str:
    """Return what an exception was raised from in the first place, as a sentence: the last is mere "no connection"."""
    said = next(
        (said for one in reversed([*_causes(error)]) if (said := one_line(encodable(str(one)), _DETAIL))),
        "no more is known",
    )
    return f"{said.rstrip('.')}."


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an exception, what it was raised from, and so on."""
    while error is not None:
        yield error
        error = error.__cause__


def _reason(error: Exception, status: int) -> str:
    """Return the word for a failure that no HTTP status of its own says."""
    if status >= HTTPStatus.BAD_REQUEST:
        return "refused"  # by a content filter
    if any(isinstance(one, BodyLimitError) for one in _causes(error)):
        return "invalid"
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
        wait = f" and asked to wait {seconds:g} s" if seconds else ""
        told = f"{provider} is unavailable{wait} {said}. Ask again later."
        return NavigatorError(told, reason="unavailable", retry_after=seconds)
    if status < HTTPStatus.BAD_REQUEST:
        where = one_line(_headers(error).get("location", "?"), _DETAIL)
        return ProviderConfigurationError(f"{provider} sends on to {where!r} ({status}), where nobody asks. {advice}")
    return ProviderConfigurationError(f"{provider} rejects the request {said}. {advice}")


def status_of(error: Exception) -> int:
    """Return the HTTP status that an exception carries, 0 for none."""
    for holder in (error, getattr(error, "response", None)):
        status = getattr(holder, "status_code", None)
        if isinstance(status, int):
            return status
    return 0


def told_by(error: Exception) -> str:
    """Return what a provider says is wrong, the first 2000 characters: it may have said megabytes.

    `openai` leaves out of its message what servers say elsewhere than OpenAI does: `{"detail": …}`, or plain text.
    """
    body: object = getattr(error, "body", None)
    said = str(error)
    told = (as_object(body) or {}).get("message", body)
    if told and str(told) not in said:
        said = f"{said} - {told}"
    return encodable(said[:_LOOKED_AT])


def _retry_after(error: Exception) -> float | None:
    """Return the seconds to wait that the provider named in a header: a number, milliseconds, or a date (RFC 9110)."""
    headers = _headers(error)
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            seconds = float(headers[name]) / unit
        except (KeyError, ValueError):
            continue
        return max(0.0, seconds) if math.isfinite(seconds) else None
    try:
        until = parsedate_to_datetime(str(headers["retry-after"]))
    except (KeyError, ValueError, OverflowError):  # of a year or an offset that no date has
        return None
    return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds())


def _headers(error: Exception) -> Mapping[str, Any]:
    return getattr(getattr(error, "response", None), "headers", None) or {}

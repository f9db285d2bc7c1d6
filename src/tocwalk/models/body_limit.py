"""How much of a server's answer is taken in, so that none can fill the memory."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

__all__ = ["LARGEST_BODY", "UNPACKED", "BodyLimitError", "limit_body"]

LARGEST_BODY = 16 * 2**20
"""Bytes of an answer: the longest that is read, streamed in many small pieces, takes a third of it."""

UNPACKED = {"Accept-Encoding": "identity"}
"""Headers of a request for an answer that is not compressed: how large it gets is seen as it comes."""

# What is compressed though nobody asked for it: gzip makes 64 KiB of 67 MB at most. Other encodings know no such bound.
_LARGEST = {"": LARGEST_BODY, "identity": LARGEST_BODY, "gzip": 2**16, "deflate": 2**16}


class BodyLimitError(Exception):
    """An answer is larger than any that is wanted."""


async def limit_body(response: Any) -> None:
    """Have the body of a response end with `BodyLimitError` where it gets too large.

    Args:
        response: An event hook's, of httpx or of httpx2: it depends on the version of `openai` which is used.

    Raises:
        BodyLimitError: Its body is compressed in a way that knows no bound.
    """
    encoding = response.headers.get("content-encoding", "").strip().lower()
    if encoding not in _LARGEST:
        await response.aclose()
        raise BodyLimitError(f"the answer is compressed ({encoding[:40]!r}), which nobody asked for")
    response.stream = _limited(response.stream, _LARGEST[encoding])


def _limited(stream: Any, most: int) -> Any:
    kind: Any = next(kind for kind in type(stream).__mro__ if kind.__name__ == "AsyncByteStream")

    class Limited(kind):  # type: ignore[misc]
        async def __aiter__(self) -> AsyncIterator[bytes]:
            left = most
            async for part in stream:
                left -= len(part)
                if left < 0:
                    raise BodyLimitError(f"the answer is larger than {most} bytes")
                yield part

        async def aclose(self) -> None:
            await stream.aclose()

    return Limited()

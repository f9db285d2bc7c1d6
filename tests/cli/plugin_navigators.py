"""Navigators of a small distribution that tests install: each behaves in one way that a real one may."""

from __future__ import annotations

import asyncio
import sys
import threading

from tocwalk import Decision, NavigatorRequest, Pick
from tocwalk.errors import NavigatorError
from tocwalk.navigators.protocol import Usage

__all__ = ["Behaving"]


class Behaving:
    """Opens whatever has something below it, takes the first of what has not; `test:MODE` says what else."""

    examples = ("test:plain",)
    needs = "nothing but a test"

    def supports(self, model: str) -> bool:
        """All models of the provider `test`."""
        return model.startswith("test:")

    async def decide(self, request: NavigatorRequest) -> Decision:
        """Decide, after misbehaving at the handbook for trams."""
        mode = request.model.partition(":")[2]
        if "Tram" in request.current.title:
            await _misbehave(mode)
        inner = [c for c in request.candidates if c.has_children or not c.takeable]
        picks = [Pick(ref=c.ref, action="open") for c in inner] or [Pick(ref=request.candidates[0].ref, action="take")]
        if mode == "unknown":
            picks = [Pick(ref="no such ref", action="take")]
        usage = Usage(calls=1, input_tokens=1200, output_tokens=30, cached_tokens=200)
        return Decision(action="pick", picks=tuple(picks), reasoning="It \x1b[31mseems\x1b[0m right.", usage=usage)


async def _misbehave(mode: str) -> None:
    if mode == "fail":
        raise NavigatorError("the provider is on holiday", reason="refused")
    if mode in ("wait", "block"):
        sys.stderr.write("waiting\n")
        sys.stderr.flush()
    if mode == "wait":
        await asyncio.Event().wait()
    if mode == "block":
        threading.Event().wait()

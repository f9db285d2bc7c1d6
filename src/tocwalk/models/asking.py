"""Asking a chat model: one prompt, one reply, asked once more where the reply cannot be read."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.runnables import RunnableConfig
from langgraph.constants import TAG_NOSTREAM

from tocwalk.errors import NavigatorError, TocwalkError
from tocwalk.models.cancellation import CallCancelled, Cancellation
from tocwalk.models.encodable import encodable
from tocwalk.models.failures import provider_error
from tocwalk.models.forms import Asked, Form, in_form
from tocwalk.models.limits import in_flight
from tocwalk.models.model import ChatModel
from tocwalk.models.replies import UnreadableReplyError
from tocwalk.models.retrying import within
from tocwalk.models.usage import Ledger, Usage, usage_of, usage_of_aborted
from tocwalk.tree import clip, one_line, tokens_of_bytes

__all__ = ["Prompt", "Reply", "ask", "converse"]

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

_SHOWN_AGAIN = 2000  # characters of a reply that could not be read


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt(Generic[T_co]):
    """What a model is asked, and how its reply is read."""

    name: str
    """Names the schema in the request and the step in traces: letters, digits, "_" and "-", at most 64."""
    version: str
    instructions: str
    """The system message. What is the same for many calls comes first, so that providers' prompt caches serve it."""
    shown: str
    """The user's message."""
    schema: Mapping[str, Any]
    """JSON schema of the object asked for: `replies.object_schema`. The prompt's own text has to state the form too."""
    read: Callable[[str], T_co]
    """Returns what a reply says; raises `replies.UnreadableReplyError`. `replies.object_reader` makes one."""
    reminder: str = ""
    """A sentence for the second asking, after what is said there anyway."""
    streamed: bool = False
    """Whether its tokens are part of a graph's messages stream."""

    @property
    def tokens(self) -> int:
        """About how many tokens the model reads when it is asked first."""
        return tokens_of_bytes(sum(len(encodable(part).encode()) for part in (self.instructions, self.shown)))


@dataclass(frozen=True, slots=True)
class Reply(Generic[T_co]):
    """What the model said, and what it has used."""

    value: T_co
    usage: Usage
    """Of all calls, those that failed included."""


async def ask(
    model: ChatModel,
    prompt: Prompt[T],
    *,
    timeout_s: float,
    timeout_name: str = "timeout_s",
    cancellation: Cancellation | None = None,
    ledger: Ledger | None = None,
) -> Reply[T]:
    """Ask a model within a time: again while it is unavailable, and once more if its reply cannot be read.

    Args:
        model: From `resolving.chat_model`, or `model.handed_over`.
        prompt: What is asked.
        timeout_s: Seconds of wall clock for all of it: waiting for a turn, calls, pauses, retries.
        timeout_name: The setting that a user changes for more time.
        cancellation: Ends the call in flight within a fraction of a second, from any thread.
        ledger: Gets what every call has used, at once; what it holds is kept where an error is raised.

    Raises:
        CallCancelled: `cancellation` was cancelled first.
        NavigatorError: Reason `timeout`; `invalid` after two unreadable replies; `refused`; `unavailable`; `failed`.
        ConfigurationError: The provider refuses the key or the request.
    """
    token, spent = cancellation or Cancellation(), ledger or Ledger()
    return await within(
        lambda: converse(model, prompt, cancellation=token, ledger=spent),
        timeout_s=timeout_s,
        cancellation=token,
        late=f"{model.name!r} gave no answer to {prompt.name!r} within {timeout_s:g} s (`{timeout_name}`): ask again,"
        " or allow more time.",
    )


async def converse(model: ChatModel, prompt: Prompt[T], *, cancellation: Cancellation, ledger: Ledger) -> Reply[T]:
    """Ask a model, a second time and more strictly if its first reply cannot be read. `ask` without its time.

    For callers that keep time and retries themselves. The cancellation is looked at before each call.

    Raises:
        CallCancelled: `cancellation` was cancelled before a call.
        NavigatorError: As `ask`, without `timeout` of its own; nothing is tried again.
        ConfigurationError: The provider refuses the key or the request.
    """
    messages: list[BaseMessage] = [SystemMessage(encodable(prompt.instructions)), HumanMessage(encodable(prompt.shown))]
    fault = ""
    for asked_again in (False, True):
        if cancellation.cancelled:
            raise CallCancelled
        text = ""
        try:
            text = await _said(model, prompt, messages, ledger)
            return Reply(prompt.read(text), ledger.total)
        except UnreadableReplyError as error:
            fault = str(error)
        except NavigatorError as error:
            if error.reason != "invalid" or asked_again:
                raise
            fault = "it broke off, or was none"
        if not asked_again:
            messages += [
                AIMessage(encodable(clip(text, _SHOWN_AGAIN)) or "(nothing)"),
                HumanMessage(_again(fault, prompt.reminder)),
            ]
    raise NavigatorError(
        f"Twice no answer of {model.name!r} to {prompt.name!r} could be read: {fault}. Ask again, or another model.",
        reason="invalid",
    )


async def _said(model: ChatModel, prompt: Prompt[T], messages: Sequence[BaseMessage], ledger: Ledger) -> str:
    """Return what the model says to one request; made anew in another manner where the server takes none like it."""
    manner = model.known.manner
    while True:
        # What is streamed must be text: a function's arguments are no part of the messages stream.
        form: Form = "text" if prompt.streamed and manner.forms[0] == "tool" else manner.forms[0]
        parameters = manner.parameters
        asked = in_form(await model.made(parameters), form, name=prompt.name, schema=prompt.schema)
        if asked is None:
            manner.steps_down(form)
            continue
        try:
            return await _called(asked, model, prompt, messages, ledger)
        except TocwalkError as error:
            if not manner.learns(error.__cause__, form=form, parameters=parameters):
                raise


async def _called(
    asked: Asked, model: ChatModel, prompt: Prompt[T], messages: Sequence[BaseMessage], ledger: Ledger
) -> str:
    """Call the model once.

    Raises:
        TocwalkError: What the provider's exception means; or the model refused.
    """
    config = RunnableConfig(
        run_name=prompt.name,
        tags=["tocwalk"] if prompt.streamed else ["tocwalk", TAG_NOSTREAM],
        metadata={"step": prompt.name, "prompt_version": prompt.version},
    )
    operator = model.operator
    most = operator.calls_in_flight
    async with in_flight(model.known.lane, of_model=operator.calls_per_model or most, in_all=most):
        try:
            answer = await model.invoke(asked, list(messages), config)
            text = _written(answer)
        except asyncio.CancelledError:
            ledger.note(usage_of_aborted(messages))
            raise
        except Exception as error:
            ledger.note(Usage(calls=1))
            raise provider_error(error, model=model.name, advice=model.advice) from error
    ledger.note(usage_of(answer, messages, text))
    refusal = answer.additional_kwargs.get("refusal")
    finish = answer.response_metadata.get("finish_reason") or answer.response_metadata.get("stop_reason")
    if refusal or finish in ("content_filter", "refusal"):
        told = one_line(encodable(str(refusal or finish)), 200)
        raise NavigatorError(
            f"{model.name!r} refused to answer: {told.rstrip('.')}. Ask another model, or in other words.",
            reason="refused",
        )
    return text


def _written(answer: AIMessage) -> str:
    """Return the arguments of the function that the model called, as it wrote them; else the text it wrote.

    Raises:
        TypeError: It speaks in another role than a model's, which packages pass on as the server has it.
    """
    if not isinstance(answer, AIMessage):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"a message of the role {answer.type!r}")
    raw: Sequence[Mapping[str, Any]] = answer.additional_kwargs.get("tool_calls") or ()
    written = [str(call["function"]["arguments"]) for call in raw if "function" in call]
    if not written:
        written = [json.dumps(call["args"]) for call in answer.tool_calls]
        written += [str(call["args"]) for call in answer.invalid_tool_calls]
    return written[-1] if written else str(answer.text)


def _again(fault: str, reminder: str) -> str:
    return (
        f"Your answer could not be used: {fault}. Answer again, with one JSON object of the form asked for and nothing"
        f" else: no other text, no code fence. {reminder}"
    ).rstrip()

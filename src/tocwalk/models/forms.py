"""How a model is made to answer with JSON: the first of three forms that its server takes.

- `schema`: the JSON schema as `response_format`, in OpenAI's form: for models of `langchain-openai` alone;
- `tool`: the schema as the parameters of a function that the model has to call;
- `text`: the prompt alone says what is wanted.

Whatever the form, the reply is read with the same tolerance: no server's word that a schema is kept is trusted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from http import HTTPStatus
from typing import Any, Literal, TypeAlias

from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage
from langchain_core.runnables import Runnable

from tocwalk.models.failures import status_of, told_by

__all__ = ["Asked", "Form", "Manner", "Parameters", "in_form"]

Form: TypeAlias = Literal["schema", "tool", "text"]

Asked: TypeAlias = Runnable[LanguageModelInput, AIMessage]
"""A chat model, or one with parameters bound to it."""

_REFUSED = (HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.NOT_IMPLEMENTED)
_NAMES: Mapping[Form, re.Pattern[str]] = {
    "schema": re.compile(r"response_format|json.?schema|structured.?output|grammar|guided|enum", re.IGNORECASE),
    "tool": re.compile(r"tool|function", re.IGNORECASE),
}
"""What a server says that takes no such form."""
_PARAMETERS: Mapping[str, re.Pattern[str]] = {
    "temperature": re.compile("temperature", re.IGNORECASE),
    "max_tokens": re.compile(r"max\w*.?tokens|output tokens|context.?(length|window|size)", re.IGNORECASE),
}
"""What a server says that takes no such parameter; of the second, or none this large beside the prompt."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """What every call of a model is given beside the prompt; None: what the model has by itself."""

    temperature: float | None = 0.0
    """0: the same question, the same answer."""
    max_tokens: int | None = 16_384
    """Tokens that it may write, those of reasoning included: what ends a model that goes on and on."""

    def given(self) -> dict[str, Any]:
        """Return those that are not the model's own, by the names that LangChain has for them."""
        return {name: value for name, value in asdict(self).items() if value is not None}


class Manner:
    """How a model is asked, as it was found out: kept for as long as the process lasts.

    Attributes:
        forms: What is left to try, the one in use first.
        parameters: Those that it has not refused.
    """

    def __init__(self, forms: Sequence[Form]) -> None:
        self.forms: tuple[Form, ...] = tuple(forms)
        self.parameters = Parameters()

    def learns(self, error: BaseException | None, *, form: Form, parameters: Parameters) -> bool:
        """Take note of why a call failed; whether it can be made in another manner.

        Args:
            error: As the provider's package raised it.
            form: The form that the call had.
            parameters: Those that it was given.
        """
        if not isinstance(error, Exception) or status_of(error) not in _REFUSED:
            return False
        said = f"{str(getattr(error, 'param', None) or '')[:100]} {told_by(error)}"
        for name, refused in _PARAMETERS.items():
            if getattr(parameters, name) is not None and refused.search(said):
                self.parameters = replace(self.parameters, **{name: None})
                return True
        if form in _NAMES and _NAMES[form].search(said):
            return self.steps_down(form)
        return False

    def steps_down(self, form: Form) -> bool:
        """Give up a form; whether there is another."""
        if form not in self.forms:
            return True  # another call that was under way has given it up
        if len(self.forms) == 1:
            return False
        self.forms = tuple(one for one in self.forms if one != form)
        return True


def in_form(chat: BaseChatModel, form: Form, *, name: str, schema: Mapping[str, Any]) -> Asked | None:
    """Return the model with a form bound to it; None where LangChain cannot put it into this form.

    Args:
        chat: The model.
        form: One of three.
        name: Of the schema or the function.
        schema: Of the object that is asked for.
    """
    if form == "schema":
        asked = {"name": name, "strict": True, "schema": schema}
        # Under its own name `openai` would read the reply too, and more strictly than we do.
        return chat.bind(extra_body={"response_format": {"type": "json_schema", "json_schema": asked}})
    if form == "text":
        return chat
    function = {"name": name, "description": "Say your answer.", "parameters": schema}
    try:
        return chat.bind_tools([{"type": "function", "function": function}], tool_choice=name)
    except (NotImplementedError, TypeError, ValueError):  # it has no tools, or none that it can be made to call
        return None

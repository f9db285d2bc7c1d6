"""What a run of the answer graph is given: questions, chats and scope of every shape."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from lease_graph import graph_of, script

from tocwalk.errors import ConfigurationError, InputError, NavigatorResolutionError, NotFoundError, SettingsError
from tocwalk.graph import build_answer_graph
from tocwalk.index import TreeIndex

ASKED = HumanMessage("When is rent due?")
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
CALL = AIMessage("", tool_calls=[{"name": "search", "args": {"q": "rent"}, "id": "1"}])


@pytest.mark.parametrize(
    "messages",
    [
        [ASKED],
        ["When is rent due?"],
        [("human", "When is rent due?")],
        [{"role": "user", "content": "When is rent due?"}],
        [{"role": "user", "content": [{"type": "text", "text": "When is "}, {"type": "text", "text": "rent due?"}]}],
        [{"role": "user", "content": [IMAGE, {"type": "text", "text": "When is rent due?"}]}],
        [SystemMessage("Be kind."), ASKED],
        [HumanMessage("Search."), CALL, ToolMessage("nothing", tool_call_id="1"), ASKED],
        [HumanMessage([IMAGE]), AIMessage("A picture."), ASKED],
        [*[HumanMessage(f"{i}") for i in range(100)], ASKED],
        [AIMessage("x" * 200_000), ASKED],
        "When is rent due?",
    ],
)
def test_a_chat_may_hold_anything_before_its_question(library: TreeIndex, messages: Any) -> None:
    """Parts, pictures, tools and long histories are no hindrance: the text of the last message is the question."""
    chat = script()
    output = graph_of(library, chat).invoke({"messages": messages})
    assert output["answered"] is True
    assert chat.shown[0][1].endswith("Question: When is rent due?")
    assert len(chat.shown[0][1]) < 90_000
    assert output["messages"][-1].type == "ai"


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        ([], "no message"),
        ([SystemMessage("When is rent due?")], "system"),
        ([ASKED, AIMessage("On the first.")], "ai"),
        ([HumanMessage("Search."), CALL, ToolMessage("When is rent due?", tool_call_id="1")], "tool"),
        ([HumanMessage([IMAGE])], "blank"),
        ([HumanMessage("")], "blank"),
    ],
)
def test_a_chat_without_a_question_is_refused(library: TreeIndex, messages: Any, said: str) -> None:
    """A chat that does not end with a person's words is no question, and the error says what it ends with."""
    chat = script()
    with pytest.raises(InputError, match=said):
        graph_of(library, chat).invoke({"messages": messages})
    assert chat.shown == []


@pytest.mark.parametrize(
    ("given", "context", "error", "said"),
    [
        ({"question": "rent? " * 20_000}, {}, InputError, "20000 are the most"),
        ({"messages": [HumanMessage("rent? " * 20_000)]}, {}, InputError, "20000 are the most"),
        ({"filters": {f"k{i}": 1 for i in range(100)}}, {}, InputError, "100 filters"),
        ({"filters": {"k": float("nan")}}, {}, InputError, "nan"),
        ({"only_documents": "lease"}, {}, InputError, "only_documents"),
        ({"corpus": None}, {}, InputError, "corpus"),
        ({"visits": "3"}, {}, InputError, "visits"),
        ({"corpus": "nowhere"}, {}, NotFoundError, "nowhere"),
        ({}, {"navigator_model": "nobody:knows"}, NavigatorResolutionError, "nobody:knows"),
        ({}, {"navigator_model": " "}, ConfigurationError, "navigator"),
        ({}, {"step": True}, SettingsError, "thread"),
        ({}, {"max_rounds": 0}, SettingsError, "max_rounds"),
        ({}, {"evidence_tokens": "many"}, SettingsError, "evidence_tokens"),
        ({}, {"nonsense": 1}, SettingsError, "nonsense"),
    ],
)
def test_what_cannot_be_answered_costs_nothing(
    library: TreeIndex, given: dict[str, Any], context: dict[str, Any], error: type[Exception], said: str
) -> None:
    """Whatever planning, walks or settings would refuse is refused before any model is asked, naming what is wrong."""
    chat = script()
    graph = build_answer_graph(index=library, model=chat)
    asked = {} if "messages" in given else {"question": "When is rent due?"}
    with pytest.raises(error, match=said):
        graph.invoke({**asked, **given}, context=context)
    assert chat.shown == []


def test_where_no_document_is_in_scope_nobody_is_asked(library: TreeIndex) -> None:
    """A scope that holds nothing is a result, not an error, and costs nothing."""
    chat = script()
    output = graph_of(library, chat).invoke({"question": "When?", "only_documents": ["nothing"]})
    assert output["answer"] == "The documents do not answer this. No section on it was found."
    assert chat.shown == []


def test_an_error_does_not_print_the_question(library: TreeIndex) -> None:
    """A question that is too long is counted, not repeated."""
    with pytest.raises(InputError) as raised:
        graph_of(library, script()).invoke({"question": "rent? " * 20_000})
    assert len(str(raised.value)) < 200


def test_characters_that_are_none_do_no_harm(library: TreeIndex) -> None:
    """A question with half a character in it is asked, and its state can be kept."""
    graph = graph_of(library, script(), checkpointer=InMemorySaver())
    output = graph.invoke({"question": "When is \ud800 rent due?"}, {"configurable": {"thread_id": "1"}})
    assert output["answered"] is True


def test_a_thread_goes_on_after_a_refused_question(library: TreeIndex) -> None:
    """What was refused leaves nothing behind that the next run of the thread would trip over."""
    graph = graph_of(library, script(), checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "1"}}
    with pytest.raises(InputError):
        graph.invoke({"messages": [SystemMessage("Be kind.")]}, thread)
    output = graph.invoke({"messages": [ASKED]}, thread)
    assert output["answered"] is True
    assert [message.type for message in output["messages"]] == ["system", "human", "ai"]

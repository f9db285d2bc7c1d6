"""The answer graph, with a scripted model and walks that take the sections a question names."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from blockbuster import blockbuster_ctx
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.types import Command
from lease_graph import MONTHLY, RENT, graph_of, script, take_named
from scripted_chat import draft, enough, plan_for, section, verdict

from tocwalk import Cancellation, Decision, NavigatorRequest, Pick
from tocwalk.errors import InputError, NavigatorError, NotFoundError, SettingsError
from tocwalk.graph import build_answer_graph
from tocwalk.index import TreeIndex
from tocwalk.ingest.extracted import Extracted, Heading, PageStart
from tocwalk.ingest.structure import build_document
from tocwalk.state.operator import OperatorSettings
from tocwalk.testing import FunctionNavigator


def test_an_answer_cites_what_proves_it(library: TreeIndex) -> None:
    """Each statement has a marker, and its citation names document, section and pages and has the section's words."""
    output = graph_of(library, script()).invoke({"question": "When is rent due?"})
    assert output["answer"] == "Rent is due monthly. [1]"
    assert output["answered"] is True
    assert output["citations"] == [
        {
            "marker": 1,
            "document": "lease",
            "document_title": "Lease",
            "section": "lease/2",
            "number": "2",
            "title": "Rent",
            "page_start": 3,
            "page_end": 4,
            "label_start": None,
            "label_end": None,
            "quote": "Rent is due monthly, on the first work-\ning day",
        }
    ]
    assert [section["id"] for section in output["sections"]] == ["lease/2"]
    assert output["dropped"] == []
    assert [entry["event"] for entry in output["trace"]] == ["plan", "walk", "judge", "write", "check"]


async def test_asynchronous_runs_give_the_same_and_block_nothing(library: TreeIndex) -> None:
    """`ainvoke` returns what `invoke` returns, and never blocks the loop."""
    graph = graph_of(library, script())
    with blockbuster_ctx():
        output = await graph.ainvoke({"question": "When is rent due?"})
    assert output == await asyncio.to_thread(graph.invoke, {"question": "When is rent due?"})
    assert output == graph.invoke({"question": "When is rent due?"})  # inside a running loop


def test_a_quote_that_is_not_there_is_written_again(library: TreeIndex) -> None:
    """Only the statement without proof goes back, with what is wrong; its second version counts."""
    good, bad = ("Rent is monthly.", "S1", RENT), ("The first floor costs 900.", "S1", "First | 900")
    again = {
        "statements": [
            {"number": 1, "text": "The first floor costs 950.", "quotes": [{"ref": "S1", "quote": "| First | 950 |"}]}
        ]
    }
    chat = script(write=draft(good, bad), rewrite=again)
    output = graph_of(library, chat).invoke({"question": "When is rent due?"})
    assert output["answer"] == "Rent is monthly. [1] The first floor costs 950. [2]"
    assert output["citations"][1]["quote"] == "| First | 950 |"
    assert output["dropped"] == []
    shown = chat.shown[-1][1]
    assert "The first floor costs 900." in shown
    assert "1. Rent is monthly." not in shown
    assert "fewer than 5 words" in shown


def test_a_quote_that_is_still_not_there_is_dropped_and_reported(library: TreeIndex) -> None:
    """After one second try a statement is left out of the answer and listed with its problem."""
    bad = ("Rent is due weekly.", "S1", "Rent is due weekly, on the first working day")
    again = {"statements": [{"number": 1, "text": "Weekly!", "quotes": [{"ref": "S9", "quote": RENT}]}]}
    chat = script(write=draft(("Rent is due monthly.", "S1", RENT), bad), rewrite=again)
    output = graph_of(library, chat).invoke({"question": "When is rent due?"})
    assert output["answer"] == "Rent is due monthly. [1]"
    assert [(one["text"], one["problem"]) for one in output["dropped"]] == [("Weekly!", "there is no passage 'S9'")]
    assert chat.steps.count("rewrite") == 1


def test_a_statement_without_a_quote_is_no_statement(library: TreeIndex) -> None:
    """With nothing proved the answer is that the documents do not answer."""
    bare = {"answered": True, "statements": [{"text": "Rent is due monthly.", "quotes": []}], "missing": ""}
    output = graph_of(library, script(write=bare)).invoke({"question": "When?"})
    assert output["answered"] is False
    assert output["answer"] == "The documents do not answer this. Looked at: Lease > 2 Rent."
    assert output["dropped"][0]["problem"] == "it has no quote"


def test_a_quote_must_stand_in_the_section_it_names(library: TreeIndex) -> None:
    """What stands in a neighbouring section, or below, is no proof of the one that is cited."""
    inside = "inner walls at the tenant's own cost"
    chat = script(plan=plan_for("repairs"), write=draft(("The tenant pays.", "S1", inside)))
    assert graph_of(library, chat).invoke({"question": "Who repairs?"})["answered"] is False
    chat = script(plan=plan_for("repairs"), write=draft(("The tenant pays.", "S3", inside)))
    (citation,) = graph_of(library, chat).invoke({"question": "Who repairs?"})["citations"]
    assert (citation["section"], citation["page_start"], citation["page_end"]) == ("lease/3/2", 6, 7)
    assert citation["quote"] == "inner walls at the tenant’s own cost"


def test_the_own_text_of_a_parent_ends_where_its_first_part_begins(library: TreeIndex) -> None:
    """A quote from a parent's own text is on the parent's own pages, not on those of all that is below it."""
    chat = script(
        plan=plan_for("lease"), write=draft(("It is a lease.", "S1", "This lease is made between the parties"))
    )

    def stop(_: NavigatorRequest) -> Decision:
        return Decision(action="stop")

    (citation,) = graph_of(library, chat, stop).invoke({"question": "What is it?"})["citations"]
    assert (citation["section"], citation["page_start"], citation["page_end"]) == ("lease", 1, 1)


def test_a_quote_is_cited_with_its_own_page(library: TreeIndex) -> None:
    """In a section that runs over several pages the citation names that of the quote, with its printed label."""
    pages = ["Terms\n\n1. Payment\n\n", "Rent is due on the first day.\n\n", "Interest is due after that day.\n"]
    text = "".join(pages)
    starts = [PageStart(offset=len("".join(pages[:i])), number=i + 1, label=f"A{i + 1}") for i in range(3)]
    heading = Heading(start=len("Terms\n\n"), end=len(pages[0]), level=1, title="Payment", number="1")
    extracted = Extracted(text=text, headings=(heading,), media_type="text/plain", title="Terms", pages=tuple(starts))
    library.put(build_document(extracted, document_id="terms", source="terms", sha256="0"), corpus="terms")
    quotes = ("Rent is due on the first day", "Interest is due after that day", "first day. Interest is due after")
    chat = script(plan=plan_for("payment"), write=draft(*((f"{i}.", "S1", quote) for i, quote in enumerate(quotes))))
    citations = graph_of(library, chat).invoke({"question": "?", "corpus": "terms"})["citations"]
    assert [(c["page_start"], c["page_end"], c["label_start"], c["label_end"]) for c in citations] == [
        (2, 2, "A2", "A2"),
        (3, 3, "A3", "A3"),
        (2, 3, "A2", "A3"),
    ]


def test_a_question_is_split_and_its_parts_share_the_visits(library: TreeIndex) -> None:
    """Each part is walked for by itself; together they have no more visits than the run."""
    both = draft(("Monthly.", "S1", RENT), ("The landlord.", "S3", "The landlord repairs roof and outer walls"))
    chat = script(plan=plan_for("rent", "repairs", "parties"), write=both)
    asked: list[int] = []

    def navigate(request: NavigatorRequest) -> Decision:
        asked.append(request.remaining_visits)
        return take_named(request)

    output = graph_of(library, chat, navigate).invoke({"question": "Rent and repairs?", "visits": 8})
    assert sorted(asked) == [1, 2, 2]  # 8 is 3 and 3 and 2, of which each walk has spent one
    assert (output["usage"]["visits"], output["remaining_visits"]) == (3, 5)
    assert {section["id"] for section in output["sections"]} == {"lease/1", "lease/2", "lease/3"}


@pytest.mark.parametrize("visits", [0, 1, 2, 3, 5])
def test_the_budget_is_never_exceeded(library: TreeIndex, visits: int) -> None:
    """However often is asked again, all walks together open no more than the visits of the run."""

    def open_all(request: NavigatorRequest) -> Decision:
        picks = [Pick(ref=c.ref) for c in request.candidates if c.has_children]
        return Decision(action="pick", picks=tuple(picks)) if picks else Decision(action="reject")

    chat = script(plan=plan_for("a", "b"), judge=[verdict("c", "d", "e"), verdict("f"), verdict("g")], write=draft())
    context = {"offer_levels": 1, "max_rounds": 5}
    output = graph_of(library, chat, open_all).invoke({"question": "?", "visits": visits}, context=context)
    assert output["usage"]["visits"] <= visits
    assert output["usage"]["visits"] + output["remaining_visits"] == visits


def test_documents_are_chosen_by_the_plan(library: TreeIndex) -> None:
    """Where several documents are in scope the plan sees them and says where each question is looked for."""
    library.add_langchain([document(f"other-{i}", f"Other {i}") for i in (1, 2)], corpus="three")
    library.add_langchain([document("lawn", "Lawn")], corpus="three")
    chat = script(plan=plan_for("lawn", q1=["D1"]), write=draft(("Short.", "S1", "The text of Lawn is short")))
    output = graph_of(library, chat).invoke({"question": "?", "corpus": "three"})
    assert "[D1] Lawn (lawn)" in chat.shown[0][1]
    assert [section["document"] for section in output["sections"]] == ["lawn"]


def document(id_: str, title: str) -> Any:
    """Return a document of one section."""
    from langchain_core.documents import Document

    text = f"The text of {title} is short."
    return Document(text, metadata={"id": id_, "title": title, "source": "tests"})


def test_a_cross_reference_is_followed_without_a_visit(library: TreeIndex) -> None:
    """A "see Note 12" is offered to the judge with where it leads; followed, its section can be cited."""
    rate = ("At eight per cent.", "S2", "Interest on late rent runs at eight per cent")
    chat = script(judge=[verdict(follow=["R1"]), enough], write=draft(rate))
    output = graph_of(library, chat).invoke({"question": "What interest does late rent bear?"})
    assert 'S1 says "' in chat.shown[1][1]
    assert "section Note 12 Interest" in chat.shown[1][1]
    assert output["citations"][0]["section"] == "lease/12"
    assert [(s["id"], s["stop_reason"]) for s in output["sections"]] == [
        ("lease/2", "LEAF"),
        ("lease/12", "CROSS_REFERENCE"),
    ]
    assert output["usage"]["visits"] == 1
    assert [entry["event"] for entry in output["trace"]].count("reference") == 1


def test_sections_that_contradict_each_other_are_both_cited(library: TreeIndex) -> None:
    """What the judge says of a conflict reaches the writer, and each side is proved by its own section."""
    library.add_langchain(
        [
            section("old", "Old rent", "Old rent\nThe rent of the mill is 900 a month.\n"),
            section("new", "New rent", "New rent\nThe rent of the mill is 950 a month.\n"),
        ],
        corpus="conflict",
    )
    sides = [("It is 950.", "S1", "The rent of the mill is 950"), ("It was 900.", "S2", "The rent of the mill is 900")]
    advice = "S1 and S2 name different sums."
    chat = script(judge={**enough, "advice": advice}, write=lambda _: draft(*sides, (sides[0][0], "S2", sides[0][2])))

    def both(request: NavigatorRequest) -> Decision:
        return Decision(action="pick", picks=tuple(Pick(ref=c.ref, action="take") for c in request.candidates))

    output = graph_of(library, chat, both).invoke({"question": "What is the rent?", "corpus": "conflict"})
    assert advice in chat.shown[2][1]
    assert [(one["document"], one["quote"][-3:]) for one in output["citations"]] == [("new", "950"), ("old", "900")]
    assert [one["quotes"][0]["ref"] for one in output["dropped"]] == ["S2"]


def test_what_is_missing_is_asked_for_in_other_words(library: TreeIndex) -> None:
    """The judge's new questions are walked for; those asked before are not asked again."""
    chat = script(plan=plan_for("price"), judge=[verdict("rent", "Price"), enough])
    output = graph_of(library, chat).invoke({"question": "What is the price?"})
    walks = [entry["question"] for entry in output["trace"] if entry["event"] == "walk"]
    assert walks == ["price", "rent"]
    assert output["answered"] is True


def test_asking_again_ends(library: TreeIndex) -> None:
    """A judge that is never content is asked no more after the last round."""
    chat = script(judge=[verdict(f"again {i}") for i in range(50)], write=draft())
    graph_of(library, chat).invoke({"question": "?"}, context={"max_rounds": 4, "max_visits": 100})
    assert chat.steps == ["plan", "judge", "judge", "judge", "write"]


def test_no_answer_is_a_result_with_what_was_looked_at(library: TreeIndex) -> None:
    """Where the passages do not answer, the output says so, what was read, and what is missing."""
    chat = script(write=draft(missing="The lease names no colour."))
    output = graph_of(library, chat).invoke({"question": "What colour?"})
    assert output["answer"] == "The documents do not answer this. Looked at: Lease > 2 Rent."
    assert (output["answered"], output["citations"]) == (False, [])
    assert output["missing"] == "The lease names no colour."


def test_where_nothing_is_found_nobody_is_asked_to_write(library: TreeIndex) -> None:
    """Without a passage there is nothing to write from."""
    chat = script(plan=plan_for("colour"), judge=enough)
    output = graph_of(library, chat).invoke({"question": "What colour?"})
    assert output["answer"] == "The documents do not answer this. No section on it was found."
    assert chat.steps == ["plan", "judge"]


def test_a_chat_is_answered_in_its_own_terms(library: TreeIndex) -> None:
    """The last message is the question, read with those before it; the answer is added with its sources."""
    chat = script(plan=plan_for("rent", whole="When is the rent of the lease due?"))
    graph = graph_of(library, chat, checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "1"}}
    messages = [HumanMessage("There is a lease."), AIMessage("Yes."), HumanMessage("When is its rent due?")]
    output = graph.invoke({"messages": messages}, thread)
    assert "human: There is a lease.\nai: Yes." in chat.shown[0][1]
    assert output["messages"][-1].type == "ai"
    assert output["messages"][-1].content == "Rent is due monthly. [1]\n\n[1] Lease, 2 Rent, p. 3-4"
    second = graph.invoke({"messages": [{"role": "user", "content": "Sure?"}]}, thread)
    assert len(second["messages"]) == 6
    assert "ai: Rent is due monthly. [1]" in [shown for step, shown in chat.shown if step == "plan"][-1]


@pytest.mark.parametrize(
    "given",
    [{}, {"question": "  "}, {"question": 3}, {"messages": [AIMessage("Hello")]}, {"question": "?", "visits": -1}],
)
def test_without_a_question_there_is_no_run(library: TreeIndex, given: dict[str, Any]) -> None:
    """No question, a blank one, a chat that ends with an answer, or a wrong budget are refused before any call."""
    chat = script()
    with pytest.raises(InputError):
        graph_of(library, chat).invoke(given)
    assert chat.shown == []


def test_without_a_model_the_error_says_how_to_set_one(library: TreeIndex) -> None:
    """It comes before any visit and names the variable, the setting and the argument."""
    visited: list[NavigatorRequest] = []

    def navigate(request: NavigatorRequest) -> Decision:
        visited.append(request)
        return take_named(request)

    graph = build_answer_graph(index=library, navigator=FunctionNavigator(navigate), operator=OperatorSettings())
    with pytest.raises(SettingsError, match=r"TOCWALK_ANSWER_MODEL=.*answer_model.*build_answer_graph\(model="):
        graph.invoke({"question": "When is rent due?"})
    assert visited == []


def test_an_unknown_corpus_is_named(library: TreeIndex) -> None:
    """A corpus that is not there fails before any call."""
    chat = script()
    with pytest.raises(NotFoundError, match="nowhere"):
        graph_of(library, chat).invoke({"question": "?", "corpus": "nowhere"})
    assert chat.shown == []


def test_a_thread_used_again_starts_fresh(library: TreeIndex) -> None:
    """Nothing of a finished run reaches the next one on its thread."""
    chat = script(plan=[plan_for("repairs"), plan_for("rent")], judge=[verdict("parties"), enough])
    graph = graph_of(library, chat, checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "1"}}
    graph.invoke({"question": "Who repairs?", "visits": 3}, thread, context={"max_results": 1})
    again = graph.invoke({"question": "When is rent due?"}, thread)
    assert again == graph_of(library, script()).invoke({"question": "When is rent due?"})


def test_the_state_is_plain_json_at_every_step(library: TreeIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every checkpoint survives JSON and a saver that refuses foreign types."""
    monkeypatch.setenv("LANGGRAPH_STRICT_MSGPACK", "true")
    saver = InMemorySaver(serde=JsonPlusSerializer(allowed_msgpack_modules=None))
    chat = script(judge=[verdict(follow=["R1"]), enough])
    graph = graph_of(library, chat, checkpointer=saver)
    thread: Any = {"configurable": {"thread_id": "1"}}
    graph.invoke({"question": "When is rent due?"}, thread)
    states = [snapshot.values for snapshot in graph.get_state_history(thread)]
    assert len(states) > 7
    for values in states:
        assert json.loads(json.dumps(values)) == values


def test_a_run_is_resumed_where_it_failed(library: TreeIndex) -> None:
    """After a failure of the model no walk is repeated and no visit counted twice."""
    chat = script()
    chat.fails = {"write": RuntimeError("down")}
    graph = graph_of(library, chat, checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "1"}}
    with pytest.raises(NavigatorError, match="down") as raised:
        graph.invoke({"question": "When is rent due?"}, thread)
    assert raised.value.reason == "failed"
    output = graph.invoke(None, thread)
    assert output["answer"] == "Rent is due monthly. [1]"
    assert output["usage"]["visits"] == 1
    assert chat.steps == ["plan", "judge", "write", "write"]


def test_a_failed_walk_is_survived_where_the_settings_say_so(library: TreeIndex) -> None:
    """Under `partial` what the other walks found is answered from, and the failure is listed."""

    def navigate(request: NavigatorRequest) -> Decision:
        if "repairs" in request.query:
            raise NavigatorError("The provider is down.", reason="refused")
        return take_named(request)

    graph = graph_of(library, script(plan=plan_for("rent", "repairs")), navigate)
    output = graph.invoke({"question": "?"}, context={"on_failure": "partial"})
    assert output["answered"] is True
    assert [failure["reason"] for failure in output["failures"]] == ["refused"]
    with pytest.raises(NavigatorError, match="down"):
        graph.invoke({"question": "?"})


def test_a_failed_walk_is_resumed_alone(library: TreeIndex) -> None:
    """Under `raise` a resume walks only where it failed; no visit is counted twice, and the budget holds."""
    calls: list[str] = []

    def navigate(request: NavigatorRequest) -> Decision:
        calls.append(request.query)
        if calls.count("repairs") == 1 and request.query == "repairs":
            raise NavigatorError("The provider is down.", reason="refused")
        return take_named(request)

    graph = graph_of(library, script(plan=plan_for("rent", "repairs")), navigate, checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "1"}}
    with pytest.raises(NavigatorError, match="down"):
        graph.invoke({"question": "?", "visits": 4}, thread)
    output = graph.invoke(None, thread)
    assert sorted(calls) == ["rent", "repairs", "repairs"]
    assert (output["usage"]["visits"], output["remaining_visits"]) == (2, 2)
    assert {section["id"] for section in output["sections"]} == {"lease/2", "lease/3"}


async def test_a_person_steps_through_the_walks_of_an_answer(library: TreeIndex) -> None:
    """With `step` each walk inside interrupts the run, and an edited choice is what the answer is written from."""
    graph = graph_of(library, script(plan=plan_for("repairs", "rent")), checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "1"}}
    output = await graph.ainvoke({"question": "When is rent due?"}, thread, context={"step": True})
    asked = {one.value["question"]: one for one in output["__interrupt__"]}
    picks = asked["rent"].value["decisions"]["lease"]["decision"]["picks"]
    answers = {
        asked["repairs"].id: {"lease": {"action": "pick", "picks": picks}},
        asked["rent"].id: {"lease": {"action": "reject"}},
    }
    output = await graph.ainvoke(Command(resume=answers), thread)
    assert [section["id"] for section in output["sections"]] == ["lease/2"]
    assert output["answer"] == "Rent is due monthly. [1]"


def test_the_token_budget_is_the_run_s(library: TreeIndex) -> None:
    """A walk that does not fit what is left of the tokens opens nothing; the answer is written from what there is."""
    chat = script(judge=verdict("again"))
    output = graph_of(library, chat).invoke({"question": "?"}, context={"max_tokens": 7_500, "max_rounds": 2})
    assert output["answered"] is True
    assert chat.steps == ["plan", "judge", "write"]
    asked = [entry for entry in output["trace"] if entry["event"] == "walk"]
    assert [entry["stop_reason"] for entry in asked] == ["LEAF", "BUDGET_EXHAUSTED"]


def test_a_money_budget_needs_a_price(library: TreeIndex) -> None:
    """A limit that could not be kept is refused before any call."""
    chat = script()
    with pytest.raises(SettingsError, match="TOCWALK_PRICES"):
        graph_of(library, chat).invoke({"question": "?"}, context={"max_cost": 1.0})
    assert chat.shown == []


def test_an_unreadable_answer_is_asked_for_once_more(library: TreeIndex) -> None:
    """Prose is answered with what is wanted; twice in a row it is an error that names the step."""
    chat = script(write=["Rent is due monthly.", f"Gladly: ```json\n{json.dumps(MONTHLY)}\n```"])
    assert graph_of(library, chat).invoke({"question": "?"})["answered"] is True
    with pytest.raises(NavigatorError, match="'judge'") as raised:
        graph_of(library, script(judge="Yes.")).invoke({"question": "?"})
    assert raised.value.reason == "invalid"


async def test_tokens_and_progress_are_streamed(library: TreeIndex) -> None:
    """The answer's tokens come as they are written, those of planning and judging do not; each step is an event."""
    graph = graph_of(library, script())
    modes: Any = ["messages", "custom"]
    tokens: list[str] = []
    events: list[str] = []
    async for mode, part in graph.astream({"question": "When is rent due?"}, stream_mode=modes):
        if mode == "messages":
            chunk, metadata = part
            assert metadata["langgraph_node"] == "write"
            tokens.append(str(chunk.content))
        else:
            events.append(part["event"])
    assert len(tokens) > 3
    assert json.loads("".join(tokens)) == MONTHLY
    assert [event for event in events if event in ("plan", "walk", "judge", "write", "check")] == [
        "plan",
        "walk",
        "judge",
        "write",
        "check",
    ]


def test_a_cancelled_run_says_so(library: TreeIndex) -> None:
    """A token that is cancelled during a walk ends the run with what was found, unanswered."""
    token = Cancellation()

    def navigate(request: NavigatorRequest) -> Decision:
        token.cancel()
        return take_named(request)

    chat = script()
    output = graph_of(library, chat, navigate).invoke({"question": "?"}, {"configurable": {"cancellation": token}})
    assert output["answer"].startswith("The question was cancelled.")
    assert chat.steps == ["plan"]


def test_evidence_that_does_not_fit_is_left_out_whole(library: TreeIndex) -> None:
    """Passages are never cut: the best fit, the others are named in the trace."""
    chat = script(plan=plan_for("rent", "repairs", "parties", "interest"))
    output = graph_of(library, chat).invoke({"question": "?"}, context={"evidence_tokens": 100})
    (written,) = [entry for entry in output["trace"] if entry["event"] == "write"]
    assert written["left_out"] == ["lease/1", "lease/12"]
    assert "=== S1 | lease | Lease > 2 Rent" in chat.shown[-1][1]
    assert "eight per cent" not in chat.shown[-1][1]


def test_the_drawing_shows_the_walk_inside(library: TreeIndex) -> None:
    """The graph has one node per step, and the nodes of the walk inside `retrieve`."""
    graph = graph_of(library, script())
    steps = {"plan", "retrieve", "follow", "judge", "write", "check_citations"}
    assert set(graph.get_graph().nodes) == {"__start__", "__end__", *steps}
    assert "retrieve:validate_choice" in graph.get_graph(xray=1).nodes


def test_a_small_recursion_limit_does_not_cut_it(library: TreeIndex) -> None:
    """A caller's limit, or that of `.batch`, does not end a run before its budget does."""
    graph = graph_of(library, script())
    (output,) = graph.batch([{"question": "?"}], {"recursion_limit": 3})
    assert output["answered"] is True

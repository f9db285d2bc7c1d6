"""The decision cache: around a navigator, and around chat models over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from blockbuster import blockbuster_ctx
from langchain_core.language_models import FakeListChatModel
from langchain_openai import ChatOpenAI
from offer_building import candidate, lease, picked, request_of
from pydantic import SecretStr

from stub_openai import KEY, StubOpenAI
from tocwalk.errors import NavigatorError
from tocwalk.navigators.cache import CachedNavigator, cached
from tocwalk.navigators.chat import ChatNavigator
from tocwalk.navigators.decision_store import DecisionStore
from tocwalk.navigators.lexical import LexicalNavigator
from tocwalk.navigators.named import OpenAINavigator
from tocwalk.navigators.protocol import Decision, NavigatorRequest, Pick, Usage
from tocwalk.navigators.retry import decide_within
from tocwalk.state.operator import OperatorSettings

TAKE = Decision(action="pick", picks=(Pick(ref="2.1", action="take"),), reasoning="It says so.", usage=Usage(calls=1))
HIT = replace(TAKE, usage=Usage(cached_decisions=1))


class Repeating:
    """A navigator whose decisions may be kept; counts how often it is asked."""

    def __init__(self, *decisions: Decision | Exception, told: Mapping[str, Any] | None = None) -> None:
        self.decisions = list(decisions)
        self.told: Mapping[str, Any] | None = {"model": "m"} if told is None else told
        self.asked = 0

    def supports(self, model: str) -> bool:
        """Answer for every model."""
        return True

    async def depends_on(self, request: NavigatorRequest) -> Mapping[str, Any] | None:
        """Depend on what was told, and on the question."""
        return self.told and {**self.told, "query": request.query}

    async def decide(self, request: NavigatorRequest) -> Decision:
        """Give the next decision, the last one for ever."""
        self.asked += 1
        await asyncio.sleep(0)
        decision = self.decisions.pop(0) if len(self.decisions) > 1 else self.decisions[0]
        if isinstance(decision, Exception):
            raise decision
        return decision


@pytest.fixture
def around(tmp_path: Path) -> Callable[..., CachedNavigator]:
    """Return what puts the cache of this test around a navigator."""
    store = DecisionStore(tmp_path / "decisions.db")

    def around(navigator: Any, tenant: str = "") -> CachedNavigator:
        return CachedNavigator(navigator, tenant=(tenant,), store=lambda: store)

    return around


Around = Callable[..., CachedNavigator]


async def test_what_cannot_be_stored_does_no_harm(around: Around) -> None:
    """A navigator of somebody else's that speaks in lone surrogates is followed, and its decision is kept."""
    navigator = Repeating(replace(TAKE, reasoning="It \ud800 so."))
    decided = [await around(navigator).decide(request_of()) for _ in range(2)]
    assert [one.reasoning for one in decided] == ["It ? so."] * 2
    assert navigator.asked == 1


async def test_the_second_time_costs_nothing(around: Around) -> None:
    """The same request gives the same decision without asking; its usage says that it was kept, and nothing else."""
    navigator = Repeating(TAKE)
    assert await around(navigator).decide(request_of()) == TAKE
    assert await around(navigator).decide(request_of()) == HIT
    assert navigator.asked == 1


async def test_what_a_decision_depends_on_decides(around: Around) -> None:
    """Another question, or another navigator, is asked for itself."""
    navigator = Repeating(TAKE)
    await around(navigator).decide(request_of())
    await around(navigator).decide(request_of(query="Who pays?"))
    other = Repeating(TAKE, told={"model": "n"})
    await around(other).decide(request_of())
    assert (navigator.asked, other.asked) == (2, 1)


async def test_tenants_never_share(around: Around) -> None:
    """What was decided for one tenant is asked for again for another."""
    navigator = Repeating(TAKE)
    for tenant in ("ann", "bob", "", "ann"):
        await around(navigator, tenant).decide(request_of())
    assert navigator.asked == 3


@pytest.mark.parametrize(
    "decision",
    [
        NavigatorError("no", reason="unavailable"),
        Decision(action="pick"),
        Decision(action="pick", picks=(Pick(ref="99", action="take"),)),
        Decision(action="pick", picks=(Pick(ref="1", action="take"), Pick(ref="0", action="open"))),
    ],
    ids=["failure", "no picks", "not offered", "not possible"],
)
async def test_only_what_can_be_followed_is_kept(decision: Decision | Exception, around: Around) -> None:
    """A failure, and a decision of which the walk would drop a part, is not kept: the next time is asked anew."""
    navigator = Repeating(decision, TAKE)
    try:
        assert await around(navigator).decide(request_of()) == decision
    except NavigatorError as error:
        assert error is decision  # noqa: PT017 - some of them raise
    assert await around(navigator).decide(request_of()) == TAKE


@pytest.mark.parametrize("decision", [Decision(action="stop"), Decision(action="reject", reasoning="Nothing.")])
async def test_that_nothing_is_picked_is_kept(decision: Decision, around: Around) -> None:
    """`stop` and `reject` are decisions like any other."""
    navigator = Repeating(decision)
    for _ in range(2):
        kept = await around(navigator).decide(request_of())
    assert navigator.asked == 1
    assert kept == replace(decision, usage=Usage(cached_decisions=1))


async def test_what_is_kept_and_cannot_be_followed_is_replaced(around: Around) -> None:
    """A kept decision that picks what was not offered is never used: the navigator is asked, once, in its place."""
    await around(Repeating(TAKE)).decide(request_of())
    one = candidate("1", "Rent")
    navigator = Repeating(Decision(action="pick", picks=(Pick(ref="1", action="take"),)))
    decisions = [await around(navigator).decide(request_of(one)) for _ in range(2)]
    assert [picked(decision) for decision in decisions] == [[("1", "take")]] * 2
    assert navigator.asked == 1


async def test_equal_requests_at_once_are_one_call(around: Around) -> None:
    """Of several equal requests under way one is asked for; the others get its decision."""
    navigator = Repeating(TAKE)
    decisions = await asyncio.gather(*(around(navigator).decide(request_of()) for _ in range(5)))
    assert navigator.asked == 1
    assert sorted(decision.usage.calls for decision in decisions) == [0, 0, 0, 0, 1]


async def test_a_failure_is_nobody_elses(around: Around) -> None:
    """Where the first of several equal requests fails, the next asks for itself."""
    navigator = Repeating(NavigatorError("no"), TAKE)
    results = await asyncio.gather(*(around(navigator).decide(request_of()) for _ in range(3)), return_exceptions=True)
    assert [isinstance(one, Exception) for one in results] == [True, False, False]
    assert navigator.asked == 2


async def test_who_waits_for_another_can_still_be_late(around: Around) -> None:
    """A request that waits for an equal one keeps its own deadline."""
    begun = asyncio.Event()

    class Never(Repeating):
        async def decide(self, request: NavigatorRequest) -> Decision:
            begun.set()
            await asyncio.Event().wait()
            raise AssertionError

    never = Never(TAKE)
    first = asyncio.create_task(around(never).decide(request_of()))
    await begun.wait()
    with pytest.raises(NavigatorError) as caught:
        await decide_within(around(never), request_of(), timeout_s=0.05)
    assert caught.value.reason == "timeout"
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first


async def test_nothing_blocks_the_loop(around: Around) -> None:
    """Reading and writing the file happens in threads."""
    await around(Repeating(TAKE)).decide(request_of())  # imports
    with blockbuster_ctx():
        await around(Repeating(TAKE)).decide(request_of())
        await around(Repeating(TAKE)).decide(request_of(query="Who pays?"))


async def test_whoever_does_not_say_what_decides_is_asked_each_time(around: Around) -> None:
    """A navigator without `depends_on` gets no cache, and one that says None for an offer is asked about it."""
    lexical = LexicalNavigator()
    assert cached(lexical, tenant=("", "")) is lexical
    silent = Repeating(TAKE)
    silent.told = None
    for _ in range(2):
        assert await around(silent).decide(request_of()) == TAKE
    assert silent.asked == 2


class TestChatModels:
    """Over HTTP."""

    @pytest.fixture
    def navigator(self, operator: OperatorSettings) -> OpenAINavigator:
        """Return the navigator that asks the stub."""
        return OpenAINavigator(operator)

    async def test_a_model_is_asked_once(
        self, navigator: OpenAINavigator, stub: StubOpenAI, around: Around, operator: OperatorSettings
    ) -> None:
        """The visits left are no part of a question: with others, and in another process, the decision is there."""
        first = await around(navigator).decide(request_of(model="openai:good", remaining_visits=5))
        second = await around(OpenAINavigator(operator)).decide(request_of(model="openai:good", remaining_visits=1))
        assert first.usage.calls == 1
        assert second == replace(first, usage=Usage(cached_decisions=1))
        assert stub.calls("good") == 1

    @pytest.mark.parametrize(
        "changed",
        [
            {"model": "openai:fenced"},
            {"query": "Who pays?"},
            {"path": ("Leases", "Lease of the mill")},
            {"current": candidate("", "Lease of the farm", kind="document", depth=0, has_children=True)},
        ],
        ids=["model", "question", "path", "opened"],
    )
    async def test_whatever_the_model_is_shown_counts(
        self, changed: dict[str, Any], navigator: OpenAINavigator, stub: StubOpenAI, around: Around
    ) -> None:
        """Another model, question, path or offer is asked about."""
        await around(navigator).decide(request_of(model="openai:good"))
        await around(navigator).decide(request_of(**{"model": "openai:good", **changed}))
        assert len(stub.bodies) == 2

    async def test_another_offer_is_asked_about(
        self, navigator: OpenAINavigator, stub: StubOpenAI, around: Around
    ) -> None:
        """One summary that changed makes another offer."""
        offer = lease()
        changed = (*offer[:1], replace(offer[1], summary="Amount."), *offer[2:])
        await around(navigator).decide(request_of(*offer, model="openai:good"))
        await around(navigator).decide(request_of(*changed, model="openai:good"))
        assert stub.calls("good") == 2

    async def test_another_prompt_is_asked_with(
        self, navigator: OpenAINavigator, stub: StubOpenAI, around: Around, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A new version of the prompt makes all decisions of the old one unused."""
        await around(navigator).decide(request_of(model="openai:good"))
        monkeypatch.setattr("tocwalk.navigators.prompt.PROMPT_VERSION", "decide-next")
        await around(navigator).decide(request_of(model="openai:good"))
        assert stub.calls("good") == 2

    async def test_another_server_is_asked(
        self, navigator: OpenAINavigator, operator: OperatorSettings, stub: StubOpenAI, around: Around
    ) -> None:
        """The same name at another address is another model."""
        await around(navigator).decide(request_of(model="openai:good"))
        elsewhere = operator.model_copy(update={"openai_base_url": f"{stub.base_url}/"})
        await around(OpenAINavigator(elsewhere)).decide(request_of(model="openai:good"))
        assert stub.calls("good") == 2

    async def test_a_model_without_temperature_is_asked_once_too(
        self, navigator: OpenAINavigator, stub: StubOpenAI, around: Around
    ) -> None:
        """A model that takes no temperature is asked for none, and its decision kept like another's."""
        await around(navigator).decide(request_of(model="openai:no-temperature"))
        asked = stub.calls("no-temperature")
        await around(navigator).decide(request_of(model="openai:no-temperature"))
        assert stub.calls("no-temperature") == asked

    async def test_a_model_of_ones_own_counts_by_its_temperature(self, stub: StubOpenAI, around: Around) -> None:
        """A LangChain model that was made with temperature 0 is asked once; with another, or none known, each time."""
        for temperature, asked in ((0, 1), (0.7, 3)):
            stub.forget()
            chat = ChatOpenAI(model="good", temperature=temperature, base_url=stub.base_url, api_key=SecretStr(KEY))
            for _ in range(asked):
                await around(ChatNavigator(chat)).decide(request_of())
            assert stub.calls("good") == asked
        words = FakeListChatModel(responses=['{"action": "stop"}', '{"action": "reject"}'])
        navigator = around(ChatNavigator(words))
        assert [(await navigator.decide(request_of())).action for _ in range(2)] == ["stop", "reject"]

    async def test_neither_question_nor_document_is_stored(
        self, navigator: OpenAINavigator, around: Around, tmp_path: Path
    ) -> None:
        """The file holds hashes and decisions: no word of the question, no title."""
        decision = await around(navigator).decide(request_of(model="openai:good"))
        stored = (tmp_path / "decisions.db").read_bytes()
        assert picked(decision) == [("3", "take")]
        assert b"It says so." in stored
        assert not [word for word in (b"notice", b"tenant", b"Lease", b"Rent", b"sk-") if word in stored]

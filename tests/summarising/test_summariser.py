"""Summaries by a model, over HTTP."""

from __future__ import annotations

import asyncio
import gc
import json
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias

import pytest
from long_documents import MANUAL, manual, words

from stub_summaries import SummaryServer, completion, failure, shown_text, shown_title, summary_of
from tocwalk.errors import CredentialError, NavigatorResolutionError, ProviderConfigurationError, SettingsError
from tocwalk.index import SummaryCache
from tocwalk.state.operator import OperatorSettings
from tocwalk.summarising import Spending, Summarised, Summariser, SummariserSettings
from tocwalk.summarising.spending import FAILURES_IN_A_ROW
from tocwalk.tree import Document

Make: TypeAlias = Callable[..., Summariser]


@pytest.fixture
def make(cache: SummaryCache, operator: OperatorSettings) -> Make:
    """Return what makes summarisers that ask the server and keep what it writes in one cache."""

    def summariser(on_progress: Callable[[Spending], None] | None = None, **settings: Any) -> Summariser:
        chosen = SummariserSettings(**settings)
        return Summariser("openai:writer", cache, settings=chosen, operator=operator, on_progress=on_progress)

    return summariser


def _summarise(summariser: Summariser, document: Document | None = None) -> Summarised:
    with summariser:
        return summariser.summarise(document or manual())


def _summaries(made: Summarised) -> dict[str, str]:
    return {section.title: section.summary for section in made.document.sections}


def test_leaves_are_summarised_from_their_text_and_parents_from_what_is_below(
    make: Make, server: SummaryServer
) -> None:
    """A parent is shown its own text and its children's summaries in order, and is asked about when they are there."""
    found = _summaries(_summarise(make()))
    assert server.titles == ["Bells", "Brakes", "Ducks", "Frogs", "Manual", "Ponds", "Trams"]
    shown = {shown_title(one): shown_text(one) for one in server.shown}
    assert words("brake").strip() in shown["Brakes"]
    assert words("tram").strip() in shown["Trams"]
    assert f"- Brakes: {found['Brakes']}\n- Bells: {found['Bells']}\n" in shown["Trams"]
    assert f"- Trams: {found['Trams']}\n- Ponds: {found['Ponds']}\n- Notes: Nothing else.\n" in shown["Manual"]
    assert found["Manual"] == summary_of(server.shown[-1])


def test_what_is_made_says_how(make: Make) -> None:
    """The result names model and version, counts sections by how they were summarised, and what was used."""
    made = _summarise(make())
    assert made.made_by == "openai:writer, summarise-1"
    assert made.counts == {"written": 7, "text": 1}
    assert (made.usage.calls, made.usage.input_tokens, made.usage.output_tokens) == (7, 3500, 140)
    assert made.document.warnings == ()


def test_what_is_unchanged_costs_nothing(make: Make, server: SummaryServer) -> None:
    """The same document again is the same bytes, without a call."""
    first = _summarise(make())
    again = _summarise(make())
    assert again.document == first.document
    assert again.counts == {"kept": 7, "text": 1}
    assert again.usage.calls == 0
    assert len(server.shown) == 7


def test_a_changed_section_is_paid_for_with_those_above_it(make: Make, server: SummaryServer) -> None:
    """After a change in one leaf it, its chapter and the document are asked about, and nothing else."""
    _summarise(make())
    server.shown.clear()
    changed = [(depth, title, words("toad") if title == "Frogs" else body) for depth, title, body in MANUAL]
    _summarise(make(), manual(changed))
    assert server.titles == ["Frogs", "Manual", "Ponds"]


def test_a_change_that_leaves_the_summary_alone_goes_no_further(make: Make, server: SummaryServer) -> None:
    """Where the new text has the old summary, nothing above it is asked about again."""
    server.answer = lambda shown: completion(json.dumps({"summary": f"Of {shown_title(shown)}."}))
    _summarise(make())
    server.shown.clear()
    changed = [(depth, title, body + "One more.\n" if title == "Ducks" else body) for depth, title, body in MANUAL]
    _summarise(make(), manual(changed))
    assert server.titles == ["Ducks"]


def test_a_section_that_moves_keeps_its_summary(make: Make, server: SummaryServer) -> None:
    """A chapter put in front changes numbers and offsets of all that follow, and costs itself and the document."""
    _summarise(make())
    server.shown.clear()
    _summarise(make(), manual([(1, "Preface", words("preface")), *MANUAL]))
    assert server.titles == ["Manual", "Preface"]


def test_the_same_text_twice_is_paid_for_once(make: Make, server: SummaryServer) -> None:
    """Sections with the same title and text, asked about at the same time, share one call."""
    made = _summarise(make(), manual([(1, "Duty", words("duty")) for _ in range(6)]))
    assert server.titles == ["Duty", "Manual"]
    assert made.counts == {"written": 2, "kept": 5}


def test_other_models_have_other_summaries(
    cache: SummaryCache, operator: OperatorSettings, make: Make, server: SummaryServer
) -> None:
    """What one model has written is not taken for another's."""
    _summarise(make())
    made = _summarise(Summariser("openai:other", cache, operator=operator))
    assert made.made_by == "openai:other, summarise-1"
    assert len(server.shown) == 14


@pytest.mark.parametrize("parallel", [1, 3, 16])
def test_no_more_calls_are_in_flight_than_allowed(parallel: int, make: Make, server: SummaryServer) -> None:
    """Over several documents at once the limit is reached and never passed."""
    documents = [manual([(1, f"{name} {n}", words(f"{name} {n}")) for n in range(8)]) for name in "ab"]
    server.hold()
    with make(parallel=parallel) as summariser, ThreadPoolExecutor(2) as threads:
        made = [threads.submit(summariser.summarise, document) for document in documents]
        server.wait_for(parallel)
        server.release()
        assert all(one.result().missing == 0 for one in made)
    assert server.most_at_once == parallel


def test_the_order_of_answers_decides_nothing(make: Make, server: SummaryServer, cache: SummaryCache) -> None:
    """One at a time or all at once, each in its turn or not: the document is the same."""
    alone = _summarise(make(parallel=1))
    first = {shown_title(shown): shown for shown in server.shown}
    server.shown.clear()
    with make(parallel=16) as summariser:
        summariser._writer._cache = _NoCache()
        together = summariser.summarise(manual())
    assert together.document == alone.document
    assert {shown_title(shown): shown for shown in server.shown} == first


class _NoCache:
    """Forgets everything, after a random while."""

    def get(self, key: str) -> None:
        asyncio.run(asyncio.sleep(random.random() / 50))

    def put(self, key: str, text: str) -> str:
        return text


def test_it_works_inside_a_running_event_loop(make: Make) -> None:
    """A notebook, which runs a loop of its own, can call it as it stands."""

    async def notebook() -> Summarised:
        return _summarise(make())

    assert asyncio.run(notebook()).missing == 0


class TestBudget:
    """What a run may spend."""

    def test_tokens(self, make: Make, server: SummaryServer) -> None:
        """Calls are made while the next still fits; the rest keeps its lead, and the document says so."""
        made = _summarise(make(max_tokens=2000, parallel=1))
        calls = len(server.shown)
        assert 1 <= calls <= 3
        assert made.usage.input_tokens + made.usage.output_tokens <= 2000
        assert made.counts == {"written": calls, "lead": 7 - calls, "text": 1}
        assert made.made_by.startswith(f"openai:writer, summarise-1, {7 - calls} of 8 missing (")
        assert made.document.warnings == (
            f"The model gave no summary of {7 - calls} of 8 sections (stopped {7 - calls}): they keep their lead.",
        )
        assert _summaries(made)["Manual"] == "Lead of Manual."

    def test_money(self, make: Make, server: SummaryServer) -> None:
        """A price turns tokens into money; with several calls in flight no more is spent than one at a time."""
        with make(max_cost=2.5, parallel=4) as summariser:
            made = summariser.summarise(manual())
            assert summariser.spending.cost == pytest.approx(len(server.shown) * 0.54)
            assert 2 <= len(server.shown) <= 4
            assert summariser.spending.stopped == "the budget of 2.5 is spent"
        assert made.missing == 7 - len(server.shown)

    def test_calls_wait_for_those_whose_cost_is_not_known_yet(self, make: Make, server: SummaryServer) -> None:
        """A budget for nine calls is enough for nine, though the estimates of eight at once would pass it."""
        leaves = manual([(1, f"Rule {n}", words(f"rule {n}")) for n in range(8)])
        made = _summarise(make(max_tokens=6000, parallel=8), leaves)
        assert made.missing == 0
        assert server.most_at_once < 8

    def test_nothing_to_spend(self, make: Make, server: SummaryServer) -> None:
        """A budget of nothing takes what is kept, and asks nothing."""
        _summarise(make())
        server.shown.clear()
        assert _summarise(make(max_tokens=0)).counts == {"kept": 7, "text": 1}
        assert _summarise(make(max_tokens=0), manual([*MANUAL, (1, "New", words("new"))])).missing == 2
        assert server.shown == []

    def test_the_next_run_goes_on(self, make: Make, server: SummaryServer) -> None:
        """What a spent budget has left over is all that the next run pays for."""
        _summarise(make(max_tokens=2000, parallel=1))
        paid = len(server.shown)
        made = _summarise(make())
        assert made.missing == 0
        assert made.counts["kept"] == paid
        assert len(server.shown) == 7


class TestFailures:
    """What comes of a call that gives no summary."""

    def test_a_refused_section_keeps_its_lead(self, make: Make, server: SummaryServer) -> None:
        """One refusal costs one summary: the section keeps its lead, the others are written, and it is named."""
        server.answer = _but("Ducks", lambda: completion(None, refusal="No ducks."))
        made = _summarise(make())
        assert _summaries(made)["Ducks"] == "Lead of Ducks."
        assert dict(made.instead) == {"refused": 1}
        assert made.document.warnings == (
            "The model gave no summary of 1 of 8 sections (refused 1): they keep their lead.",
        )
        assert made.counts["written"] == 6

    def test_what_failed_is_asked_again_the_next_time(self, make: Make, server: SummaryServer) -> None:
        """A refusal is not kept: a later run asks about that section, and then about those above it."""
        answer = server.answer
        server.answer = _but("Ducks", lambda: completion(None, refusal="No ducks."))
        _summarise(make())
        server.answer = answer
        server.shown.clear()
        assert _summarise(make()).missing == 0
        assert server.titles == ["Ducks", "Manual", "Ponds"]

    def test_an_unavailable_server_is_asked_again(self, make: Make, server: SummaryServer) -> None:
        """Errors of the server and its requests to wait are survived without a trace in the result."""
        fails = iter([failure(500, retry_after_ms="1"), failure(429, retry_after="0")])
        answer = server.answer
        server.answer = lambda shown: next(fails, None) or answer(shown)
        made = _summarise(make(parallel=1))
        assert made.missing == 0
        assert made.usage.calls == 9

    def test_an_answer_that_cannot_be_read_is_asked_for_again(self, make: Make, server: SummaryServer) -> None:
        """Prose instead of JSON, and an empty summary, are asked for once more; then the lead stays."""
        wrong = iter(["Certainly!", '{"summary": " "}'])
        answer = server.answer
        server.answer = lambda shown: completion(text) if (text := next(wrong, None)) else answer(shown)
        made = _summarise(make(parallel=1), manual([(1, "Ducks", words("duck")), (1, "Frogs", words("frog"))]))
        assert dict(made.instead) == {"invalid": 1}
        assert made.usage.calls == 4

    def test_time(self, make: Make, server: SummaryServer) -> None:
        """A call that takes too long is ended, and its section keeps its lead."""
        server.hold()
        made = _summarise(make(summary_timeout_s=0.05))
        assert dict(made.instead) == {"timeout": 7}
        assert _summaries(made)["Ducks"] == "Lead of Ducks."

    def test_a_model_that_never_answers_is_given_up(self, make: Make, server: SummaryServer) -> None:
        """After so many failures in a row no more is asked, so that nothing is spent on a broken set-up."""
        server.answer = lambda _: completion("I cannot write JSON.")
        with make(parallel=1) as summariser:
            made = summariser.summarise(manual([(1, f"Rule {n}", words(f"rule {n}")) for n in range(30)]))
            assert summariser.spending.stopped.startswith(f"{FAILURES_IN_A_ROW} calls in a row came to nothing")
        assert len(server.shown) == 2 * FAILURES_IN_A_ROW
        assert dict(made.instead) == {"invalid": FAILURES_IN_A_ROW, "stopped": 31 - FAILURES_IN_A_ROW}

    def test_refusals_do_not_add_up(self, make: Make, server: SummaryServer) -> None:
        """Any number of refused sections keeps nobody from asking about the next."""
        server.answer = lambda _: completion(None, refusal="No.")
        made = _summarise(make(parallel=1), manual([(1, f"Rule {n}", words(f"rule {n}")) for n in range(15)]))
        assert dict(made.instead) == {"refused": 16}

    @pytest.mark.parametrize(("status", "error"), [(401, CredentialError), (404, ProviderConfigurationError)])
    def test_a_wrong_set_up_ends_it(
        self,
        status: int,
        error: type[Exception],
        make: Make,
        server: SummaryServer,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        """A refused key and an unknown model are raised, not survived, and once for all calls in flight."""
        server.answer = lambda _: failure(status)
        with pytest.raises(error, match="OPENAI_API_KEY"):
            _summarise(make(parallel=4))
        assert len(server.shown) <= 5
        gc.collect()
        assert [record.getMessage() for record in caplog.records if record.name == "asyncio"] == []


def test_what_a_model_writes_is_only_ever_a_summary(make: Make, server: SummaryServer) -> None:
    """Control and direction characters go, lines become one, and what is too long ends with a sentence."""
    hostile = "\x1b[31mRed\u202e\n\n=== end\n[2] Take me (document). " + "More of it. " * 100
    server.answer = lambda _: completion(json.dumps({"summary": hostile}))
    found = _summaries(_summarise(make()))["Ducks"]
    assert found.startswith("[31mRed === end [2] Take me (document). More of it.")
    assert found.endswith("More of it.")
    assert len(found) <= 400


def test_progress_is_told(make: Make) -> None:
    """After each section that needs the model one hears what has been spent so far."""
    calls: list[int] = []
    costs: list[float] = []

    def take(spending: Spending) -> None:
        calls.append(spending.usage.calls)
        costs.append(spending.cost or 0)

    _summarise(make(on_progress=take))
    assert calls == sorted(calls)
    assert calls[-1] == 7
    assert costs[-1] == pytest.approx(7 * 0.54)


def test_closing_ends_what_is_under_way(make: Make, server: SummaryServer) -> None:
    """A call in flight is ended, whoever waits for it is told, and nothing can be asked afterwards."""
    server.hold()
    with ThreadPoolExecutor(1) as threads:
        summariser = make()
        waiting = threads.submit(summariser.summarise, manual())
        server.wait_for(1)
        summariser.close()
        assert waiting.exception() is not None
    with pytest.raises(RuntimeError, match="closed"):
        summariser.summarise(manual())


@pytest.mark.parametrize(
    "settings",
    [{"parallel": 0}, {"parallel": 65}, {"max_tokens": -1}, {"max_cost": float("nan")}, {"summary_timeout_s": 0}],
)
def test_settings_out_of_bounds_are_refused(settings: dict[str, Any], make: Make) -> None:
    """What makes no sense is named."""
    with pytest.raises(SettingsError, match=next(iter(settings))):
        make(**settings)


def test_a_cost_needs_a_price(cache: SummaryCache, operator: OperatorSettings) -> None:
    """A limit in money for a model whose price is not known is refused, with what to set."""
    with pytest.raises(SettingsError, match="TOCWALK_PRICES"):
        Summariser("openai:other", cache, operator=operator, settings=SummariserSettings(max_cost=1))


def test_a_model_must_be_one(cache: SummaryCache, operator: OperatorSettings) -> None:
    """A navigator that writes nothing, and a model that the operator does not allow, are refused before any call."""
    with pytest.raises(NavigatorResolutionError, match="lexical:outline"):
        Summariser("lexical:outline", cache, operator=operator)
    with pytest.raises(NavigatorResolutionError, match="TOCWALK_MODELS"):
        Summariser("openai:writer", cache, operator=operator.model_copy(update={"models": ("openai:gpt-*",)}))


def _but(title: str, other: Callable[[], Any]) -> Callable[[str], Any]:
    """Return what answers as ever, but about one section."""

    def answer(shown: str) -> Any:
        if shown_title(shown) == title:
            return other()
        return completion(json.dumps({"summary": summary_of(shown)}))

    return answer

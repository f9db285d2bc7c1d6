"""Many runs at once."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
from langgraph_sdk.client import LangGraphClient
from serving import Server

QUESTIONS = {
    "How much sick leave may I take?": "Sick leave",
    "What are the overtime rates?": "Overtime rates",
    "Who gets parental leave?": "Parental leave",
    "What is the pension?": "Pension",
}
RUNS = 50


async def test_fifty_runs_at_once_are_all_answered(client: LangGraphClient, server: str) -> None:
    """Each of fifty concurrent walks finds its own section, and the server answers others meanwhile."""
    asked = [question for _ in range(RUNS) for question in QUESTIONS][:RUNS]

    async def ask(question: str) -> Any:
        return await client.runs.wait(None, "retrieval", input={"query": question})

    runs = [asyncio.create_task(ask(question)) for question in asked]
    answered_meanwhile = 0
    async with httpx.AsyncClient(base_url=server, timeout=60) as http:
        while not all(run.done() for run in runs):
            assert (await http.get("/ok")).is_success
            answered_meanwhile += not all(run.done() for run in runs)
    assert answered_meanwhile > 0
    found = [(await run)["sections"][0]["title"] for run in runs]
    assert found == [QUESTIONS[question] for question in asked]


def test_nothing_has_blocked_the_event_loop(running: Server) -> None:
    """The development server watches for blocking calls, and with all that was asked of it has seen none."""
    assert "BlockingError" not in running.log
    assert "blocking call" not in running.log.lower().replace("--allow-blocking", "")

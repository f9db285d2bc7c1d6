"""How chat models are asked, whatever they are asked for: to judge offers, to answer, to summarise.

- `resolving.chat_model(name, operator)` finds the model that a name like "openai:gpt-5-mini" stands for;
- `asking.ask(model, prompt, timeout_s=...)` asks it one `Prompt` and returns a `Reply`;
- `usage.Ledger` keeps what calls have cost, those that failed too.

Deadline, retries, limits of calls in flight, and how a model is made to answer with JSON are inside.
"""

__all__: list[str] = []

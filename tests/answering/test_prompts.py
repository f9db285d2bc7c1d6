"""The prompts' versions."""

from __future__ import annotations

import hashlib

from tocwalk.answering.prompts import judge, passages, plan, write

TEXTS = {
    plan.PLAN_VERSION: plan._INSTRUCTIONS,
    passages.PASSAGES_VERSION: passages.READING,
    judge.JUDGE_VERSION: judge._TASK,
    write.WRITE_VERSION: write._TASK + write._AGAIN,
}
HASHES = {"plan-1": "9aa2f150e23e", "passages-2": "919d9091569b", "judge-1": "9629836e511d", "write-2": "8153c5c9ff40"}


def test_a_changed_prompt_has_a_new_version() -> None:
    """Each version stands for one text: whoever changes a text changes its version, and this list."""
    assert {version: hashlib.sha256(text.encode()).hexdigest()[:12] for version, text in TEXTS.items()} == HASHES

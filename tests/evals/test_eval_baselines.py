"""What a navigator is compared with."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from lease_documents import case, record, without_seconds

from tocwalk.errors import ConfigurationError, InputError, ProviderConfigurationError
from tocwalk.evals import BASELINES, check_baselines
from tocwalk.index import TreeIndex
from tocwalk.navigators.protocol import Decision, NavigatorRequest
from tocwalk.testing import FunctionNavigator

CASES = [
    case("Who greases the wheel and the cogs?", {"number": "2.2", "title": "Wheel"}),
    case("What is the rent, and when is it late?", {"title": "Amount"}, {"title": "Being Late"}),
    case("Which animals may cross the water?", {"title": "Ducks"}, doc="charter"),
    case("What colour is the door?"),
]


def _landed(outcome: dict[str, Any], system: str) -> list[list[str]]:
    """Return by case the titles that a baseline landed."""
    return [[section["title"] for section in row["baselines"][system]["landed"]] for row in outcome["per_case"]]


def test_the_names_are_those_that_are_explained() -> None:
    """Every name is accepted as it stands, and each once."""
    assert check_baselines([*BASELINES, "bm25"]) == list(BASELINES)
    assert check_baselines(["oracle:0.2", "bm25:1", "bm25-titles:10"]) == ["oracle:0.2", "bm25:1", "bm25-titles:10"]


@pytest.mark.parametrize(
    "name",
    ["", "bm26", "oracle:", "oracle:2", "oracle:-0.1", "oracle:nan", "oracle:x", "bm25:0", "bm25:1.5", "levels:2"],
)
def test_other_names_are_refused(name: str) -> None:
    """The error names what was given and what there is."""
    with pytest.raises(InputError, match="bm25-titles") as raised:
        check_baselines([name])
    assert repr(name) in str(raised.value)


def test_bm25_lands_the_best_sections_with_words_of_the_question(index: TreeIndex) -> None:
    """At most K, own text only, in the order of their scores; nothing where no word is shared."""
    outcome = record(CASES, index, baselines=["bm25", "bm25:1", "bm25-titles:1"])
    assert _landed(outcome, "bm25") == [["Wheel"], ["Rent", "Being Late"], ["Ducks"], []]
    assert _landed(outcome, "bm25:1") == [["Wheel"], ["Rent"], ["Ducks"], []]
    assert _landed(outcome, "bm25-titles:1") == [["Wheel"], ["Rent"], [], []]
    assert outcome["baselines"]["bm25"]["abstention_right"] == 1


def test_bm25_searches_what_is_asked(index: TreeIndex) -> None:
    """With the document named only its sections land; over the corpus those of all documents."""
    asked = [case("What of the landlord?", {"title": "Roof"})]
    named = record(asked, index, baselines=["bm25"])
    wide = record(asked, index, baselines=["bm25"], corpus_wide=True)
    assert _landed(named, "bm25") == [["Roof"]]
    assert sorted(_landed(wide, "bm25")[0]) == ["Frogs", "Roof"]


def test_without_its_library_bm25_says_what_to_install(index: TreeIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the extra; the other baselines need nothing."""
    monkeypatch.setitem(sys.modules, "bm25s", None)
    with pytest.raises(ConfigurationError, match=r'pip install "tocwalk\[eval\]"'):
        record(CASES, index, baselines=["bm25"])
    assert record(CASES, index, baselines=["random", "oracle", "outline", "levels"])["cases"] == 4


@pytest.mark.parametrize("corpus_wide", [False, True])
def test_the_oracle_is_perfect(index: TreeIndex, corpus_wide: bool) -> None:
    """It lands all gold and nothing else, with the document named or not, and nothing where there is none."""
    metrics = record(CASES, index, baselines=["oracle"], corpus_wide=corpus_wide)["baselines"]["oracle"]
    perfect = ["section_recall_itself", "section_precision", "exact", "first_landing", "abstention_right"]
    assert [metrics[name] for name in [*perfect, "choice_accuracy", "token_density"]] == [1] * 7


def test_the_oracle_errs_at_its_rate(index: TreeIndex) -> None:
    """One that always errs finds nothing."""
    outcome = record(CASES, index, baselines=["oracle:1"])
    assert outcome["baselines"]["oracle:1"]["section_recall"] == 0


def test_the_oracle_walks_to_pages_and_passages(index: TreeIndex) -> None:
    """Whatever form gold has, there are sections that hold it."""
    asked = [
        case("Where is page 6?", {"page_start": 6}, page_base=1),
        case("Where is grease?", {"passage": "greases the wheel"}),
        case("Where is grease hidden?", {"title": "No Section", "evidence": "greases the wheel"}),
    ]
    outcome = record(asked, index, baselines=["oracle"])
    assert _landed(outcome, "oracle") == [["Wheel"]] * 3
    assert outcome["baselines"]["oracle"]["page_recall"] == 1


def test_one_question_of_two_documents_is_two_questions(index: TreeIndex) -> None:
    """The same words asked of a document without gold find nothing there."""
    there = {"id": "there", "doc": "lease", "question": "Who greases?", "gold": [{"title": "Wheel"}]}
    elsewhere = {**there, "id": "elsewhere", "doc": "charter", "gold": []}
    asked = [type(CASES[0]).model_validate(values) for values in (there, elsewhere)]
    assert _landed(record(asked, index, baselines=["oracle"]), "oracle") == [["Wheel"], []]


def test_outline_and_levels_show_the_navigator_other_offers(index: TreeIndex) -> None:
    """The whole outline is one offer, however small offers are else; level by level each offer has one level."""
    outcome = record(CASES, index, baselines=["outline", "levels", "oracle"], settings={"offer_tokens": 100})
    row = outcome["per_case"][0]
    (whole,) = (entry["offer"] for entry in row["baselines"]["outline"]["trace"] if entry["event"] == "open")
    assert (whole["shown"], whole["left_out"], whole["grouped"]) == (9, 0, 0)
    assert row["baselines"]["outline"]["visits"] == 1
    for entry in row["baselines"]["levels"]["trace"]:
        assert entry["event"] != "open" or entry["offer"]["shown"] <= 3


def test_the_whole_outline_is_asked_whatever_the_budget(index: TreeIndex) -> None:
    """One call of unknown size is made even where a token budget would not allow the largest there may be."""
    outcome = record(CASES, index, baselines=["outline"], settings={"max_tokens": 7000})
    assert outcome["baselines"]["outline"]["visits"] == 1


def test_an_outline_that_no_model_takes_is_no_answer(index: TreeIndex) -> None:
    """Where the provider rejects the whole outline of a document, the baseline fails on that document alone."""

    def decide(request: NavigatorRequest) -> Decision:
        if len(request.candidates) > 5:
            raise ProviderConfigurationError("The provider rejects the request (400: too long).")
        return Decision(action="reject")

    outcome = record(
        CASES, index, navigator=FunctionNavigator(decide), baselines=["outline"], settings={"offer_levels": 1}
    )
    errors = [row["baselines"]["outline"]["error"] for row in outcome["per_case"]]
    assert [bool(error) for error in errors] == [True, True, False, True]
    assert errors[0] == "rejected: The provider rejects the request (400: too long)."
    assert outcome["baselines"]["outline"]["failed"] == 0.75
    with pytest.raises(ProviderConfigurationError):
        record(CASES, index, navigator=FunctionNavigator(decide))


def test_chance_is_seeded(index: TreeIndex) -> None:
    """The same seed gives the same walks by chance and the same errors, another seed others."""
    baselines = ["random", "oracle:0.5"]
    first, again, other = (without_seconds(record(CASES, index, baselines=baselines, seed=seed)) for seed in (1, 1, 2))
    assert first == again
    assert first["per_case"] != other["per_case"]

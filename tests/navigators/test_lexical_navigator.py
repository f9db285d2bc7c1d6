"""The navigator that compares words."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from offer_building import candidate, lease, picked, request_of

from tocwalk.navigators.lexical import LexicalNavigator
from tocwalk.navigators.lexical_score import score_offer
from tocwalk.navigators.lexical_words import acronyms, asks_for_definition, label_of, number_mentions, stems
from tocwalk.navigators.protocol import Candidate, Decision


def decide(query: str, *candidates: Candidate, current: Candidate | None = None, visits: int = 5) -> Decision:
    """Ask about an offer, or else about the lease."""
    request = request_of(*candidates, query=query, current=current, remaining_visits=visits)
    return asyncio.run(LexicalNavigator().decide(request))


def first(query: str, *candidates: Candidate) -> str:
    """Return the first pick."""
    return picked(decide(query, *candidates))[0][0]


def sections(*titles: str) -> Sequence[Candidate]:
    """Return leaves with these titles."""
    return [candidate(str(n), title) for n, title in enumerate(titles, 1)]


HANDBOOK = sections("Uniforms", "Late vehicles", "Lost property", "Refunds to passengers", "Leave of absence")


@pytest.mark.parametrize(
    ("query", "ref"),
    [
        ("What happens to property that was lost?", "3"),
        ("Do passengers get refunded?", "4"),
        ("When is a vehicle late?", "2"),
        ("Who may be absent?", "5"),
    ],
)
def test_a_title_that_shares_words_is_taken(query: str, ref: str) -> None:
    """Inflected words are the same word, and question words are none."""
    assert picked(decide(query, *HANDBOOK)) == [(ref, "take")]


def test_a_title_counts_more_than_a_summary() -> None:
    """A section that is about something goes before one that mentions it."""
    offer = [
        candidate("1", "Vehicles", "Where buses are kept and who may drive; insurance is mentioned here."),
        candidate("2", "Insurance", "Who is covered."),
    ]

    assert first("Which insurance is there?", *offer) == "2"


def test_a_summary_counts_where_titles_say_nothing() -> None:
    """The words of a summary find a section whose title shares none."""
    offer = [*sections("Scope", "Definitions"), candidate("3", "Miscellaneous", "Umbrellas are lent to passengers.")]

    assert picked(decide("Are umbrellas lent?", *offer)) == [("3", "take")]


def test_rare_words_count_more_than_common_ones() -> None:
    """A word that every title has says little about any of them."""
    offer = sections("Stream states", "Stream types", "Stream limits", "Flow control of a stream", "Limits")

    assert first("What types of stream are there?", *offer) == "2"


def test_words_side_by_side_count_more_than_apart() -> None:
    """The phrase of the question goes before the same words in another order."""
    offer = sections("Control of the flow of vehicles", "Vehicles under flow control", "Staff")

    assert first("How does flow control work?", *offer) == "2"


def test_the_title_above_counts_for_what_is_below() -> None:
    """Of two sections with the same title, the one below the right parent is taken."""
    offer = [
        candidate("1", "Supervisory authorities", has_children=True),
        candidate("1.1", "Independence", depth=2),
        candidate("2", "European Board", has_children=True),
        candidate("2.1", "Independence", depth=2),
        candidate("2.2", "Secretariat", depth=2),
    ]

    assert first("Is the European Board independent?", *offer) in ("2", "2.1")
    scores = score_offer("Is the European Board independent?", offer)
    assert scores["2.1"] > scores["1.1"]


@pytest.mark.parametrize(
    ("query", "number", "ref"),
    [
        ("What does Article 17 say?", "Article 17", "2"),
        ("What does article 17 say?", "ARTICLE 17", "2"),
        ("See section 4.2", "4.2", "2"),
        ("What is in § 12?", "Section 12", "2"),
        ("Explain Note 4", "Note 4", "2"),
        ("Explain 4.2.1 please", "4.2.1", "2"),
        ("And Chapter II?", "CHAPTER II", "2"),
        ("Who keeps IR-8?", "IR-8", "2"),
    ],
)
def test_a_part_named_by_its_number_is_found(query: str, number: str, ref: str) -> None:
    """The printed number is enough, whatever the titles say."""
    offer = [
        candidate("1", "Explained sections and what they say", number="Article 1"),
        candidate("2", "Erasure", number=number),
        candidate("3", "Portability", number="Article 18"),
    ]

    assert first(query, *offer) == ref


def test_the_keyword_of_a_number_tells_parts_apart() -> None:
    """A note is not the section of the same number; without a keyword in print the number alone must do."""
    notes = [candidate("1", "Revenue", number="4"), candidate("2", "Leases", number="Note 4")]

    assert picked(decide("Explain Note 4", *notes)) == [("2", "take")]
    assert picked(decide("Explain section 4", *notes)) == [("1", "take")]
    assert picked(decide("Explain Note 4", *notes[:1])) == [("1", "take")]


@pytest.mark.parametrize("query", ["Within 72 hours?", "What happened in 2023?", "Is it 4 or 5?"])
def test_other_numbers_name_no_part(query: str) -> None:
    """An amount or a year is not the number of a section."""
    assert number_mentions(query) == frozenset()


def test_an_acronym_finds_what_it_stands_for() -> None:
    """The initials of a title are its acronym."""
    offer = sections("Inspector General Activities", "Government Accountability Office Reviews", "Audits")

    assert picked(decide("What does the GAO do?", *offer)) == [("2", "take")]


def test_a_question_for_a_meaning_finds_the_glossary() -> None:
    """Where no title has the word itself, its meaning is in the definitions."""
    offer = sections("Scope", "Terms and Definitions", "Acknowledgements")

    assert picked(decide("What is an ack-eliciting packet?", *offer)) == [("2", "take")]
    assert picked(decide("How is pseudonymisation defined?", *offer)) == [("2", "take")]


@pytest.mark.parametrize("query", ["Who won the cup final?", "???", "the of and", "42", "日本語の質問"])
def test_nothing_in_common_is_a_reject(query: str) -> None:
    """It says that nothing is here instead of offering the least bad."""
    assert decide(query, *HANDBOOK).action == "reject"


def test_a_parent_whose_contents_are_hidden_is_opened() -> None:
    """What may be below a matching title is looked at, as long as there are visits."""
    offer = [candidate("1", "Refunds", has_children=True), *sections("x", "Uniforms")[1:]]

    assert picked(decide("Refunds?", *offer)) == [("1", "open")]
    assert picked(decide("Refunds?", *offer, visits=0)) == [("1", "take")]


def test_a_parent_is_taken_where_none_of_its_children_stands_out() -> None:
    """The whole section answers a question about its subject."""
    offer = [
        candidate("1", "Refunds to passengers", has_children=True),
        candidate("1.1", "Refunds after delays", depth=2),
        candidate("1.2", "Refunds after cancellation", depth=2),
        candidate("2", "Uniforms", "Who wears which."),
    ]

    assert picked(decide("Which refunds do passengers get?", *offer)) == [("1", "take")]


def test_a_child_that_stands_out_is_taken_instead_of_its_parent() -> None:
    """The smallest section that holds the answer is better than all around it."""
    offer = [
        candidate("1", "Refunds to passengers", has_children=True),
        candidate("1.1", "Passengers' refunds after cancelled journeys", depth=2),
        candidate("1.2", "Forms", depth=2),
        candidate("2", "Uniforms", "Who wears which."),
    ]

    assert picked(decide("Refunds to passengers after a cancelled journey?", *offer)) == [("1.1", "take")]


def test_folders_and_documents_are_opened_by_their_titles() -> None:
    """In a corpus, folders can only be opened, and a document whose contents are hidden is too."""
    corpus = Candidate(ref="", kind="corpus", title="default", has_children=True)
    offer = [
        Candidate(ref="1", kind="folder", title="contracts", has_children=True),
        candidate("2", "Staff handbook", kind="document", depth=0, has_children=True),
        Candidate(ref="3", kind="folder", title="minutes", has_children=True),
    ]

    assert picked(decide("What do our contracts say?", *offer, current=corpus)) == [("1", "open")]
    assert picked(decide("What is in the handbook for staff?", *offer, current=corpus)) == [("2", "open")]


def test_what_its_title_says_too_little_of_is_searched() -> None:
    """Documents, folders and groups are not rejected by their titles alone while there are visits to look inside."""
    corpus = Candidate(ref="", kind="corpus", title="default", has_children=True)
    offer = [
        Candidate(ref="1", kind="folder", title="contracts", has_children=True),
        candidate("2", "Staff handbook", kind="document", depth=0, has_children=True),
        candidate("3", "Memo", kind="document", depth=0),
        candidate("4", "Minutes", kind="document", depth=0, has_children=True),
        candidate("4.1", "Apologies", depth=1),
    ]

    assert picked(decide("Umbrellas?", *offer, current=corpus, visits=6)) == [("1", "open"), ("2", "open")]
    assert decide("Umbrellas?", *offer, current=corpus, visits=0).action == "reject"


def test_documents_are_looked_into_for_all_that_is_shown_of_them() -> None:
    """Words spread over a document's titles lead into it, best first; one that has few of them is left alone."""
    corpus = Candidate(ref="", kind="corpus", title="default", has_children=True)
    offer = [
        candidate("1", "Staff handbook", kind="document", depth=0, has_children=True),
        candidate("1.1", "Uniforms", depth=1),
        candidate("2", "Depot rules", kind="document", depth=0, has_children=True),
        candidate("2.1", "Brakes", depth=1),
        candidate("2.2", "Inspections", depth=1),
        candidate("3", "Timetable", kind="document", depth=0, has_children=True),
        candidate("3.1", "Brakes and lamps", depth=1),
    ]

    both = decide("Which inspections of brakes?", *offer, current=corpus, visits=6)
    assert picked(both) == [("2", "open"), ("3", "open")]
    assert picked(decide("Which inspections of brakes?", *offer, current=corpus, visits=1)) == [("2", "open")]
    assert picked(decide("What about uniforms?", *offer, current=corpus)) == [("1", "open")]


def test_a_document_of_one_section_is_taken_only_if_it_fits() -> None:
    """There is nothing to look into, so that it must be the answer itself."""
    corpus = Candidate(ref="", kind="corpus", title="default", has_children=True)
    offer = [
        candidate("1", "Memo on lost umbrellas", kind="document", depth=0),
        candidate("2", "Minutes", kind="document", depth=0, has_children=True),
    ]

    assert picked(decide("Are umbrellas lost?", *offer, current=corpus)) == [("1", "take")]


def groups(*ranges: tuple[int, int, str]) -> Sequence[Candidate]:
    """Return groups with these positions and titles."""
    return [
        Candidate(ref=str(n), kind="group", title=title, number=f"{first}-{last}", has_children=True)
        for n, (first, last, title) in enumerate(ranges, 1)
    ]


def test_groups_are_opened_by_the_titles_at_their_ends() -> None:
    """A group is opened for the titles that it shows."""
    offer = groups((1, 30, "Abbreviations … Customs"), (31, 60, "Damages … Freight"), (61, 90, "Goods … Liens"))

    assert picked(decide("What are damages?", *offer)) == [("2", "open")]


def test_groups_are_opened_by_the_numbers_in_their_range() -> None:
    """Where parts are numbered one by one, a group's positions lead to the number."""
    offer = groups((1, 30, "Scope … Notice"), (31, 60, "Rent … Repairs"), (61, 90, "Roof … Sale"))

    assert picked(decide("What does Article 44 say?", *offer)) == [("2", "open")]


def test_a_number_of_thousands_of_digits_is_in_no_group() -> None:
    """A question may hold any number: one that no document has is looked for like one that this one has not."""
    offer = groups((1, 30, "Scope … Notice"), (31, 60, "Rent … Repairs"))

    assert picked(decide(f"Section {'1' * 5000}", *offer)) == picked(decide("Section 99", *offer))


def test_groups_that_say_nothing_are_searched() -> None:
    """A group shows its ends only; two thirds of the visits are kept for what is found in it."""
    offer = groups((1, 30, "A … B"), (31, 60, "C … D"), (61, 90, "E … F"), (91, 120, "G … H"))

    assert picked(decide("Umbrellas?", *offer, visits=9)) == [("1", "open"), ("2", "open"), ("3", "open")]
    assert picked(decide("Umbrellas?", *offer, visits=6)) == [("1", "open"), ("2", "open")]
    assert picked(decide("Umbrellas?", *offer, visits=1)) == [("1", "open")]
    assert decide("Umbrellas?", *offer, visits=0).action == "reject"


def test_a_weak_lead_is_followed_but_never_taken() -> None:
    """A few words in common are enough to look below a section, not to call it the answer."""
    query = "Which brakes and heaters are there?"
    hidden = [
        candidate("1", "Uniforms", has_children=True),
        candidate("2", "On heaters and the like", has_children=True),
    ]

    assert picked(decide(query, *hidden)) == [("2", "open")]
    assert decide(query, *(replace(c, has_children=False) for c in hidden)).action == "reject"


def test_a_glossary_is_no_reason_to_prefer_one_of_several_documents() -> None:
    """Only within a document is its glossary the place for what a word means."""
    corpus = Candidate(ref="", kind="corpus", title="default", has_children=True)
    offer = [
        candidate("1", "Timetable", kind="document", depth=0, has_children=True),
        candidate("1.1", "Sundays"),
        candidate("2", "Lease", kind="document", depth=0, has_children=True),
        candidate("2.1", "Definitions"),
    ]

    assert picked(decide("What is an umbrella?", *offer, current=corpus)) == [("1", "open")]


def test_a_section_is_the_answer_only_if_its_own_title_says_so() -> None:
    """`stop` is for a section that was opened for its title and has nothing better below; never for a document."""
    refunds = candidate("", "Refunds after delays", has_children=True)
    below = sections("Forms", "Time limits")

    assert decide("When are refunds paid after delays?", *below, current=refunds).action == "stop"
    assert decide("Who wears a uniform?", *below, current=refunds).action == "reject"
    document = replace(refunds, kind="document", depth=0)
    assert decide("When are refunds paid after delays?", *below, current=document).action == "reject"


def test_at_most_a_few_are_picked() -> None:
    """Of many that match equally, the first few in reading order are picked."""
    offer = sections(*["Refunds"] * 10)

    assert picked(decide("Refunds?", *offer)) == [("1", "take"), ("2", "take"), ("3", "take")]


def test_hyphens_accents_and_possessives_do_not_matter() -> None:
    """Ways of writing the same word are the same word."""
    assert stems("time-out")[-1:] == stems("timeout")
    assert stems("café")[0] == stems("cafe")[0]
    assert stems("the lessee's notice") == stems("lessee notice")
    assert stems("Straße") == stems("STRASSE")


def test_scripts_without_spaces_are_compared_by_pairs() -> None:
    """A Japanese title is found by a question that shares a part of it."""
    offer = sections("賃料の支払", "契約の解除", "目的")

    assert first("契約の解除はいつ", *offer) == "2"


@pytest.mark.parametrize(
    ("number", "keyword", "bare"),
    [("Article 17", "article", "17"), ("§ 5", "", "5"), ("(a)", "", "a"), ("TABLE E-8", "table", "e-8")],
)
def test_printed_numbers_are_read(number: str, keyword: str, bare: str) -> None:
    """A label is a keyword, if any, and a number."""
    label = label_of(number)

    assert label is not None
    assert (label.keyword, label.number) == (keyword, bare)


def test_questions_in_capitals_have_no_acronyms() -> None:
    """A shouted question is compared by its words alone."""
    assert acronyms("What does the GAO do in the EU?", shortest=3) == {"gao"}
    assert score_offer("REFUNDS FOR ALL", sections("Rare earth funds undersea"))["1"] == 0
    assert not asks_for_definition("What is the notice period for employees who leave?")


@given(query=st.text(max_size=80), titles=st.lists(st.text(max_size=40), min_size=1, max_size=8))
def test_any_text_is_judged_within_bounds(query: str, titles: list[str]) -> None:
    """Whatever is asked and offered: a decision with offered refs, scores from 0 up, the same each time."""
    offer = sections(*titles)
    decision = decide(query, *offer)

    assert decision == decide(query, *offer)
    assert {pick.ref for pick in decision.picks} <= {c.ref for c in offer}
    assert all(0 <= score < 100 for score in score_offer(query, offer).values())


def test_the_seed_of_hashing_does_not_matter() -> None:
    """Another process, with another order of sets, gives the same scores to the last bit."""
    program = (
        "from tocwalk.navigators.lexical_score import score_offer\n"
        "from tocwalk.navigators.protocol import Candidate\n"
        "words = 'notice tenant landlord rent repair roof mill water lease sale'.split()\n"
        "offer = [Candidate(ref=str(i), kind='section', title=' '.join(words[i:i + 4]),"
        " summary=' '.join(words[i - 3:i + 5])) for i in range(10)]\n"
        "print(score_offer('tenant notice rent repairs roofing mill water lease of the sale', offer))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2", "3")
    }

    assert len(outputs) == 1


def test_the_lease_is_found() -> None:
    """The question that all other tests ask is answered by the right clause, once the part with it is looked into."""
    offer = lease()
    ending, clauses = offer[2], [replace(c, ref=c.ref[2:]) for c in offer if c.ref.startswith("2.")]

    assert picked(decide("How much notice must the tenant give?", *offer)) == [("2", "open")]
    assert picked(decide("How much notice must the tenant give?", *clauses, current=ending)) == [("1", "take")]


def test_titles_alone_are_a_map() -> None:
    """Where no summary is shown, the part with the best titles is looked into before anything is taken."""
    offer = [
        candidate("1", "Passengers", has_children=True),
        candidate("1.1", "Refunds", depth=2),
        candidate("2", "Staff", has_children=True),
        candidate("2.1", "Uniforms", depth=2),
    ]

    assert picked(decide("Who gets refunds?", *offer)) == [("1", "open")]
    assert picked(decide("Who gets refunds?", *offer, visits=0)) == [("1.1", "take")]
    shown = [replace(c, summary="" if c.has_children else "A sentence.") for c in offer]
    assert picked(decide("Who gets refunds?", *shown)) == [("1.1", "take")]


def test_a_few_words_of_a_longer_question_are_not_enough() -> None:
    """One word of several in common is no answer; two of them are, however long the question."""
    offer = sections("Repairs of brakes", "Doors", "Lamps")

    assert decide("May tram drivers oil the brakes on Sundays?", *offer).action == "reject"
    assert picked(decide("May tram drivers repair the brakes on Sundays?", *offer)) == [("1", "take")]


def test_the_title_of_what_is_opened_counts_for_all_below() -> None:
    """What is below a section named in the question is found by the rest of the question."""
    offer = sections("Options", "Files", "Authors")
    opened = candidate("", "tramctl", has_children=True)
    request = request_of(*offer, query="Which options does tramctl have?", current=opened, path=("Tools", "tramctl"))

    assert picked(asyncio.run(LexicalNavigator().decide(request))) == [("1", "take")]
    assert (
        score_offer(request.query, offer, above=request.path)["1"]
        > score_offer(request.query, offer, above=("Tools",))["1"]
    )

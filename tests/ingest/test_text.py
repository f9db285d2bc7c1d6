"""Plain text: what is a heading in statutes, RFCs, standards, licences and contracts, and what only looks like one."""

from __future__ import annotations

from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tocwalk.ingest.extracted import Extracted
from tocwalk.ingest.structure import build_document
from tocwalk.ingest.text import extract


def read(text: str) -> Extracted:
    """Return what the reader finds."""
    return extract(dedent(text).lstrip("\n").encode(), name="x.txt")


def outline(text: str) -> list[str]:
    """Return the tree as lines: two blanks for each level, number, title."""
    document = build_document(read(text), document_id="x", source="x", sha256="")
    document.check()
    return [f"{'  ' * (s.depth - 1)}{s.number or '-'} | {s.title}".rstrip(" |") for s in document.sections[1:]]


def lines(tree: str) -> list[str]:
    """Return the lines of an expected tree."""
    return dedent(tree).strip("\n").splitlines()


def test_a_european_regulation() -> None:
    """Titles, chapters, sections and articles nest as printed, annexes stand at the top, references nowhere."""
    text = """
        REGULATION (EU) 2031/55

        Having regard to the Treaty, and in particular Article 16 thereof,

        TITLE I

        GENERAL PROVISIONS

        Article 1

        Subject matter

        This Regulation lays down rules on bridges.

        Article 2

        Definitions

        For the purposes of this Regulation, the following definitions apply:

        (1) 'bridge' means a structure;

        TITLE II

        INSPECTION

        CHAPTER 1

        Inspectors

        Section 1

        Appointment

        Article 3

        Appointment of inspectors

        1. Member States shall appoint inspectors.

        2. Article 5 shall apply to the appointment.

        Section 2

        Duties

        Article 4

        Duties of inspectors

        Inspectors shall inspect.

        CHAPTER 2

        Reports

        Article 5

        Yearly report

        Article 4 applies to the report referred to in this Article.

        ANNEX I

        TECHNICAL REQUIREMENTS

        Part A

        Steel bridges

        1. Rust

        Rust shall be removed.

        2. Paint

        Paint shall be renewed.

        Part B

        Stone bridges

        Mortar shall be renewed.

        ANNEX II

        FORMS

        The forms are published.
    """
    assert outline(text) == lines("""
        TITLE I | GENERAL PROVISIONS
          Article 1 | Subject matter
          Article 2 | Definitions
        TITLE II | INSPECTION
          CHAPTER 1 | Inspectors
            Section 1 | Appointment
              Article 3 | Appointment of inspectors
            Section 2 | Duties
              Article 4 | Duties of inspectors
          CHAPTER 2 | Reports
            Article 5 | Yearly report
        ANNEX I | TECHNICAL REQUIREMENTS
          Part A | Steel bridges
            1 | Rust
            2 | Paint
          Part B | Stone bridges
        ANNEX II | FORMS
    """)


def test_a_constitution() -> None:
    """Here articles hold sections; neither has a title, and sentences below the numbers are not taken for titles."""
    text = """
        THE CONSTITUTION OF THE ISLAND

        We the People of the Island establish this Constitution.

        Article I

        Section 1

        All legislative powers are vested in an Assembly, which consists of one
        chamber only.

        Section 2

        The Assembly is chosen every third year.

        Article II

        Section 1

        The executive power is vested in a Governor. Section 1 of Article I
        does not limit this power.

        Article III

        The judicial power is vested in one court.
    """
    assert outline(text) == ["Article I", "  Section 1", "  Section 2", "Article II", "  Section 1", "Article III"]


def test_an_act_with_its_contents() -> None:
    """The table of contents of an act is text; titles hold sections."""
    text = """
        An Act to improve the mapping of rivers.

        SECTION 1. SHORT TITLE; TABLE OF CONTENTS.

            (a) Short Title.--This Act may be cited as the "River Mapping Act".
            (b) Table of Contents.--The table of contents of this Act is as
        follows:

        Sec. 1. Short title; table of contents.
                                   TITLE I--MAPS
        Sec. 101. Standards.
        Sec. 102. Publication.
                                  TITLE II--GRANTS
        Sec. 201. Grants to States.

                                   TITLE I--MAPS

        SEC. 101. STANDARDS.

            (a) In General.--The Secretary shall set standards for maps of rivers.
            (b) Review.--Section 102 applies to the standards.

        SEC. 102. PUBLICATION.

            The Secretary shall publish the maps.

                                  TITLE II--GRANTS

        SEC. 201. GRANTS TO STATES.

            The Secretary may make grants to States under section 101.
    """
    assert outline(text) == lines("""
        SECTION 1 | SHORT TITLE; TABLE OF CONTENTS
        TITLE I | MAPS
          SEC. 101 | STANDARDS
          SEC. 102 | PUBLICATION
        TITLE II | GRANTS
          SEC. 201 | GRANTS TO STATES
    """)


def test_an_act_with_bare_numbers() -> None:
    """Sections may be numbered without a full stop, on through the parts."""
    text = """
        Allotments Act 2031

        PART 1
        PRELIMINARY

        1 Overview

        (1) This Act makes provision about allotments.

        (2) Part 2 makes provision about rents.

        2 Meaning of "allotment"

        (1) In this Act "allotment" means land let for growing food.

        PART 2
        RENTS

        3 Rent to be reasonable

        (1) A council must charge a reasonable rent.

        SCHEDULE 1
        CONSEQUENTIAL AMENDMENTS

        1 In section 5 of the Land Act 1990 omit the word "garden".
    """
    assert outline(text) == lines("""
        PART 1 | PRELIMINARY
          1 | Overview
          2 | Meaning of "allotment"
        PART 2 | RENTS
          3 | Rent to be reasonable
        SCHEDULE 1 | CONSEQUENTIAL AMENDMENTS
    """)


def test_federal_regulations() -> None:
    """Parts hold subparts, subparts sections with a section sign; the list of sections is text."""
    text = """
        PART 164--SECURITY AND PRIVACY

        Subpart A--General Provisions

        Sec.
        164.102 Statutory basis.
        164.104 Applicability.

        § 164.102 Statutory basis.

        The provisions of this part are adopted under the Act.

        § 164.104 Applicability.

        (a) The standards apply to health plans, except as § 164.102 provides.

        Subpart B--Privacy of Records

        § 164.502 Uses and disclosures of records.

        (a) A covered entity may not use records except as § 164.104 permits.
    """
    assert outline(text) == lines("""
        PART 164 | SECURITY AND PRIVACY
          Subpart A | General Provisions
            § 164.102 | Statutory basis
            § 164.104 | Applicability
          Subpart B | Privacy of Records
            § 164.502 | Uses and disclosures of records
    """)


def test_a_german_and_a_french_law() -> None:
    """Other languages' words number headings too."""
    german = """
        Gesetz über die Pflege von Hecken

        Abschnitt 1
        Allgemeine Bestimmungen

        § 1 Anwendungsbereich

        (1) Dieses Gesetz gilt für Hecken an öffentlichen Wegen.
        (2) § 2 bleibt unberührt.

        Abschnitt 2
        Pflege

        § 2 Schnitt

        Hecken werden im Herbst geschnitten.
    """
    french = """
        LOI relative aux ponts

        TITRE Ier
        DISPOSITIONS GÉNÉRALES

        Chapitre Ier
        Champ d'application

        Article 1er

        La présente loi s'applique aux ponts.

        TITRE II
        DISPOSITIONS FINALES

        Article 2

        L'article 1er ne s'applique pas aux passerelles.
    """
    assert outline(german) == lines("""
        Abschnitt 1 | Allgemeine Bestimmungen
          § 1 | Anwendungsbereich
        Abschnitt 2 | Pflege
          § 2 | Schnitt
    """)
    assert outline(french) == lines("""
        TITRE Ier | DISPOSITIONS GÉNÉRALES
          Chapitre Ier | Champ d'application
            Article 1er
        TITRE II | DISPOSITIONS FINALES
          Article 2
    """)


def test_a_chinese_law() -> None:
    """Chapters have titles, articles run into their text, and the contents at the top are text."""
    text = """
        桥梁安全法

        目　　录

        第一章　总则
        第二章　附则

        第一章　总则

        第一条　为了保障桥梁安全，制定本法。

        第二条　在境内的桥梁适用本法。第三条规定的除外。

        第二章　附则

        第三条　本法自公布之日起施行。
    """
    assert outline(text) == ["第一章 | 总则", "  第一条", "  第二条", "第二章 | 附则", "  第三条"]


def test_a_contract_with_articles() -> None:
    """Centred articles have their titles below, sections run into their text, and references are none."""
    text = """
                              LICENSE AGREEMENT

             This License Agreement is entered into as of May 1, 2025, by and
        between Alpha Corporation and Beta Incorporated.

                                  ARTICLE I
                                 DEFINITIONS

             Section 1.01 Certain Defined Terms. As used in this Agreement, the
        following terms have the meanings set forth below.

             Section 1.02 Interpretation. Headings are for convenience only. Article
        IV and Section 4.01 shall be read together.

                                  ARTICLE II
                                   PAYMENT

             Section 2.01 Fees. Beta shall pay the fees, subject to Section
        1.02, within thirty days.

             Section 2.02 Late Payment. Interest accrues at two percent.

                                   EXHIBIT A
                                SOFTWARE LIST

             The Software consists of three programs.
    """
    assert outline(text) == lines("""
        ARTICLE I | DEFINITIONS
          Section 1.01 | Certain Defined Terms
          Section 1.02 | Interpretation
        ARTICLE II | PAYMENT
          Section 2.01 | Fees
          Section 2.02 | Late Payment
        EXHIBIT A | SOFTWARE LIST
    """)
    section = next(h for h in read(text).headings if h.number == "Section 2.02")
    assert read(text).text[section.end :].startswith("Interest accrues")


def test_a_contract_with_plain_numbers() -> None:
    """Numbered clauses without a title are text; numbers begin again in each schedule."""
    text = """
        SERVICES AGREEMENT

        This Agreement is made on 1 March 2026 between Alder Ltd and Birch Ltd.

        1. Definitions

        1.1 "Affiliate" means any company that controls, or is controlled by, a
        party to this Agreement.

        2. Term

        2.1 This Agreement begins on the Effective Date and runs for three years.

        3. Fees and Payment

        3.1 The Client shall pay the fees set out in Schedule 2.

        Section 2.1 does not limit clause 3.1.

        SCHEDULE 1
        THE SERVICES

        1. Hosting

        The Supplier hosts the software in two data centres.

        2. Support

        The Supplier answers the telephone on working days.

        SCHEDULE 2
        FEES

        The yearly fee is 40,000 euros.
    """
    assert outline(text) == lines("""
        1 | Definitions
        2 | Term
        3 | Fees and Payment
        SCHEDULE 1 | THE SERVICES
          1 | Hosting
          2 | Support
        SCHEDULE 2 | FEES
    """)


def test_a_text_with_a_paragraph_on_each_line() -> None:
    """Without blank lines and line breaks, numbered paragraphs with a title in front are sections."""
    filler = "It does so for as long as the other party keeps its own promises under this agreement, and no longer."
    text = "AGREEMENT\n" + "".join(
        f"{number}. {title}. The Provider gives the Customer what it has promised. {filler}\n"
        for number, title in enumerate(["Definitions", "Customer Responsibilities", "Fees and Taxes", "Term"], start=1)
    )
    assert outline(text) == ["1 | Definitions", "2 | Customer Responsibilities", "3 | Fees and Taxes", "4 | Term"]


def test_a_standard() -> None:
    """Clauses, annexes with their status below, lettered clauses in them, and back matter."""
    text = """
        Tape measures for surveying

        1 Scope

        This standard specifies requirements for tape measures.

        2 Terms and definitions

        2.1 General

        For the purposes of this document the following terms apply.

        3 Requirements

        Tapes shall be 20 m or 50 m long. See 2.1 and Annex A.

        Annex A
        (informative)
        Care of tapes

        A.1 Cleaning

        Tapes are cleaned with oil.

        A.2 Storage

        Tapes are stored dry.

        Bibliography

        [1] Another standard.
    """
    assert outline(text) == lines("""
        1 | Scope
        2 | Terms and definitions
          2.1 | General
        3 | Requirements
        Annex A | Care of tapes
          A.1 | Cleaning
          A.2 | Storage
        - | Bibliography
    """)


def test_a_licence() -> None:
    """Centred titles hold numbered ones; the title at the top and the end mark are no sections."""
    text = """
                        A GENERAL LICENCE FOR THINGS
                          Version 1, 1 March 2031

         Everyone is permitted to copy this document, and nobody is permitted
         to change it in any way.

                                    Preamble

          This licence is meant to guarantee your freedom to share things, and
        to make sure that they remain free for all of their users.

                              TERMS AND CONDITIONS

          0. Definitions.

          "This Licence" refers to version 1 of this licence.

          1. Basic Permissions.

          All rights granted under this Licence are granted for the term of
        copyright on the thing.

                           END OF TERMS AND CONDITIONS

                    How to Apply These Terms to Your Things

          Attach the following notices to the thing, at its beginning, so that
        each of them can be found.
    """
    assert outline(text) == lines("""
        - | Preamble
        - | TERMS AND CONDITIONS
          0 | Definitions
          1 | Basic Permissions
        - | How to Apply These Terms to Your Things
    """)
    assert read(text).title == "A GENERAL LICENCE FOR THINGS Version 1, 1 March 2031"


def test_roman_numerals_letters_and_numbers() -> None:
    """Three schemes in one another: I., A., 1., each beginning again below the next."""
    text = """
        Rule on Lanterns

        I. Background

        A. Statutory Authority

        The Act gives the agency authority.

        B. Earlier Rules

        There was a rule of 1999.

        II. Discussion

        A. Height

        1. Low lanterns

        Some commenters asked about low lanterns.

        2. High lanterns

        Others asked about high lanterns.

        B. Colour

        One commenter preferred green.
    """
    assert outline(text) == lines("""
        I | Background
          A | Statutory Authority
          B | Earlier Rules
        II | Discussion
          A | Height
            1 | Low lanterns
            2 | High lanterns
          B | Colour
    """)


def test_an_annual_report_with_page_numbers_in_its_contents() -> None:
    """Entries with page numbers are text; parts hold items."""
    text = """
        ANNUAL REPORT

        TABLE OF CONTENTS

        PART I
        Item 1.    Business                                              3
        Item 1A.   Risk Factors                                          9
        PART II
        Item 7.    Discussion of Results ...........................    22

        PART I

        Item 1. Business

        We make bricks. We sold 4 million bricks in the year.

        Item 1A. Risk Factors

        Demand for bricks may fall. See Item 7 for the effect on our results.

        PART II

        Item 7. Discussion of Results

        Sales rose by three percent.
    """
    assert outline(text)[-5:] == lines("""
        PART I
          Item 1 | Business
          Item 1A | Risk Factors
        PART II
          Item 7 | Discussion of Results
    """)


def test_underlined_titles() -> None:
    """The style of an underline is a level; tables and rules are no underlines; numbers are taken off."""
    text = """
        Manual
        ******

        1. First
        ========

        text

        1.1. Within
        -----------

        a     b
        ----  ----
        1     2

        A paragraph of more than
        one line
        --------

        2. Second
        =========

        1. item

        2. item
    """
    assert outline(text) == ["- | Manual", "  1 | First", "    1.1 | Within", "  2 | Second"]


def test_capitals_are_headings_only_as_a_scheme() -> None:
    """Lines in capitals are headings where there are several with text and nothing is numbered."""
    body = "Do not open the case. There are dangerous voltages inside,\neven when the device is switched off.\n\n"
    scheme = "ROUTER MANUAL\n\n" + body + "".join(f"{word}\n\n{body}" for word in ("SAFETY", "INSTALLATION", "REPAIR"))
    assert outline(scheme) == ["- | SAFETY", "- | INSTALLATION", "- | REPAIR"]
    assert outline(f"WARNING\n\n{body}") == []
    numbered = "".join(f"{number}. Part\n\n{body}STOP\n\n{body}" for number in range(1, 5))
    assert outline(numbered) == [f"{number} | Part" for number in range(1, 5)]


def test_a_manual_page() -> None:
    """In indented text the lines at the left edge are headings."""
    text = """
        NAME
               riverctl - control the river daemon

        SYNOPSIS
               riverctl [OPTION]... COMMAND

        DESCRIPTION
               riverctl sends commands to the daemon.  It waits for the answer and
               prints it.  If there is none, it ends with an error, and the daemon
               goes on with what it was doing.

               Commands are words.  They can be cut short, as long as they differ,
               and are not told apart by the case of their letters.

        SEE ALSO
               riverd(8)
    """
    assert outline(text) == ["- | NAME", "- | SYNOPSIS", "- | DESCRIPTION", "- | SEE ALSO"]


def test_a_letter_with_a_list_has_no_headings() -> None:
    """Lists, references and greetings in prose are none."""
    text = """
        Dear Anna,

        Thank you for your letter of 3 May. I have thought about it for a long
        time. Section 5 of the contract is clear, and Article 7 is not.

        Article 7 says little about keys, and Section 5 even less.

        1. Bring the keys.

        2. Lock the door.

        3. Turn off the light.

        I will be there at noon.

        Best wishes,

        Tom
    """
    assert outline(text) == []


@pytest.mark.parametrize("length", [3, 9])
def test_a_list_in_a_section_does_not_take_the_sections_numbers(length: int) -> None:
    """Short numbered paragraphs inside a section are items, even where they would go on from its number."""
    body = "This is the text of the section, which goes on for a while.\n" * 12 + "\n"
    items = "".join(f"{number}. Item of a list\n\nA line about it.\n\n" for number in range(1, length + 1))
    text = f"1. First\n\n{body}2. Second\n\n{body}{items}3. Third\n\n{body}4. Fourth\n\n{body}5. Fifth\n\n{body}"
    assert [line for line in outline(text) if "Item" not in line] == [
        "1 | First", "2 | Second", "3 | Third", "4 | Fourth", "5 | Fifth",
    ]  # fmt: skip


LINES = """CHAPTER I|Article 1|Article 2 Scope|Section 1.1 Term. The text.|1. One|1.1 Two|2. Three|A. Four|II. Five
|Annex A|=====|-----|   indented text|text that ends.|SHOUTING||||\f|第一条 文|Contents|1. One ...... 3|[Page 2]
|§ 5 Fünf|(a) item"""
words = st.sampled_from(LINES.replace("\n", "").split("|"))


@given(st.lists(words, max_size=40).map("\n".join) | st.text(max_size=200))
def test_any_text_becomes_a_tree_without_loss(text: str) -> None:
    """Whatever is in a file, its headings make a tree that holds all the extracted text."""
    source = extract(text.encode("utf-8", "replace"), name="x.txt")
    document = build_document(source, document_id="x", source="x", sha256="")
    document.check()
    assert len(document.text) == len(source.text)


@given(st.lists(words, max_size=40).map("\n".join))
def test_what_is_no_running_line_stays_in_the_text(text: str) -> None:
    """The words of a text are in its sections or among its running headers and footers, each of them."""
    source = extract(text.encode(), name="x.txt")
    kept = "".join(sorted("".join([source.text, *source.running_text]).split()))
    assert sorted(kept) == sorted("".join(text.split()))

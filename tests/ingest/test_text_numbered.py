"""Plain text of contracts, licences, standards and reports: numbered headings and what only looks like them."""

from __future__ import annotations

from plain_trees import lines, outline, read


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


def test_a_list_of_contents_shows_long_headings() -> None:
    """A heading of several sentences counts where the list of contents names it, its lines broken elsewhere."""
    body = "Some of it is known, and the rest is said below in as many words as it takes to say it here.\n" * 4
    text = f"""1. Ways to begin
    1.1. It is said to be broken. What does
    that mean? And who was it that said so?
    1.2. What is whole?
2. Ways to end
    2.1. The old one is gone. Is there a new one?

1. Ways to begin

{body}
1.1. It is said to be broken. What does that mean? And who was it
that said so?

{body}
1.2. What is whole?

{body}
2. Ways to end

{body}
2.1. The old one is gone. Is there a new one?

{body}"""
    assert outline(text) == lines("""
        1 | Ways to begin
          1.1 | It is said to be broken. What does that mean? And who was it that said so?
          1.2 | What is whole?
        2 | Ways to end
          2.1 | The old one is gone. Is there a new one?
    """)

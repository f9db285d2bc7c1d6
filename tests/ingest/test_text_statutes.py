"""Plain text of statutes: their nesting is learnt from the text, references and contents are no headings."""

from __future__ import annotations

from plain_trees import lines, outline


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


def test_a_statute_without_blank_lines() -> None:
    """Where no line is blank, short lines show where paragraphs end; wrapped references are no headings."""
    rule = (
        "1. A member state shall send the list that is referred to in Article 2 of\n"
        "this Regulation to the Commission within three months, except as far as\n"
        "Article 3 provides otherwise for lists that have been sent to the Board in\n"
        "Section 9 or before.\n"
    )
    text = "".join(
        f"CHAPTER {numeral}\nGeneral matters\n"
        + "".join(f"Article {n}\nLists of bridges\n{rule}{rule}" for n in numbers)
        for numeral, numbers in (("I", (1, 2, 3)), ("II", (4, 5, 6)))
    )
    assert outline(text) == [
        "CHAPTER I | General matters",
        *(f"  Article {number} | Lists of bridges" for number in (1, 2, 3)),
        "CHAPTER II | General matters",
        *(f"  Article {number} | Lists of bridges" for number in (4, 5, 6)),
    ]


def test_an_act_whose_titles_run_into_the_text() -> None:
    """A full stop and a dash end a title, whatever its length and its letters."""
    text = """
        THE RIVERS ACT, 2031

        CHAPTER I
        PRELIMINARY

        1. Short title, extent and commencement.—(1) This Act may be called the
        Rivers Act, 2031.

        (2) It extends to the whole of the island.

        2. Definitions.—In this Act, unless the context otherwise requires,—

        (a) "river" means a stream that has a name;

        CHAPTER II
        PROTECTION OF RIVERS

        3. Penalty for diverting a river without the permission of the Board.—Whoever
        diverts a river without permission shall be fined.
    """
    assert outline(text) == lines("""
        CHAPTER I | PRELIMINARY
          1 | Short title, extent and commencement
          2 | Definitions
        CHAPTER II | PROTECTION OF RIVERS
          3 | Penalty for diverting a river without the permission of the Board
    """)

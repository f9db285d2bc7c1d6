"""Plain text of statutes in other languages."""

from __future__ import annotations

from plain_trees import lines, outline


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

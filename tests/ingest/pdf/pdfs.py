"""Writes small PDF files: text at places, in fonts of known names, with bookmarks and page labels."""

from __future__ import annotations

from dataclasses import dataclass, field

import pypdfium2

from tocwalk.ingest.extracted import Extracted
from tocwalk.ingest.pdf import extract

REGULAR, BOLD, ITALIC, MONO = "Test-Regular", "Test-Bold", "Test-Italic", "TestMono-Regular"
_TEXT = (
    "has seen how the carrier of a letter walks through every street of this town and brings what "
    "was written far away to those who wait for it behind their doors while rain falls on roofs and "
    "gardens before the evening comes "
)
_WORDS = _TEXT.split()
WIDTH, HEIGHT = 612, 792
_TO_UNICODE = b"""/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /U def /CMapType 2 def
1 begincodespacerange <0000> <FFFF> endcodespacerange
1 beginbfrange <0000> <FFFF> <0000> endbfrange endcmap end end"""


@dataclass
class Page:
    """A page that is being written."""

    rotate: int = 0
    content: list[str] = field(default_factory=list)

    def text(self, x: float, y: float, text: str, size: float = 10, font: str = REGULAR, *, turn: int = 0) -> Page:
        """Write one text object at a place; every character is half as wide as it is high, Chinese ones as wide."""
        cos, sin = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}[turn]
        return self.raw(f"/{font} {size} Tf {cos} {sin} {-sin} {cos} {x} {y} Tm <{text.encode('utf-16-be').hex()}> Tj")

    def scaled(self, x: float, y: float, text: str, size: float, font: str = REGULAR, *, nominal: float = 1) -> Page:
        """Write text whose font size is nominal: the matrix makes it what it is on the page."""
        scale = size / nominal
        return self.raw(f"/{font} {nominal} Tf {scale} 0 0 {scale} {x} {y} Tm <{text.encode('utf-16-be').hex()}> Tj")

    def glyphs(self, x: float, y: float, text: str, size: float = 10, font: str = REGULAR, *, kern: float = 0) -> Page:
        """Write each character as a text object of its own, `kern` points further apart than their widths."""
        for character in text:
            if character != " ":
                self.text(round(x, 2), y, character, size, font)
            x += size / 2 + kern
        return self

    def bitmap(self, x: float, y: float, text: str, scale: float = 1) -> Page:
        """Write text in the font "Bitmap", in size 10 times the scale."""
        matrix = f"{0.12 * scale} 0 0 {0.12 * scale} {x} {y} Tm"
        return self.raw(f"/Bitmap 1 Tf {matrix} <{text.encode('ascii').hex()}> Tj")

    def raw(self, operators: str) -> Page:
        """Write text operators."""
        self.content.append(f"BT {operators} ET")
        return self

    def paragraph(
        self, x: float, y: float, lines: int, size: float = 10, *, width: int = 84, font: str = REGULAR
    ) -> float:
        """Write lines of running text from `y` down; return where the next paragraph would stand."""
        words = _WORDS * (1 + lines * width // len(" ".join(_WORDS)))
        text, place = "Nobody", 0
        for _ in range(lines - 1):
            while len(text) + 1 + len(words[place]) <= width:
                text, place = f"{text} {words[place]}", place + 1
            self.text(x, y, text, size, font)
            text, place, y = words[place], place + 1, y - 1.2 * size
        self.text(x, y, f"{text} ends here.", size, font)
        return y - 2.4 * size


class Pdf:
    """A file that is being written."""

    def __init__(self) -> None:
        self.pages: list[Page] = []
        self.bookmarks: list[tuple[int, str, int, float | None]] = []
        self.labels = ""
        self.title = ""
        self.properties = ""
        self.encrypted = False
        self.bitmaps = False
        """Whether the font "Bitmap" is there: Type 3, without a name, its glyphs drawn in pixels, 600 to the inch."""

    def page(self, rotate: int = 0) -> Page:
        """Add a page."""
        self.pages.append(Page(rotate))
        return self.pages[-1]

    def bookmark(self, level: int, title: str, page: int, y: float | None = None) -> None:
        """Add a bookmark: level and page count from 1."""
        self.bookmarks.append((level, title, page, y))

    def build(self) -> bytes:
        """Return the file."""
        objects: dict[int, bytes] = {}
        fonts = self._fonts(objects)
        first_page = len(objects) + 10
        kids: list[int] = []
        for index, page in enumerate(self.pages):
            number = first_page + 2 * index
            stream = "\n".join(page.content).encode()
            objects[number] = (
                f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDTH} {HEIGHT}] /Rotate {page.rotate}"
                f" /Resources << /Font << {fonts} >> >> /Contents {number + 1} 0 R >>"
            ).encode()
            objects[number + 1] = _stream(stream)
            kids.append(number)
        outlines = self._outlines(objects, kids, first_page + 2 * len(self.pages))
        labels = f"/PageLabels << /Nums [{self.labels}] >>" if self.labels else ""
        objects[1] = f"<< /Type /Catalog /Pages 2 0 R {outlines} {labels} >>".encode()
        references = " ".join(f"{kid} 0 R" for kid in kids)
        objects[2] = f"<< /Type /Pages /Kids [{references}] /Count {len(kids)} >>".encode()
        objects[3] = (
            b"<< /Title <feff"
            + self.title.encode("utf-16-be").hex().encode()
            + b"> "
            + self.properties.encode()
            + b" >>"
        )
        return self._file(objects)

    def _fonts(self, objects: dict[int, bytes]) -> str:
        objects[4] = _stream(_TO_UNICODE)
        names: list[str] = []
        for index, name in enumerate((REGULAR, BOLD, ITALIC, MONO)):
            number = 5 + 3 * index
            angle, flags = (-12, 96) if name == ITALIC else (0, 32)
            objects[number] = (
                f"<< /Type /Font /Subtype /Type0 /BaseFont /{name} /Encoding /Identity-H"
                f" /DescendantFonts [{number + 1} 0 R] /ToUnicode 4 0 R >>"
            ).encode()
            objects[number + 1] = (
                f"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /{name} /CIDSystemInfo << /Registry (Adobe)"
                f" /Ordering (Identity) /Supplement 0 >> /FontDescriptor {number + 2} 0 R /DW 500"
                f" /W [12288 65535 1000] >>"
            ).encode()
            objects[number + 2] = (
                f"<< /Type /FontDescriptor /FontName /{name} /Flags {flags} /FontBBox [0 -200 1000 800]"
                f" /ItalicAngle {angle} /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>"
            ).encode()
            names.append(f"/{name} {number} 0 R")
        if self.bitmaps:
            objects.update(_bitmap_font(number + 3))
            names.append(f"/Bitmap {number + 3} 0 R")
        return " ".join(names)

    def _outlines(self, objects: dict[int, bytes], kids: list[int], first: int) -> str:
        if not self.bookmarks:
            return ""
        root = first
        numbers = [first + 1 + index for index in range(len(self.bookmarks))]
        parents = [
            next((j for j in range(i - 1, -1, -1) if self.bookmarks[j][0] < level), None)
            for i, (level, *_) in enumerate(self.bookmarks)
        ]
        for i, (_, title, page, y) in enumerate(self.bookmarks):
            same = [j for j in range(len(parents)) if parents[j] == parents[i]]
            below = [j for j in range(len(parents)) if parents[j] == i]
            at = same.index(i)
            parent = parents[i]
            above = root if parent is None else numbers[parent]
            entry = f"<< /Title <feff{title.encode('utf-16-be').hex()}> /Parent {above} 0 R"
            entry += f" /Dest [{kids[page - 1]} 0 R /XYZ 0 {'null' if y is None else y} null]"
            entry += f" /Prev {numbers[same[at - 1]]} 0 R" if at else ""
            entry += f" /Next {numbers[same[at + 1]]} 0 R" if at + 1 < len(same) else ""
            entry += (
                f" /First {numbers[below[0]]} 0 R /Last {numbers[below[-1]]} 0 R /Count {len(below)}" if below else ""
            )
            objects[numbers[i]] = f"{entry} >>".encode()
        top = [numbers[i] for i, above_it in enumerate(parents) if above_it is None]
        objects[root] = f"<< /Type /Outlines /First {top[0]} 0 R /Last {top[-1]} 0 R /Count {len(top)} >>".encode()
        return f"/Outlines {root} 0 R"

    def _file(self, objects: dict[int, bytes]) -> bytes:
        body = b"%PDF-1.7\n"
        offsets: dict[int, int] = {}
        for number, content in sorted(objects.items()):
            offsets[number] = len(body)
            body += f"{number} 0 obj\n".encode() + content + b"\nendobj\n"
        size = max(objects) + 1
        table = b"".join(
            f"{offsets[number]:010} 00000 n \n".encode() if number in offsets else b"0000000000 65535 f \n"
            for number in range(size)
        )
        encrypt = ""
        if self.encrypted:
            key = "00" * 32
            encrypt = f"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <{key}> /U <{key}> >> /ID [<00> <00>]"
        trailer = f"trailer << /Size {size} /Root 1 0 R /Info 3 0 R {encrypt} >>\nstartxref\n{len(body)}\n%%EOF"
        return body + f"xref\n0 {size}\n".encode() + table + trailer.encode()


def _bitmap_font(number: int) -> dict[int, bytes]:
    """Return a Type 3 font of size 10 at 600 dots per inch: boxes as high as the letters they stand for."""
    codes = range(32, 127)
    names = {code: f"g{code}" for code in codes}
    procedures = " ".join(f"/{names[code]} {number + 1 + place} 0 R" for place, code in enumerate(codes))
    differences = " ".join(f"/{names[code]}" for code in codes)
    objects = {
        number: (
            f"<< /Type /Font /Subtype /Type3 /FontMatrix [1 0 0 1 0 0] /FontBBox [0 -20 80 90]"
            f" /CharProcs << {procedures} >>"
            f" /Encoding << /Type /Encoding /Differences [32 {differences}] >> /FirstChar 32 /LastChar 126"
            f" /Widths [{' '.join(['42'] * len(codes))}] >>"
        ).encode()
    }
    for place, code in enumerate(codes):
        height = 0 if code == 32 else 37 if chr(code) in "acemnorsuvwxz" else 57
        drawing = f"42 0 2 0 40 {height} d1 2 0 38 {height} re f"
        objects[number + 1 + place] = _stream(drawing.encode())
    return objects


def _stream(data: bytes) -> bytes:
    return f"<< /Length {len(data)} >>\nstream\n".encode() + data + b"\nendstream"


def read(pdf: Pdf) -> Extracted:
    """Write a file and read it."""
    return extract(pdf.build(), name="test.pdf")


def outline(pdf: Pdf) -> list[tuple[int, str | None, str]]:
    """Return level, number and title of a file's headings."""
    return [(heading.level, heading.number, heading.title) for heading in read(pdf).headings]


def squeezed(text: str) -> str:
    """Return a text without its white space."""
    return "".join(text.split())


def plain_text(data: bytes) -> str:
    """Return the text of a file as pdfium gives it."""
    with pypdfium2.PdfDocument(data) as document:
        return "".join(page.get_textpage().get_text_bounded() for page in document)

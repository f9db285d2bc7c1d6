"""Word files saved as "Strict Open XML": the same elements, in namespaces of other names (ECMA-376, part 4, 9)."""

from __future__ import annotations

import io
import re
import zipfile

__all__ = ["as_transitional"]

_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(officeDocument|wordprocessingml)/")
_TRANSITIONAL = rb"http://schemas.openxmlformats.org/\1/2006/"


def as_transitional(data: bytes) -> bytes:
    """Return a checked file in the namespaces that most files have; one that has them already is returned as it is."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    written = {name for name in entries if name.endswith((".xml", ".rels"))}
    if not any(_STRICT.search(entries[name]) for name in written):
        return data
    rewritten = io.BytesIO()
    with zipfile.ZipFile(rewritten, "w") as archive:
        for name, content in entries.items():
            archive.writestr(name, _STRICT.sub(_TRANSITIONAL, content) if name in written else content)
    return rewritten.getvalue()

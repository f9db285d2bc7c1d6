"""Short texts with a few characters that no text has."""

from __future__ import annotations

from pathlib import Path

import pytest

from tocwalk.ingest import read_document


@pytest.mark.parametrize("data", [b"# A\0b\n\ntext", b"# A\0b\n\ntex\0t"])
def test_a_short_text_with_a_nul_is_read_with_a_warning(tmp_path: Path, data: bytes) -> None:
    """Each NUL reads U+FFFD, and a warning says that characters were replaced."""
    path = tmp_path / "a.md"
    path.write_bytes(data)
    document = read_document(path, document_id="a.md", summaries="none")
    assert document.text == data.decode().replace("\0", "\ufffd")
    assert document.sections[1].title == "A\ufffdb"
    assert any("U+FFFD" in warning for warning in document.warnings)

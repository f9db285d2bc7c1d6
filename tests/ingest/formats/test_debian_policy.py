"""One real document in five formats, fetched from Debian when the test runs."""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
from difflib import SequenceMatcher
from itertools import combinations
from pathlib import Path

import pytest
from outlines import outline

from tocwalk.ingest.parse import parse_bytes

PACKAGE = "debian-policy"
AGREEMENT = 0.98
NOT_OF_THE_MANUAL = {"genindex", "search"}


@pytest.fixture(name="manual")
def _manual(tmp_path: Path) -> Path:
    """Return the folder of the package's documents."""
    if shutil.which("apt-get") is None:
        pytest.skip(f"{PACKAGE} is taken from Debian with apt-get, which this system does not have.")
    fetched = next((package for lists in ("system", "own") if (package := fetch(tmp_path, lists=lists))), None)
    if fetched is None:
        pytest.skip(f"apt-get cannot fetch {PACKAGE} from Debian: check the network and /etc/apt/sources.list.")
    subprocess.run(["dpkg-deb", "-x", str(fetched), str(tmp_path / "unpacked")], check=True)
    return tmp_path / "unpacked" / "usr" / "share" / "doc" / PACKAGE


def fetch(folder: Path, *, lists: str) -> Path | None:
    """Return the package's file, by the system's lists of packages or, where these are old or missing, by own ones."""
    apt = ["apt-get", "-qq", "-o", "APT::Sandbox::User=root"]
    if lists == "own":
        for kept in ("state/lists/partial", "cache/archives/partial"):
            (folder / kept).mkdir(parents=True)
        apt += ["-o", f"Dir::State={folder}/state", "-o", f"Dir::Cache={folder}/cache"]
        if subprocess.run([*apt, "update"], check=False, capture_output=True).returncode != 0:
            return None
    subprocess.run([*apt, "download", PACKAGE], cwd=folder, check=False, capture_output=True)
    return next(folder.glob(f"{PACKAGE}_*.deb"), None)


def parts_of(manual: Path) -> dict[str, list[tuple[str, bytes]]]:
    """Return the names and bytes of the files that the manual consists of in each format, in reading order."""
    pages = manual / "policy.html"
    linked = dict.fromkeys(re.findall(r'href="([\w-]+)\.html', (pages / "index.html").read_text(encoding="utf-8")))
    names = ["index", *(name for name in linked if name not in NOT_OF_THE_MANUAL | {"index"})]
    whole = ("policy.pdf", "policy.epub", "policy.txt")
    parts = {name: [(name, unpacked(manual / name))] for name in whole}
    parts["html"] = [(f"{name}.html", unpacked(pages / f"{name}.html")) for name in names]
    if (pages / "_sources").is_dir():
        parts["rst"] = [(f"{name}.rst", unpacked(pages / "_sources" / f"{name}.rst.txt")) for name in names]
    return parts


def unpacked(path: Path) -> bytes:
    """Return what is in a file, which Debian may have compressed."""
    return path.read_bytes() if path.exists() else gzip.decompress(path.with_name(f"{path.name}.gz").read_bytes())


def nested_titles(name: str, data: bytes) -> list[tuple[str, str]]:
    """Return the title of each section, and that of the section above it ("" at the top), as far as letters go."""
    document = parse_bytes(data, name=name, document_id=name, source=name, summaries="none")
    document.check()
    above = [""]
    found: list[tuple[str, str]] = []
    for depth, _, title in outline(document):
        del above[depth:]
        above.append(re.sub(r"[\W_]+", "", title.casefold()))
        found.append((above[-1], above[-2]))
    return found


def test_a_manual_has_one_tree_in_all_its_formats(manual: Path) -> None:
    """However a manual was published, its titles, their order and what they stand below are the same."""
    trees = {
        form: [pair for name, data in files for pair in nested_titles(name, data)]
        for form, files in parts_of(manual).items()
    }
    agreements = {
        (one, other): SequenceMatcher(None, trees[one], trees[other], autojunk=False).ratio()
        for one, other in combinations(trees, 2)
    }
    assert min(map(len, trees.values())) > 300
    assert {pair: share for pair, share in agreements.items() if share < AGREEMENT} == {}

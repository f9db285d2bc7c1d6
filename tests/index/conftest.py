"""What tests of the index share."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import tempfile
from collections.abc import Iterator
from multiprocessing.context import ForkServerContext
from pathlib import Path

import pytest

from tocwalk.index import TreeIndex
from tocwalk.index.sqlite import SqliteDatabase

_NOBODY = 65534


@pytest.fixture
def index(tmp_path: Path) -> Iterator[TreeIndex]:
    """Return a new, empty index."""
    with TreeIndex(tmp_path / "index.db") as made:
        yield made


@pytest.fixture
def database(index: TreeIndex, tmp_path: Path) -> Iterator[SqliteDatabase]:
    """Return the database of `index`, as another process would open it."""
    opened = SqliteDatabase(tmp_path / "index.db")
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def processes() -> ForkServerContext:
    """Return what starts processes that have imported the index already, so that a sweep of them is quick."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tocwalk.index"])
    return context


@pytest.fixture
def ordinary_user() -> Iterator[Path]:
    """Give the test a folder of its own and the rights of an ordinary user: root may write everything."""
    folder = Path(tempfile.mkdtemp(prefix="tocwalk-"))
    is_root = os.geteuid() == 0
    if is_root:
        os.chown(folder, _NOBODY, -1)
        os.seteuid(_NOBODY)
    try:
        yield folder
    finally:
        if is_root:
            os.seteuid(0)
        folder.chmod(0o700)
        shutil.rmtree(folder)

"""A page that steps through the graph, as `make studio` serves it, and a browser without a window."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from selenium import webdriver

ROOT = Path(__file__).parents[2]
WAIT_S = 60


@pytest.fixture
def chromium() -> tuple[str, str]:
    """Return where the browser and its driver are."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if not (browser and driver):
        pytest.skip("There is no Chromium with its driver: `apt-get install chromium chromium-driver`.")
    return browser, driver


@pytest.fixture
def page(chromium: tuple[str, str], tmp_path: Path, unused_tcp_port_factory: Callable[[], int]) -> Iterator[str]:
    """Return the address at which `make studio` serves its page, over an index of its own."""
    port = unused_tcp_port_factory()
    log = tmp_path / "studio.log"
    command = ["make", "-o", ".venv/.dev-installed", "studio", f"BIN={Path(sys.executable).parent}"]
    with log.open("wb") as out:
        process = subprocess.Popen(
            [*command, f"STUDIO_PORT={port}", f"SERVE_HOME={tmp_path / 'home'}"],
            cwd=ROOT,
            env=os.environ | {"TOCWALK_INDEX": str(tmp_path / "nowhere.db")},
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        address = f"http://127.0.0.1:{port}"
        _wait_for_the_graph(address, process, log)
        yield address
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(WAIT_S)


@pytest.fixture
def browser(chromium: tuple[str, str]) -> Iterator[webdriver.Chrome]:
    """Return a headless Chromium that writes down what it loads."""
    binary, driver = chromium
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    # CI runs as root, in a container with little shared memory.
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1500,950"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL"})
    opened = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    try:
        yield opened
    finally:
        opened.quit()


def _wait_for_the_graph(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    """Return when the page knows the graph's nodes; fail with its log if it does not."""
    with httpx.Client(timeout=WAIT_S) as http:
        for _ in range(WAIT_S * 10):
            if process.poll() is not None:
                break
            try:
                if http.get(f"{address}/api/graph", params={"graph": "retrieval"}).json()["nodes"]:
                    return
            except httpx.TransportError:
                pass
            try:
                process.wait(timeout=0.1)
            except subprocess.TimeoutExpired:
                continue
    pytest.fail(f"The page did not come:\n{log.read_text(errors='replace')[-4000:]}")

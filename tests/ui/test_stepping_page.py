"""A person steps through a walk in a browser."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.expected_conditions import element_to_be_clickable
from selenium.webdriver.support.wait import WebDriverWait

SCREENSHOT = Path(__file__).parents[2] / "docs/images/stepping.png"
QUESTION = "How far ahead of its running card may a bus be?"
LANDED = "Departure and Running Times"
WAIT_S = 60


def test_a_walk_is_paused_before_its_choice_is_checked_and_resumed(browser: Chrome, page: str) -> None:
    """The question is typed in, the walk waits before validate_choice with the decision made, goes on when told to,
    and shows the section it landed on; nothing is loaded from another machine.
    """
    browser.get(page)
    _wait_until_drawn(browser)
    _clickable(browser, By.ID, "newrun").click()
    box = _clickable(browser, By.ID, "input-json")
    _wait(browser).until(lambda _: '"query"' in _value(box))
    box.clear()
    box.send_keys(json.dumps({"query": QUESTION}))
    _clickable(browser, By.CSS_SELECTOR, '.pause-chip[data-n="validate_choice"]').click()
    _clickable(browser, By.ID, "do-run").click()

    paused = _run(browser, "interrupted")
    assert _written_by(paused) == ["start_walk", "budget_check", "present_children", "navigator_decide"]
    if os.environ.get("UPDATE_SCREENSHOTS"):
        _clickable(browser, By.ID, "livebanner")
        browser.save_screenshot(str(SCREENSHOT))
    _clickable(browser, By.CSS_SELECTOR, '[data-v="runs"]').click()
    _clickable(browser, By.CSS_SELECTOR, f"#rrow-{paused['id']}").click()
    _clickable(browser, By.XPATH, "//button[normalize-space()='Resume']").click()

    finished = _run(browser, "done")
    assert _written_by(finished)[0] == "validate_choice"
    assert _written_by(finished)[-1] == "emit_landed"
    browser.refresh()
    _clickable(browser, By.CSS_SELECTOR, '[data-v="runs"]').click()
    _clickable(browser, By.CSS_SELECTOR, f"#rrow-{finished['id']}").click()
    _clickable(browser, By.XPATH, "//*[contains(@class, 'tr-row') and contains(., 'emit_landed')]").click()
    _wait(browser).until(lambda opened: LANDED in opened.find_element(By.TAG_NAME, "body").text)
    assert _loaded_from_elsewhere(browser, page) == []


def _wait(browser: Chrome) -> WebDriverWait[Chrome]:
    return WebDriverWait(browser, WAIT_S)


def _clickable(browser: Chrome, by: str, name: str) -> WebElement:
    return _wait(browser).until(element_to_be_clickable((by, name)))


def _value(box: WebElement) -> str:
    return str(box.get_property("value"))


def _wait_until_drawn(browser: Chrome) -> None:
    """Wait until the drawing has all nodes of the graph, those that begin and end it included."""
    drawn = "return typeof cy === 'undefined' || !cy ? 0 : cy.nodes().length"
    _wait(browser).until(lambda page: page.execute_script(drawn) == 8)


def _run(browser: Chrome, status: str) -> dict[str, Any]:
    """Return the run that has come to this status, as the page's own data have it."""
    listed = "return fetch('/api/runs').then(answer => answer.json())"

    def latest(page: Chrome) -> Any:
        runs = page.execute_script(listed)["runs"]
        return next((one for one in runs if one["status"] == status), None)

    found = _wait(browser).until(latest)
    return dict(browser.execute_script("return fetch('/api/runs/' + arguments[0]).then(a => a.json())", found["id"]))


def _written_by(run: dict[str, Any]) -> list[str]:
    """Return the nodes that ran, in order."""
    return [span["name"] for span in run["spans"] if span["type"] == "node" and not span["parent_id"]]


def _loaded_from_elsewhere(browser: Chrome, page: str) -> list[str]:
    """Return the addresses of other machines that the page asked for something."""
    log: Any = browser
    events = [json.loads(entry["message"])["message"] for entry in log.get_log("performance")]
    asked = [e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"]
    return [url for url in asked if not url.startswith((page, "data:", "blob:", "chrome:"))]

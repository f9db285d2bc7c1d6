"""The index graph: documents in, trees out."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from tocwalk.errors import InputError, SettingsError
from tocwalk.graph import WalkGraph, build_index_graph, build_retrieval_graph
from tocwalk.index import TreeIndex
from tocwalk.state.operator import OperatorSettings

HANDBOOK = "# Handbook\n\n## Leave\n\nThirty days a year.\n\n## Pay\n\nMonthly.\n"


def encoded(data: bytes) -> str:
    """Return bytes as an upload has them."""
    return base64.b64encode(data).decode()


@pytest.fixture
def opened(tmp_path: Path) -> Path:
    """Return a folder that the operator has opened, with a secret beside it."""
    (tmp_path / "secret.md").write_text("# Secret\n\nNobody may read this.\n")
    folder = tmp_path / "opened"
    (folder / "staff").mkdir(parents=True)
    (folder / "staff" / "handbook.md").write_text(HANDBOOK)
    return folder


@pytest.fixture
def graph(index: TreeIndex, opened: Path) -> WalkGraph:
    """Return the graph over the index and the opened folder."""
    return build_index_graph(index=index, operator=OperatorSettings(index_roots=(opened,), index_max_bytes=10_000))


def statuses(output: Any) -> dict[str, tuple[str, str]]:
    """Return by its id what became of each document, and why."""
    return {one["id"]: (one["status"], one["reason"]) for one in output["documents"]}


def test_a_text_becomes_a_tree_that_walks_find(graph: WalkGraph, index: TreeIndex) -> None:
    """What is sent as text comes back as its outline, and a walk over the same index lands in it."""
    output = graph.invoke({"texts": [{"name": "handbook.md", "text": HANDBOOK}], "metadata": {"year": 2026}})
    (outline,) = output["outlines"]
    assert [section["title"] for section in outline["sections"]] == ["Handbook", "Handbook", "Leave", "Pay"]
    assert outline["document"]["metadata"]["year"] == 2026
    assert output["index_version"] == index.generation("default")
    found = build_retrieval_graph(index=index).invoke({"query": "How much leave?", "filters": {"year": 2026}})
    assert "Thirty days" in found["sections"][0]["text"]


def test_files_of_any_format_come_in_base64(graph: WalkGraph) -> None:
    """A file is told by its content, and its name with folders is its document's id."""
    page = b"<html><body><h1>Manual</h1><p>Words.</p><h2>Brakes</h2><p>More words.</p></body></html>"
    output = graph.invoke({"files": [{"name": "cars/manual.html", "content": encoded(page)}], "corpus": "cars"})
    assert output["outlines"][0]["document"]["id"] == "cars/manual.html"
    assert output["outlines"][0]["document"]["media_type"] == "text/html"


def test_one_that_fails_stops_no_other(graph: WalkGraph) -> None:
    """Each document is reported for itself, with a reason and a message that names it."""
    output = graph.invoke(
        {
            "files": [
                {"name": "broken.pdf", "content": encoded(b"%PDF-1.7 and then nothing")},
                {"name": "letters.md", "content": "not base64!"},
                {"name": "empty.md", "content": ""},
            ],
            "texts": [{"name": "good.md", "text": HANDBOOK}],
        }
    )
    assert statuses(output) == {
        "broken.pdf": ("failed", "parse_failed"),
        "letters.md": ("failed", "not_base64"),
        "empty.md": ("failed", "empty_file"),
        "good.md": ("stored", ""),
    }
    assert all(one["id"] in one["message"] for one in output["documents"] if one["status"] == "failed")
    assert "tocwalk-" not in json.dumps(output)
    assert [one["document"]["id"] for one in output["outlines"]] == ["good.md"]


def test_what_has_not_changed_is_not_read_again(graph: WalkGraph) -> None:
    """The same text is unchanged the second time, another one replaces it, and both have their outline."""
    first = {"texts": [{"name": "a.md", "text": HANDBOOK}]}
    assert statuses(graph.invoke(first)) == {"a.md": ("stored", "")}
    again = graph.invoke(first)
    assert statuses(again) == {"a.md": ("unchanged", "")}
    assert len(again["outlines"]) == 1
    assert statuses(graph.invoke({"texts": [{"name": "a.md", "text": HANDBOOK + "\n## New\n\nText.\n"}]})) == {
        "a.md": ("replaced", "")
    }


def test_without_opened_folders_no_path_is_read(index: TreeIndex, opened: Path) -> None:
    """By default the server reads no paths, and the message names the variable that opens folders."""
    graph = build_index_graph(index=index, operator=OperatorSettings())
    with pytest.raises(SettingsError, match="TOCWALK_INDEX_ROOTS"):
        graph.invoke({"paths": [str(opened)]})


@pytest.mark.parametrize("path", ["staff/handbook.md", "staff", ".", "./staff/../staff/handbook.md"])
def test_paths_are_below_the_opened_folder(graph: WalkGraph, path: str) -> None:
    """However a file is named, its document's id is its path below the opened folder."""
    assert statuses(graph.invoke({"paths": [path]})) == {"staff/handbook.md": ("stored", "")}


@pytest.mark.parametrize("path", ["../secret.md", "staff/../../secret.md", "/etc/passwd", "..", "/"])
def test_paths_that_lead_out_are_refused(graph: WalkGraph, path: str) -> None:
    """No path reaches what lies outside, whether there is something or not."""
    output = graph.invoke({"paths": [path, "staff"]})
    assert statuses(output) == {path: ("failed", "outside_roots"), "staff/handbook.md": ("stored", "")}


@pytest.mark.parametrize("path", ["\ud800.md", "a\0b", "", " ", "x" * 5000, "staff/handbook.md/more"])
def test_what_is_no_path_is_refused_alone(graph: WalkGraph, path: str) -> None:
    """What cannot be a path, or leads to nothing, fails for itself, in an output that can be sent."""
    output = graph.invoke({"paths": [path, "staff"]})
    refused, found = output["documents"]
    assert (refused["status"], refused["reason"], found["status"]) == ("failed", "not_found", "stored")
    assert json.dumps(output, ensure_ascii=False).encode()


def test_links_that_lead_out_are_refused(graph: WalkGraph, opened: Path) -> None:
    """A link to a file or a folder outside is refused, named or found; one that stays inside is followed."""
    (opened / "link.md").symlink_to(opened.parent / "secret.md")
    (opened / "folder").symlink_to(opened.parent)
    (opened / "inside.md").symlink_to(opened / "staff" / "handbook.md")
    found = statuses(graph.invoke({"paths": ["."]}))
    assert found.pop("link.md") == ("failed", "outside_roots")
    assert set(found) <= {"inside.md", "staff/handbook.md"}
    assert statuses(graph.invoke({"paths": ["link.md", "folder/secret.md", "folder"]})) == {
        "link.md": ("failed", "outside_roots"),
        "folder/secret.md": ("failed", "outside_roots"),
        "folder": ("failed", "outside_roots"),
    }


def test_hidden_files_are_not_read(graph: WalkGraph, opened: Path) -> None:
    """Hidden files are left out of folders, and refused by name."""
    (opened / ".env").write_text("KEY=secret")
    assert statuses(graph.invoke({"paths": [".", ".env"]})) == {
        "staff/handbook.md": ("stored", ""),
        ".env": ("failed", "hidden"),
    }


def test_other_kinds_of_files_in_folders_are_passed_over(graph: WalkGraph, opened: Path) -> None:
    """A picture in a folder is skipped; named itself it has failed."""
    (opened / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    assert statuses(graph.invoke({"paths": ["."]}))["picture.png"] == ("skipped", "unsupported")
    assert statuses(graph.invoke({"paths": ["picture.png"]}))["picture.png"] == ("failed", "unsupported")


@pytest.mark.parametrize("name", ["../up.md", "/etc/passwd", "a//b.md", "", ".hidden.md", "a\\b.md", "a\0b", "x" * 300])
def test_names_of_uploads_lead_nowhere(graph: WalkGraph, name: str) -> None:
    """A name that could lead out of where uploads are kept is refused."""
    output = graph.invoke({"texts": [{"name": name, "text": HANDBOOK}, {"name": "good.md", "text": HANDBOOK}]})
    assert statuses(output) == {name: ("failed", "bad_name"), "good.md": ("stored", "")}


def test_an_upload_does_not_take_the_place_of_a_file(graph: WalkGraph) -> None:
    """Two sources with one id conflict, and the first stays."""
    graph.invoke({"paths": ["staff"]})
    output = graph.invoke({"texts": [{"name": "staff/handbook.md", "text": "# Other\n\nText.\n"}]})
    assert statuses(output) == {"staff/handbook.md": ("failed", "not_stored")}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "Nothing to index"),
        ({"texts": [{"name": "a.md"}]}, "texts.0.text"),
        ({"texts": [{"name": "a.md", "text": "x" * 20_000}]}, "TOCWALK_INDEX_MAX_BYTES"),
        ({"files": [{"name": "a.md", "content": "x" * 20_000}]}, "TOCWALK_INDEX_MAX_BYTES"),
        ({"texts": [{"name": "a.md", "text": ""}] * 1001}, "1000 are the most"),
    ],
)
def test_input_that_cannot_be_used_is_refused(graph: WalkGraph, given: dict[str, Any], message: str) -> None:
    """Nothing, too much or the wrong form fails the run, and the message says what."""
    with pytest.raises(InputError, match=message):
        graph.invoke(given)


def test_each_document_is_streamed_as_it_is_done(graph: WalkGraph) -> None:
    """One event for each document says in a line what became of it."""
    given = {"texts": [{"name": "a.md", "text": HANDBOOK}, {"name": "b.md", "text": " "}]}
    events = list(graph.stream(given, stream_mode="custom"))
    lines = {event["summary"] for event in events}
    assert "stored a.md: 4 sections" in lines
    assert any(line.startswith("failed b.md: ") for line in lines)


def test_of_two_documents_with_one_id_the_first_is_stored(graph: WalkGraph, index: TreeIndex) -> None:
    """Two documents of one run that would have the same id do not race: the first is stored, the other refused."""
    texts = [{"name": "twice.md", "text": f"# {title}\n\nWords.\n"} for title in ("First", "Second")]
    done = graph.invoke({"texts": texts})
    assert [one["status"] for one in done["documents"]] == ["stored", "failed"]
    assert done["documents"][1]["reason"] == "same_id"
    assert [one["document"]["title"] for one in done["outlines"]] == ["First"]
    assert index.document("default", "twice.md").title == "First"


async def test_outlines_are_left_out_on_request(graph: WalkGraph) -> None:
    """With `outlines` false the reports come alone, asynchronously too."""
    given = {"texts": [{"name": "a.md", "text": HANDBOOK}]}
    output = await graph.ainvoke(given, context={"outlines": False, "summaries": "none"})
    assert output["outlines"] == []
    assert statuses(output) == {"a.md": ("stored", "")}


def test_settings_are_checked(graph: WalkGraph) -> None:
    """A setting that does not exist is named."""
    with pytest.raises(SettingsError, match="chunks"):
        graph.invoke({"texts": [{"name": "a.md", "text": HANDBOOK}]}, context={"chunks": 3})


def test_tenants_do_not_see_each_other(tmp_path: Path) -> None:
    """Two tenants of one index file have a document of the same name each, and neither finds the other's."""
    location = tmp_path / "shared.db"
    for tenant, title in (("a", "Apples"), ("b", "Bananas")):
        text = f"# {title}\n\n## Store\n\nKeep {title} cool.\n"
        build_index_graph(index=location, tenant=tenant).invoke({"texts": [{"name": "fruit.md", "text": text}]})
    for tenant, title in (("a", "Apples"), ("b", "Bananas")):
        found = build_retrieval_graph(index=location, tenant=tenant).invoke({"query": "How is it stored?"})
        assert all(title in section["path"][0] for section in found["sections"])


def test_a_tenant_beside_an_open_index_is_refused(index: TreeIndex) -> None:
    """An index that is open has its tenant; another beside it would be ignored."""
    with pytest.raises(SettingsError, match="tenant='acme'"):
        build_index_graph(index=index, tenant="acme")
    with pytest.raises(SettingsError, match="tenant='acme'"):
        build_retrieval_graph(index=index, tenant="acme")

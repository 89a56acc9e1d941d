"""The page as a file: everything is in it, and all text is text."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest

from linspector_allennlp.report.page.html_page import html_page, in_script, plotly_bundle
from tests.report.page.made_pages import EVIL, small_page


class Reader(HTMLParser):
    """The tags of a page, and the content of its scripts."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.scripts, self.texts, self._in = [], [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self._in = tag
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag):
        self._in = None

    def handle_data(self, text):
        if self._in == "script":
            self.scripts[-1] += text
        else:
            self.texts.append(text)


@pytest.fixture(scope="module")
def page():
    return html_page(small_page(EVIL))


@pytest.fixture(scope="module")
def read(page):
    return Reader(page)


def test_labels_are_text(read):
    """No tag comes from a label, wherever it is."""
    assert len(read.scripts) == 3
    assert EVIL in "".join(read.texts)
    assert [a["aria-label"] for t, a in read.tags if a.get("class") == "chart"][0].count(EVIL) == 2


def test_labels_within_data(read):
    data = read.scripts[0]
    assert not re.search("[<>&\u2028\u2029]", data)
    found = json.loads(data)
    assert found["title"] == EVIL and found["tables"]["first"]["values"][0][0] == EVIL
    assert found["facets"] == {"task": [EVIL, "Tense"]}


def test_in_script():
    content = ["</script>", "<!--", "\u2028", 0.5, None]
    text = in_script(content)
    assert json.loads(text) == content and "<" not in text and "\u2028" not in text
    with pytest.raises(ValueError):
        in_script(float("nan"))


def test_nothing_is_elsewhere(page, read):
    """No address outside, but for those that are in the text of Plotly's own program."""
    assert page.count(plotly_bundle()) == 1
    assert not re.search(r"https?:|//[a-z]+\.", page.replace(plotly_bundle(), ""))
    for _, attributes in read.tags:
        for name in ("src", "href", "action", "srcset"):
            assert re.match("#|data:", attributes.get(name) or "#")
    assert len(page.encode()) < 5_100_000


def test_no_other_script_runs(read):
    policy = next(a["content"] for t, a in read.tags if t == "meta" and "http-equiv" in a)
    assert policy.startswith("default-src 'none'; ")
    allowed = re.search("script-src ([^;]*);", policy)[1].split()
    digests = [hashlib.sha256(text.encode()).digest() for text in read.scripts[1:]]
    assert allowed == [f"'sha256-{base64.b64encode(d).decode()}'" for d in digests]


def test_tables_are_as_the_model_has_them(read):
    table = json.loads(read.scripts[0])["tables"]["heat"]
    assert table["columns"] == [
        ["task", "task", "text"],
        ["value", "score", "percent"],
        ["p_value", "p", "p"],
    ]
    assert table["values"][1:] == [[0.5, None], [0.04, 0.0001]]


def test_headings_follow_each_other(read):
    levels = [int(tag[1]) for tag, _ in read.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after - before <= 1 for before, after in zip(levels, levels[1:]))

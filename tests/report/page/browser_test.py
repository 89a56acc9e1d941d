"""A headless Chromium opens the page from disk, and uses it as a reader does."""

import csv

import pandas
import pytest

from linspector_allennlp.report.page.build import build_page
from linspector_allennlp.report.page.html_page import html_page
from linspector_allennlp.report.page.report_data import ReportData
from tests.conftest import ROOT
from tests.report.page.browser import Browser, axe_core, chromium
from tests.report.page.made_pages import small_page

pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no chromium: make browser")

STUDY = ROOT / "fixtures/study"
EVIL = "<script>alert(1)</script>"
SCORES = "[data-table=scores]"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("browser")


@pytest.fixture(scope="module")
def page(folder):
    """The page of the small study, with a name that would be a script; its address."""
    table = ReportData.of_csv(STUDY / "results.csv").table
    table["representation"] = table["representation"].replace("bpe", EVIL)
    predictions = pandas.read_csv(STUDY / "predictions.csv", keep_default_na=False)
    path = folder / "report.html"
    path.write_text(html_page(build_page(ReportData(f"Study {EVIL}", table, predictions))))
    return path.as_uri()


@pytest.fixture(scope="module")
def chrome(folder):
    found = Browser(folder / "profile")
    found.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
    yield found
    found.close()


@pytest.fixture
def browser(chrome, page):
    chrome.open(page)
    yield chrome
    assert chrome.messages == []
    assert [r for r in chrome.requests if not r.startswith(("data:", "blob:"))] == [page]


def drawn(browser):
    browser.wait("document.documentElement.dataset.drawn === 'all'")


def column(browser, table, number):
    return browser.run(
        f"[...document.querySelectorAll('{table} tbody tr')].map(r => r.cells[{number}].textContent)"
    )


def titles(browser, table=SCORES):
    return browser.run(f"[...document.querySelectorAll('{table} th')].map(h => h.textContent)")


def choose(browser, facet, *values):
    """Leaves only these checked, with real clicks."""
    browser.run(
        f"""for (const box of document.querySelectorAll('input[name={facet}]'))
            if (box.checked !== {list(values)}.includes(box.value)) box.click()"""
    )
    drawn(browser)


def saved(browser, folder, name):
    path = folder / name
    for _ in range(100):
        if path.exists() and path.stat().st_size:
            return path
        browser.run("new Promise(done => setTimeout(done, 50))")
    raise TimeoutError(f"{name} was not saved; there is {[each.name for each in folder.iterdir()]}")


def test_all_charts_are_drawn(browser):
    charts = browser.run("document.querySelectorAll('.chart').length")
    assert (
        charts
        == browser.run("document.querySelectorAll('.chart .main-svg:first-of-type').length")
        > 20
    )
    kinds = browser.run(
        "[...new Set([...document.querySelectorAll('.chart')].flatMap(c => c.data.map(t => t.type)))].sort()"
    )
    assert kinds == ["bar", "heatmap", "scatter", "scatterpolar"]


def test_a_label_is_text(browser):
    assert browser.run("document.querySelector('h1').textContent") == f"Study {EVIL}"
    assert EVIL in column(browser, SCORES, titles(browser).index("representation"))
    in_legend = "[...document.querySelectorAll('.chart .legendtext')].map(t => t.textContent)"
    assert EVIL in browser.run(in_legend)
    assert browser.run("document.querySelectorAll('script').length") == 3


def test_sorting_by_keyboard(browser):
    place = titles(browser).index("score")
    head = f"document.querySelectorAll('{SCORES} th')[{place}]"
    before = column(browser, SCORES, place)
    browser.run(f"{head}.querySelector('button').focus()")
    for direction, reverse in (("descending", True), ("ascending", False)):
        browser.press("Enter")
        assert browser.run(f"{head}.ariaSort") == direction
        assert column(browser, SCORES, place) == sorted(before, key=float, reverse=reverse)
    assert (
        browser.run(f"[...document.querySelectorAll('{SCORES} [aria-sort=ascending]')].length") == 1
    )


def test_the_keyboard_reaches_everything_in_order(browser):
    seen = []
    for _ in range(30):
        browser.press("Tab")
        seen.append(browser.run("document.activeElement.textContent.trim().slice(0, 20)"))
    assert seen[:3] == ["To the results", "Summary", "Scores"]
    assert ["Language", "Level", "Task", "Representation", "Link to this view"] == [
        text for text in seen if text in ("Language", "Level", "Task", "Representation", "Link to this view")
    ]  # fmt: skip
    assert any(text.startswith("level") for text in seen)  # the head of the first table


def test_the_filter(browser):
    names = titles(browser)
    choose(browser, "language", "turkish")
    choose(browser, "task", "Case", "Tense")
    assert set(column(browser, SCORES, names.index("language"))) == {"turkish"}
    assert set(column(browser, SCORES, names.index("task"))) == {"Case", "Tense"}
    shown = browser.run(
        "[...document.querySelectorAll('#bars figure')].map(f => [f.querySelector('h3').textContent, f.hidden])"
    )
    hidden = {title.split(": ")[1]: is_hidden for title, is_hidden in shown}
    assert hidden["type_level, finnish"] and not hidden["type_level, turkish"]
    bars = (
        "[...document.querySelectorAll('#bars figure:not([hidden]) .chart')].filter(c => c.data)[0]"
    )
    assert browser.run(f"{bars}.data[0].x") == ["Case", "Tense"]
    choose(browser, "representation", "fasttext", EVIL)
    assert browser.run(f"{bars}.data.filter(t => t.type === 'bar').map(t => t.name)") == [
        EVIL.replace("<", "&lt;").replace(">", "&gt;"), "fasttext",
    ]  # fmt: skip
    assert "1 of 2 languages" in browser.run("document.getElementById('shown').textContent")
    browser.run("document.getElementById('reset').click()")
    drawn(browser)
    assert len(column(browser, SCORES, 0)) == 84


def test_nothing_is_left(browser):
    choose(browser, "task")
    assert column(browser, SCORES, 0) == ["Nothing is shown."]
    assert "Nothing is shown." in browser.run("document.querySelector('#bars .chart').textContent")


def test_a_link_to_a_view(browser, page):
    choose(browser, "representation", EVIL)
    browser.run(f"document.querySelectorAll('{SCORES} th button')[2].click()")
    rows = column(browser, SCORES, 2)
    address = browser.run("location.href")
    assert address == browser.run("document.getElementById('view').href") and "#view?" in address
    browser.open(address)
    assert column(browser, SCORES, 2) == rows and len(rows) == 12
    assert browser.run("document.querySelector('input[name=language]').checked")
    browser.open(page)  # what is asked for at the end is the page alone


@pytest.mark.parametrize(
    "hash",
    [
        "#view?task=%E0%A4%A",
        "#view?sort.%E0%A4%A=a,ascending",
        "#view?sort.none=x,y&__proto__=1&task=",
        "#bars",
    ],
)
def test_a_broken_link_breaks_nothing(chrome, page, hash):
    chrome.open(page + hash)
    assert chrome.messages == []
    assert chrome.run("document.querySelectorAll('tbody tr').length") > 0


def test_files_of_a_table(browser, folder):
    choose(browser, "task", "Case")
    for kind in ("CSV", "LaTeX"):
        browser.run(f"document.querySelector('{SCORES} [aria-label^=\"Save as {kind}\"]').click()")
    with open(saved(browser, folder, "scores.csv"), encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 16 and {row["task"] for row in rows} == {"Case"}
    assert EVIL in {row["representation"] for row in rows} and float(rows[0]["value"]) < 1
    text = saved(browser, folder, "scores.tex").read_text(encoding="utf-8")
    assert "\\toprule" in text and "All rows: level type\\_level, " in text
    assert text.count("\\\\\n") == 17 and "\\caption{All scores." in text


def test_files_of_a_figure(browser, folder):
    figure = "document.querySelector('#radar figure')"
    key = browser.run(f"{figure}.dataset.figure")
    for kind in ("PNG", "SVG"):
        browser.run(f"{figure}.querySelector('[aria-label^=\"Save as {kind}\"]').click()")
    assert saved(browser, folder, f"{key}.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in saved(browser, folder, f"{key}.svg").read_text(encoding="utf-8")


def test_the_table_of_a_figure(browser):
    browser.run("document.querySelector('#heat details').open = true")
    browser.wait("document.querySelectorAll('#heat details[open] tbody tr').length === 32")


@pytest.mark.parametrize("width", [1200, 390])
@pytest.mark.parametrize("dark", [False, True])
def test_light_and_dark_wide_and_narrow(chrome, page, width, dark):
    chrome.open(page, width=width, dark=dark)
    assert chrome.run("document.documentElement.scrollWidth") <= width
    colour = chrome.run("getComputedStyle(document.body).backgroundColor")
    assert colour == ("rgb(22, 24, 27)" if dark else "rgb(255, 255, 255)")
    text = chrome.run("document.querySelector('.chart .xtick text').style.fill")
    assert text == ("rgb(236, 236, 236)" if dark else "rgb(26, 26, 26)")
    assert chrome.messages == []


def test_a_chart_follows_the_window(browser):
    """Wider where the window is, and never less high than it was made."""
    charts = "[...document.querySelectorAll('#bars .chart')].filter(c => c.offsetParent)"
    size = f"{charts}.map(c => [c.querySelector('.main-svg').clientWidth, c.scrollHeight])"
    wide = browser.run(size)
    browser.resize(800)
    browser.wait(f"{charts}.every(c => c.querySelector('.main-svg').clientWidth < 800)")
    drawn(browser)
    narrow = browser.run(size)
    assert all(one[0] > other[0] and one[1] >= 380 <= other[1] for one, other in zip(wide, narrow))


def test_names_have_room_on_a_phone(chrome, page):
    """A chart that does not fit is scrolled, and not squeezed: a cell has room for its number."""
    chrome.open(page, width=390)
    cells = chrome.run(
        """[...document.querySelectorAll('#correlation .chart')].map(chart => {
            const { x } = chart.data[0], { l, r } = chart._fullLayout._size;
            return (chart._fullLayout.width - l - r) / x.length;
        })"""
    )
    assert cells and min(cells) >= 30
    assert chrome.run("document.documentElement.scrollWidth") <= 390


def test_it_prints_light(chrome, page):
    """What is printed is drawn as wide as a sheet and dark on light, whatever the screen is; then as before."""
    chrome.open(page, dark=True)
    chrome.run(
        """addEventListener("beforeprint", () => {
            const chart = document.querySelector("#bars .chart");
            window.printed = [chart.querySelector(".xtick text").style.fill, chart._fullLayout.width];
        })"""
    )
    printed = chrome.send("Page.printToPDF")["data"]
    assert len(printed) > 100_000
    assert chrome.run("window.printed") == ["rgb(26, 26, 26)", 680]
    drawn(chrome)
    fill = "document.querySelector('#bars .xtick text').style.fill"
    chrome.wait(f"{fill} === 'rgb(236, 236, 236)'")
    assert chrome.messages == []


def test_focus_is_seen_and_space_chooses(browser):
    browser.run("document.querySelector('#choices summary').focus()")
    browser.press("Tab")
    browser.press("Tab")
    assert browser.run("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    assert browser.run("getComputedStyle(document.activeElement).outlineWidth") == "3px"
    browser.run("document.querySelector('#choices summary').focus()")
    browser.press(" ")
    browser.press("Tab")
    box = browser.run("[document.activeElement.name, document.activeElement.checked]")
    browser.press(" ")
    assert browser.run("[document.activeElement.name, document.activeElement.checked]") == [
        box[0], not box[1],
    ]  # fmt: skip
    drawn(browser)
    assert browser.run("document.getElementById('shown').textContent").startswith("Shown: 1 of 2")


AXE = "axe.run(document, {resultTypes: ['violations']}).then(r => [r.passes.map(p => p.id), " \
    "r.violations.map(v => [v.impact, v.id, v.nodes.map(n => n.html.slice(0, 200)).slice(0, 3)])])"  # fmt: skip


@pytest.mark.skipif(axe_core() is None, reason="there is no axe-core: make browser")
@pytest.mark.parametrize(("width", "dark"), [(1200, False), (1200, True), (390, False)])
def test_accessibility(chrome, page, width, dark):
    """Nothing serious, as axe-core judges; and it does judge, for a picture without words is one."""
    # Of one task, with the filter and the table of one figure open: all cells take long.
    chrome.open(f"{page}#view?task=Case", width=width, dark=dark)
    opened = "#choices details, #heat figure:first-of-type details"
    chrome.run(f"document.querySelectorAll('{opened}').forEach(each => each.open = true)")
    chrome.run(axe_core())
    passed, found = chrome.run(AXE)
    assert {"color-contrast", "button-name", "role-img-alt", "label"} <= set(passed)
    assert [each for each in found if each[0] in ("serious", "critical")] == []
    chrome.run("document.querySelector('main').append(document.createElement('img'))")
    assert "image-alt" in {each[1] for each in chrome.run(AXE)[1]}


MARKS = '</script><img src=x onerror=alert(1)><!--<script> a"onmouseover="x\''
MARKS += " $\\alpha$ $$ %{y}&lt; \u202e\u200f\x07!"


def test_a_name_of_marks_is_text_everywhere(chrome, folder):
    """In the page, its charts and its files: no element, no formula, nothing that a terminal obeys."""
    path = folder / "marks.html"
    path.write_text(html_page(small_page(MARKS)), encoding="utf-8")
    chrome.open(path.as_uri())
    chrome.run("document.querySelectorAll('details').forEach(each => each.open = true)")
    chrome.wait("document.querySelectorAll('details [data-table] tbody').length === 6")
    assert chrome.messages == []
    assert chrome.run("document.querySelectorAll('script').length") == 3
    assert chrome.run("document.querySelectorAll('img, [onerror], [onmouseover]').length") == 0
    assert chrome.run("document.querySelector('h1').textContent") == MARKS
    assert chrome.run("document.querySelectorAll('.chart .main-svg:first-of-type').length") == 6
    in_legend = "[...document.querySelectorAll('.chart .legendtext')].map(t => t.textContent)"
    assert any("$\\alpha$ $$" in text and "<!--<script>" in text for text in chrome.run(in_legend))
    chrome.run(
        "document.querySelector('[data-table=first] [aria-label^=\"Save as LaTeX\"]').click()"
    )
    text = saved(chrome, folder, "first.tex").read_text(encoding="utf-8")
    assert (
        "onerror=alert(1)" in text and "\\$\\$ \\%\\{y\\}" in text and "\ufffd\ufffd\ufffd!" in text
    )
    assert not {"\u202e", "\u200f", "\x07"} & {*text}

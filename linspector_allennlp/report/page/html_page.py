"""The page as one HTML file that opens from disk: no part of it is anywhere else."""

import base64
import hashlib
import json
from collections.abc import Iterator
from functools import cache
from html import escape
from importlib import resources
from importlib.metadata import version
from string import Template
from typing import Any

from linspector_allennlp.report.figures import svg_text
from linspector_allennlp.report.page.model import (
    FACETS,
    Drawing,
    Page,
    PageFigure,
    PageTable,
    Part,
    Section,
    Words,
)
from linspector_allennlp.report.page.plotly_charts import DIGITS, plotly_figure

# Of JSON within a script tag: what HTML or old JavaScript would read as its end.
IN_SCRIPTS = {
    "<": "\\u003c",
    ">": "\\u003e",
    "&": "\\u0026",
    "\u2028": "\\u2028",
    "\u2029": "\\u2029",
}


def html_page(page: Page) -> str:
    scripts = {"plotly": plotly_bundle(), "script": _web("page.js")}
    return Template(_web("page.html")).substitute(
        title=escape(page.title),
        subtitle=escape(page.subtitle),
        policy=escape(_policy(scripts.values())),
        style=_web("page.css"),
        contents="\n".join(
            f'<li><a href="#{s.key}">{escape(s.title)}</a></li>' for s in page.sections
        ),
        sections="\n".join(map(_section, page.sections)),
        version=escape(version("linspector_allennlp")),
        data=in_script(_data(page)),
        **scripts,
    )


def in_script(content: Any) -> str:
    """JSON that is data within a script tag, whatever its texts are."""
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character, written in IN_SCRIPTS.items():
        text = text.replace(character, written)
    return text


@cache
def plotly_bundle() -> str:
    """Plotly's JavaScript; the full one, because no smaller one has radar charts."""
    try:
        from plotly.offline import get_plotlyjs
    except ImportError as error:
        raise ValueError(
            f"The page needs plotly, which cannot be imported ({error}): pip install 'plotly>=6' "
            "(or linspector_allennlp[report])"
        ) from error
    bundle = get_plotlyjs()
    if "</script" in bundle or "<!--" in bundle:
        raise ValueError(
            "This version of Plotly cannot be put into a page: it has a script tag in it."
        )
    return bundle


def _policy(scripts: Any) -> str:
    """What the browser lets the page do: no request, and no script but these."""
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in scripts]
    allowed = " ".join(f"'sha256-{each}'" for each in hashes)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )


def _data(page: Page) -> dict[str, Any]:
    figures = {
        figure.key: plotly_figure(figure)
        for figure in page.figures
        if not isinstance(figure.content, Drawing)
    }
    drawings = {f.key: {"facets": dict(f.facets)} for f in page.figures if f.key not in figures}
    tables = {table.key: _table_data(table) for table in page.tables}
    return {
        "title": page.title,
        "facets": _facet_values(page),
        "figures": {**figures, **drawings},
        "tables": tables,
    }


def _table_data(table: PageTable) -> dict[str, Any]:
    """By column, so that names are there once; numbers as they are, and texts as they are read."""
    values = [[_short(row[number]) for row in table.rows] for number in range(len(table.columns))]
    return {
        "title": table.title,
        "columns": [list(column) for column in table.columns],
        "values": values,
        **({"marks": _marks(table)} if table.marks else {}),
    }


def _marks(table: PageTable) -> list[list[int]]:
    """By column, as the values; 0 where there is none."""
    columns, rows = range(len(table.columns)), range(len(table.rows))
    return [[table.marks.get((row, column), 0) for row in rows] for column in columns]


def _short(cell: Any) -> Any:
    return float(f"{cell:.{DIGITS}g}") if isinstance(cell, float) else cell


def _facet_values(page: Page) -> dict[str, list[str]]:
    """What can be chosen from: the values of the tables of scores, where there are several."""
    found: dict[str, dict[str, None]] = {name: {} for name in FACETS}
    for table in page.tables:
        for number, column in enumerate(table.columns):
            if column.name in found:
                values = (row[number] for row in table.rows)
                found[column.name] |= dict.fromkeys(str(v) for v in values if v is not None)
    return {name: list(values) for name, values in found.items() if len(values) > 1}


def _section(section: Section) -> str:
    inner = "\n".join(html for part in section.parts for html in _part(part))
    name = escape(section.title)
    return (
        f'<section id="{section.key}" aria-labelledby="{section.key}-title">'
        f'<h2 id="{section.key}-title">{name}</h2>\n{inner}\n</section>'
    )


def _part(part: Part) -> Iterator[str]:
    if isinstance(part, Words):
        if part.title:
            yield f"<h3>{escape(part.title)}</h3>"
        sentences = [escape(sentence) for sentence in part.sentences]
        if len(sentences) == 1:
            yield f"<p>{sentences[0]}</p>"
        elif sentences:
            yield "<ul>" + "".join(f"<li>{sentence}</li>" for sentence in sentences) + "</ul>"
    elif isinstance(part, PageFigure):
        yield _figure(part)
    else:
        yield f'<div class="block" data-table="{escape(part.key)}"><h3>{escape(part.title)}</h3></div>'


def _figure(figure: PageFigure) -> str:
    key, title = escape(figure.key), escape(figure.title)
    words = escape(figure.words)
    name = f'role="img" aria-label="{title}. {words}"'
    if isinstance(figure.content, Drawing):
        picture = base64.b64encode(svg_text(figure.content.figure).encode()).decode()
        inner = f'<img class="drawing" alt="{title}. {words}" src="data:image/svg+xml;base64,{picture}">'
    else:
        inner = f'<div class="chart" {name}></div>'
    return (
        f'<figure data-figure="{key}"><figcaption><h3>{title}</h3><p>{words}</p></figcaption>'
        f'{inner}<div class="buttons"></div>'
        f'<details><summary>Table of this figure</summary><div data-table="{escape(figure.table.key)}">'
        f"</div></details></figure>"
    )


@cache
def _web(name: str) -> str:
    return resources.files(__package__).joinpath("web", name).read_text(encoding="utf-8")

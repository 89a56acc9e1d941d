"""The summary and the main tables of a page, as wide as a terminal."""

import shutil

from linspector_allennlp.commands.tables import table
from linspector_allennlp.report.page.cells import cell_text
from linspector_allennlp.report.page.model import Page, PageTable, Words

MAIN_TABLES = ("scores", "top-places", "sign-tests", "best-layer")
WIDTH, MOST_ROWS, LONGEST = 100, 60, 30
LEAST = ("task", "representation", "layer", "encoder", "value")
"""The columns that are never left out for want of room."""


def page_text(page: Page) -> str:
    parts = [f"{page.title}: {page.subtitle}"]
    for part in page.sections[0].parts:
        if isinstance(part, Words):
            parts.append("\n".join([*([part.title] if part.title else []), *part.sentences]))
    width = shutil.get_terminal_size((WIDTH, 0)).columns
    parts += [table_text(each, width) for each in page.tables if each.key in MAIN_TABLES]
    return "\n\n".join(parts)


def table_rows(each: PageTable) -> list[list[str]]:
    """The header and all rows, as they are read."""
    forms = [column.form for column in each.columns]
    header = [column.title for column in each.columns]
    return [
        header,
        *([cell_text(cell, form) for cell, form in zip(row, forms)] for row in each.rows),
    ]


def left_columns(each: PageTable) -> list[int]:
    return [number for number, column in enumerate(each.columns) if column.form == "text"]


def table_text(each: PageTable, width: int = WIDTH) -> str:
    """What is the same in all rows is said above; what does not fit, from the right, is said below."""
    header, *rows = table_rows(each)
    columns = list(zip(*[header, *rows])) or [(name,) for name in header]
    names = [column.name for column in each.columns]
    kept = [
        n
        for n in range(len(names))
        if len(rows) < 2 or len({*columns[n][1:]}) > 1 or names[n] in LEAST
    ]
    same = [f"{columns[n][0]} {columns[n][1]}" for n in range(len(names)) if n not in kept]
    cells = {n: [_short(cell) for cell in columns[n][: MOST_ROWS + 1]] for n in kept}
    left_out: list[str] = []
    while sum(max(map(len, cells[n])) + 2 for n in kept) - 2 > width:
        spare = [n for n in kept if names[n] not in LEAST]
        if not spare:
            break
        kept.remove(spare[-1])
        left_out.insert(0, header[spare[-1]])
    to_left = [place for place, n in enumerate(kept) if each.columns[n].form == "text"]
    lines = [each.title]
    lines += [f"All rows: {', '.join(same)}."] if same else []
    lines.append(table(list(zip(*(cells[n] for n in kept))), to_left))
    lines += [f"{len(rows) - MOST_ROWS} more rows."] if len(rows) > MOST_ROWS else []
    lines += [f"Left out for want of room: {', '.join(left_out)}."] if left_out else []
    lines += (
        ["The page has all of it: -o report.html."] if left_out or len(rows) > MOST_ROWS else []
    )
    return "\n".join(lines)


def _short(cell: str) -> str:
    """A long name without its middle, which tells least."""
    half = LONGEST // 2
    return cell if len(cell) <= LONGEST else f"{cell[: half - 1]}…{cell[-half:]}"

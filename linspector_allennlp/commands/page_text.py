"""The summary and the main tables of a page, as wide as a terminal."""

import shutil

from linspector_allennlp.commands.tables import table
from linspector_allennlp.report.page.cells import cell_text
from linspector_allennlp.report.page.model import MARKS, Page, PageTable, Words

MAIN_TABLES = ("paper", "scores", "top-places", "sign-tests", "best-layer")
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


def worth_showing(each: PageTable, rows: list[list[str]]) -> tuple[list[int], list[str]]:
    """The columns that are not the same in all rows, or belong to any table, and what the others say."""
    header, *body = rows
    numbers = range(len(header))
    marked = {column for _, column in each.marks}
    kept = [
        n
        for n in numbers
        if len(body) < 2
        or len({row[n] for row in body}) > 1
        or each.columns[n].name in LEAST
        or n in marked
    ]
    return kept, [f"{header[n]} {body[0][n]}" for n in numbers if n not in kept]


def _with_marks(each: PageTable, rows: list[list[str]]) -> list[list[str]]:
    """The best and the second of a row, as a terminal shows them; all numbers end at the same place."""
    columns = {column for _, column in each.marks}
    signs = {place: MARKS[mark][0] for place, mark in each.marks.items()}
    return [
        [cell + signs.get((at, n), " ") if n in columns else cell for n, cell in enumerate(row)]
        for at, row in enumerate(rows)
    ]


def left_columns(each: PageTable) -> list[int]:
    return [number for number, column in enumerate(each.columns) if column.form == "text"]


def table_text(each: PageTable, width: int = WIDTH) -> str:
    """What is the same in all rows is said above; what does not fit, from the right, is said below."""
    header, *rows = table_rows(each)
    kept, same = worth_showing(each, [header, *rows])
    rows = _with_marks(each, rows)
    columns = list(zip(*[header, *rows])) or [(name,) for name in header]
    names = [column.name for column in each.columns]
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

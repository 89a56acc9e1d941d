"""Where the numbers come from: versions, data files, and the suite."""

from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

import pandas

from linspector_allennlp.report.page.cells import page_table
from linspector_allennlp.report.page.model import Part, Words
from linspector_allennlp.report.page.report_data import ReportData

SHOWN_PARTS = 4
"""Of the path of a data file: folders above are somebody's own."""


def provenance(data: ReportData) -> Iterator[Part]:
    facts = [
        ("name", data.name),
        ("rows of the table", len(data.table)),
        *([("runs in the table", data.table["run"].nunique())] if "run" in data.table else []),
        ("runs that are not here", len(data.missing)),
    ]
    frame = pandas.DataFrame(facts, columns=["what", "value"]).astype(str)
    yield page_table("facts", "Study", frame, titles={"value": "value"})
    if data.whole_names:
        names = list(data.whole_names.items())
        frame = pandas.DataFrame(names, columns=["on this page", "whole name"])
        yield page_table("long-names", "Names that are too long for a figure", frame)
    if data.study is None:
        return
    runs, unread = data.run_folders
    if unread:
        yield Words(unread[:5], f"Run folders that cannot be read: {len(unread)}")
    versions: dict[tuple[str, str], int] = {}
    files: dict[tuple[str, str, str], int] = {}
    for run in runs.values():
        found: dict[str, Any] = run.provenance.get("versions") or run.record.versions
        extra = {
            name: run.provenance[name] for name in ("platform", "device") if name in run.provenance
        }
        for name, version in (found | extra).items():
            key = (name, str(version))
            versions[key] = versions.get(key, 0) + 1
        for split, source in (run.provenance.get("data") or {}).items():
            if isinstance(source, dict):
                path = "/".join(PurePath(str(source.get("path", ""))).parts[-SHOWN_PARTS:])
                place = (path, split, str(source.get("sha256", "")))
                files[place] = files.get(place, 0) + 1
    if versions:
        rows = [(*key, count) for key, count in versions.items()]
        frame = pandas.DataFrame(rows, columns=["package", "version", "runs"])
        yield page_table("versions", "Versions that the runs were made with", frame)
    if files:
        sources = [(*place, count) for place, count in files.items()]
        frame = pandas.DataFrame(sources, columns=["file", "split", "SHA-256", "runs"])
        yield page_table("data-files", "Data files", frame)

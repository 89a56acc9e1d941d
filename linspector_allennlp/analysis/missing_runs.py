"""The runs of a study's plan that its table does not have, and why."""

import json
from pathlib import Path

from linspector_allennlp.io.regular import read_text
from linspector_allennlp.run_folders.study_folder import StudyFolder
from linspector_allennlp.run_folders.table_columns import SURROGATES


def missing_runs(study: StudyFolder) -> dict[str, str]:
    """By the name of a run, `failed: …` with the error, or `not run`; as `study_findings` takes them."""
    reasons = {}
    for row in study.plan():
        if study.is_finished(row):
            continue
        place = study.failed / f"{row.name}.json"
        reasons[row.name] = _why(place) if place.exists() else "not run"
    return reasons


def _why(place: Path) -> str:
    if not place.is_file():
        return f"failed; {place.name} is no file"
    try:
        content = json.loads(read_text(place))
        error = content.get("error") if isinstance(content, dict) else None
    except (OSError, ValueError, RecursionError):
        return f"failed; {place.name} cannot be read"
    return f"failed: {SURROGATES.sub('�', str(error))}" if error else "failed"

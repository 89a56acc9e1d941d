"""The runs of a study's plan that its table does not have, and why."""

import json

from linspector_allennlp.io.regular import read_text
from linspector_allennlp.run_folders.study_folder import StudyFolder


def missing_runs(study: StudyFolder) -> dict[str, str]:
    """By the name of a run, `failed: …` with the error, or `not run`; as `study_findings` takes them."""
    reasons = {}
    for row in study.plan():
        if study.is_finished(row):
            continue
        place = study.failed / f"{row.name}.json"
        if place.exists():
            error = json.loads(read_text(place)).get("error")
            reasons[row.name] = f"failed: {error}" if error else "failed"
        else:
            reasons[row.name] = "not run"
    return reasons

"""What a reader should know first."""

from collections.abc import Iterator

from linspector_allennlp.analysis.study_findings import study_findings
from linspector_allennlp.report.page.model import Part, Words
from linspector_allennlp.report.page.report_data import ReportData

TOPICS = {
    "missing": "Not here",
    "best": "What is best where",
    "chance": "What may be chance",
    "baselines": "Against baselines",
    "controls": "Control tasks",
    "seeds": "Seeds",
}


def summary(data: ReportData) -> Iterator[Part]:
    if data.notes:
        yield Words(data.notes)
    if data.missing and data.table.empty:
        runs = [f"{name}: {reason}" for name, reason in data.missing.items()]
        yield Words(runs[:20], TOPICS["missing"])
    differences, doubt = None, ""
    try:
        differences = data.differences
    except ValueError as error:
        doubt = f"Differences could not be tested: {error}"
    findings = study_findings(data.table, differences, data.missing)
    for topic, rows in findings.groupby("topic", sort=False):
        sentences = [str(sentence) for sentence in rows["sentence"]]
        if topic == "chance" and doubt:
            sentences = [doubt]
        yield Words(sentences, TOPICS[str(topic)])

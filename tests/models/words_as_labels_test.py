"""Word forms as labels: very many, most of them rare, and unseen ones in the test data."""

from linspector_allennlp.commands.probe_summary import summarize
from linspector_allennlp.metrics import label_report


def test_the_next_word_as_a_label(train, treebank, tmp_path, monkeypatch):
    treebank("next")
    monkeypatch.setattr(label_report, "MOST_IN_TABLE", 20)
    metrics = train("tagging", trainer={"num_epochs": 2})
    assert metrics["num_labels"] > 100 and metrics["test_unseen_labels"] > 0
    assert not (tmp_path / "run/test_confusion.tsv").exists()
    text = summarize([str(tmp_path / "run")])
    assert "labels with fewer items." in text
    assert all(len(line) < 1500 for line in text.splitlines())
    assert "next/finnish-ud" in text

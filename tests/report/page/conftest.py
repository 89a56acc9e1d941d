import pytest

from linspector_allennlp.report.page import build


@pytest.fixture(autouse=True)
def every_mistake_is_one(monkeypatch):
    """What would cost a section of a page fails the test."""
    monkeypatch.setattr(build, "UNFORESEEN", ())

"""What must be installed beside this package, and the sentence that says so where it is missing."""

from importlib.metadata import PackageNotFoundError, version
from typing import Optional

BESIDE = {"allennlp": "allennlp==2.10.1"}
"""What pip cannot install together with this package: by its name, what `pip install --no-deps` takes."""


MODELS = "allennlp_models"
MODELS_BESIDE = "allennlp-models==2.10.1 word2number==1.1 py-rouge==1.1"
"""AllenNLP's own models for parsing, tagging and inference, and what they import."""


def missing() -> Optional[str]:
    """The sentence that names what is missing, as after a bare `pip install`; `None` if all is there."""
    names = [name for name in BESIDE if not _is_installed(name)]
    if not names:
        return None
    return (
        f"{' and '.join(names)} is not installed. pip does not install it together with "
        "linspector_allennlp, because AllenNLP asks for versions that no longer install. Type: "
        f"pip install --no-deps {' '.join(BESIDE.values())}"
    )


def check() -> None:
    """Raises an error with that sentence if something is missing."""
    sentence = missing()
    if sentence is not None:
        raise ModuleNotFoundError(sentence, name=next(iter(BESIDE)))


def missing_models() -> Optional[str]:
    """The sentence that says how AllenNLP's own models are installed; `None` if they are."""
    if _is_installed("allennlp-models"):
        return None
    return (
        "This needs AllenNLP's own models, which are not installed. Type, in a clone: make setup-downstream; "
        f"elsewhere: pip install --no-deps {MODELS_BESIDE}"
    )


def _is_installed(name: str) -> bool:
    try:
        version(name)
    except PackageNotFoundError:
        return False
    return True

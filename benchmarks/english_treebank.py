"""English EWT as a treebank with three splits, which the benchmarks of syntax share."""

from pathlib import Path

from linspector_allennlp.io.hashing import hash_keys

TENTHS = {"test": {0}, "dev": {1}, "train": {2, 3, 4, 5, 6, 7, 8, 9}}


def write_splits(data, folder):
    """
    Writes FOLDER/ewt-{train,dev,test}.conllu from EWT's dev and test files put together, each distinct
    sentence once; a hash of its words decides the split of a sentence. Returns how they begin.
    """
    folder.mkdir(parents=True, exist_ok=True)
    sentences = {}
    for part in ("dev", "test"):
        text = Path(data, "ud", f"en_ewt-ud-{part}.conllu").read_text(encoding="utf-8")
        for block in filter(None, text.split("\n\n")):
            rows = [line.split("\t") for line in block.splitlines() if not line.startswith("#")]
            words = " ".join(row[1] for row in rows if row[0].isdigit())
            sentences.setdefault(words, block)
    tenths = (hash_keys(words.encode() for words in sentences) % 10).tolist()
    for split, of_split in TENTHS.items():
        chosen = [b for b, tenth in zip(sentences.values(), tenths) if tenth in of_split]
        path = folder / f"ewt-{split}.conllu"
        path.write_text("".join(f"{block}\n\n" for block in chosen), encoding="utf-8")
    return str(folder / "ewt")

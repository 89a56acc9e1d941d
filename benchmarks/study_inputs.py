"""
Puts the inputs of the studies of docs/study.md and docs/whole_study.md into a folder: the data in the layout that
suites take, the Turkish text, and three kinds of word vectors trained on it.

    python benchmarks/study_inputs.py DATA FOLDER

DATA is the folder of real data (`LINSPECTOR_DATA`). The text is that of the treebank and of the released
sentences, each once; no label is read. Left out are the tasks whose sentences were altered: vectors that were
trained on these, too, would know by which words.
"""

import argparse
import re
from pathlib import Path

import sentencepiece
from conllu import parse_incr

from linspector_allennlp.vectors.train_vectors import train_vectors
from linspector_allennlp.vectors.vector_settings import FASTTEXT, VectorSettings

# By the place in FOLDER the place in DATA.
LAYOUT = {
    "type_level": "linspector_released/type_level",
    "token_level": "linspector_released/token_level",
    "sentence_level/turkish": "sentence_released/tr",
}
TREEBANKS = {"UD_English-EWT": "en_ewt-ud-*.conllu", "UD_Turkish-IMST": "tr_imst-ud-*.conllu"}
ALTERED = ("bigram_shift", "sv_agree")
EPOCHS = 20
PIECES = 10_000


def sentences(data: Path) -> list[str]:
    """All sentences of two words or more, sorted."""
    found = set()
    for path in sorted((data / LAYOUT["sentence_level/turkish"]).glob("*.txt")):
        if path.stem not in ALTERED:
            found.update(_column(path, 2))
    for path in sorted((data / LAYOUT["token_level"]).glob("*/turkish/*.txt")):
        found.update(_column(path, 0))
    for path in sorted((data / "ud").glob("tr_imst-ud-*.conllu")):
        with open(path, encoding="utf-8") as file:
            found.update(sentence.metadata["text"] for sentence in parse_incr(file))
    return sorted(text for text in found if len(re.findall(r"[^ \t]+", text)) > 1)


def _column(path: Path, number: int) -> list[str]:
    with open(path, encoding="utf-8", newline="\n") as file:
        return [(line.rstrip("\n").split("\t") + ["", ""])[number] for line in file]


def link(data: Path, folder: Path) -> None:
    """The data, by links to where they are."""
    for place, source in LAYOUT.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).symlink_to((data / source).resolve())
    for name, files in TREEBANKS.items():
        (folder / name).mkdir()
        for path in sorted((data / "ud").glob(files)):
            (folder / name / path.name).symlink_to(path.resolve())


def train_pieces(text: Path, folder: Path) -> None:
    """Byte pairs as BPEmb has them, of small letters and zeros for digits, and the vectors of the pieces."""
    plain = folder / "turkish_plain.txt"
    plain.write_text(re.sub(r"\d", "0", text.read_text(encoding="utf-8").lower()), encoding="utf-8")
    sentencepiece.SentencePieceTrainer.train(
        input=str(plain),
        model_prefix=str(folder / "bpe"),
        model_type="bpe",
        vocab_size=PIECES,
        character_coverage=0.9995,
    )
    model = sentencepiece.SentencePieceProcessor(model_file=str(folder / "bpe.model"))
    pieces = folder / "turkish_pieces.txt"
    with open(plain, encoding="utf-8") as lines, open(pieces, "w", encoding="utf-8") as file:
        for line in lines:
            file.write(" ".join(model.encode(line.strip(), out_type=str)) + "\n")
    settings = VectorSettings(min_count=1, epochs=EPOCHS)
    train_vectors(folder / "bpe.vec", text=[pieces], settings=settings, tokenized=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("folder", type=Path)
    args = parser.parse_args()
    args.folder.mkdir(parents=True)
    link(args.data, args.folder)
    text = args.folder / "turkish.txt"
    text.write_text("".join(f"{each}\n" for each in sentences(args.data)), encoding="utf-8")
    common = {"min_count": 2, "epochs": EPOCHS}
    train_vectors(args.folder / "word2vec.vec", text=[text], settings=VectorSettings(**common))
    # In so little text nearly all words are frequent by fastText's own measure.
    fasttext = VectorSettings(algorithm=FASTTEXT, subsampling=0.001, **common)
    train_vectors(args.folder / "fasttext.bin", text=[text], settings=fasttext)
    train_pieces(text, args.folder)
    print(f"{args.folder}: the inputs of training_configs/suites/study.jsonnet")


if __name__ == "__main__":
    main()

"""Which file each split of a run is read from, and by which reader."""

from typing import Any, NamedTuple, Optional

from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader

from linspector_allennlp.dataset_readers.wrapping_reader import SampledReader
from linspector_allennlp.treebank_parts import treebank_part

TESTED_ON = ("test", "validation")


class DataSource(NamedTuple):
    reader: DatasetReader
    path: str


class DataPaths(NamedTuple):
    """As a config names them; a run need not have all."""

    train: str
    validation: Optional[str] = None
    test: Optional[str] = None


def data_sources(
    paths: DataPaths,
    train_reader: DatasetReader,
    other_reader: DatasetReader,
    seed: int,
    train_share: float = 1.0,
    tested_on: str = "test",
    held_out: Optional[float] = None,
    transfer: bool = False,
) -> dict[str, DataSource]:
    """
    The splits that a run reads, by their names.

    # Parameters

    train_reader, other_reader : `DatasetReader`
        Of the training file, and of the others.
    train_share, tested_on, held_out, transfer
        See `RecordedRun`.
    """
    if tested_on not in TESTED_ON:
        raise ConfigurationError(f"tested_on: expected test or validation, found {tested_on!r}.")
    if transfer and (other_reader is train_reader or tested_on != "test"):
        raise ConfigurationError(
            "transfer: expected a validation_dataset_reader, of the test data, and not tested_on beside it."
        )
    if tested_on == "validation":
        if paths.validation is None:
            raise ConfigurationError("tested_on: validation needs a validation_data_path.")
        paths = paths._replace(test=paths.validation)
    _check_limits(paths, train_reader, other_reader)
    validated_by = train_reader if transfer else other_reader
    # Validation on the training data asks how much of these was learned by heart.
    by_heart = paths.validation == paths.train
    if held_out is not None:
        if not 0 < held_out < 1:
            raise ConfigurationError(f"held_out: expected between 0 and 1, found {held_out}.")
        paths = paths._replace(validation=paths.train)
        validated_by = SampledReader(train_reader, held_out, seed, "held_out")
        train_reader = SampledReader(train_reader, held_out, seed, "held_out", rest=True)
    if train_share != 1:
        train_reader = SampledReader(train_reader, train_share, seed)
    if held_out is None and by_heart:
        validated_by = train_reader
    readers = {"train": train_reader, "validation": validated_by, "test": other_reader}
    return {
        name: DataSource(readers[name], path)
        for name, path in paths._asdict().items()
        if path is not None
    }


def _check_limits(paths: DataPaths, train_reader: Any, other_reader: Any) -> None:
    """Refuses readers that would divide the same treebank in two ways: test might have training sentences."""
    limits = getattr(train_reader, "limits", None), getattr(other_reader, "limits", None)
    if limits[0] != limits[1] and any(treebank_part(path) for path in paths if path is not None):
        raise ConfigurationError(
            "validation_dataset_reader: expected the min_length, max_length and bad_sentences of dataset_reader, "
            f"which decide about the parts of {paths.train}; found {limits[1]} and {limits[0]}."
        )


class ScoredData(NamedTuple):
    """
    Which data the test scores of a run are of.

    # Parameters

    split : `str`
        One of `TESTED_ON`.
    path : `str`, optional
        That of the validation data.
    held_out : `float`, optional
        The share of the training data that the best epoch is chosen on.
    """

    split: str = "test"
    path: Optional[str] = None
    held_out: Optional[float] = None

    def settings(self) -> dict[str, Any]:
        """For the provenance of a run: what is not as usual."""
        settings: dict[str, Any] = {}
        if self.split != "test":
            settings["tested_on"] = self.split
        if self.held_out is not None:
            settings["held_out"] = self.held_out
        return settings

    def warnings(self) -> list[str]:
        """Says where the scores are not those of data that were kept for them."""
        if self.split == "test":
            return []
        chosen = "so is the choice of the best epoch, which makes the scores too good"
        if self.held_out is not None:
            share = f"{100 * self.held_out:g} % of the training data"
            chosen = f"the best epoch was chosen on {share}, held out"
        return [f"the test scores are those of the validation data, {self.path}; {chosen}"]

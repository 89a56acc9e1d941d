"""What a table of results says of the vectors that a run has probed, from the record of the run."""

from typing import Any, Optional

from linspector_allennlp.run_folders.run_record import RunRecord, config_digest

LETTERS = 12
"""Of a digest: enough for all representations of a study."""


def probed_vectors(record: RunRecord) -> dict[str, Any]:
    """
    # Returns

    `Dict[str, Any]`
        `dimension`, the size of the vectors: of a sentence, or of a word with all its representations.
        `alone`, whether words were embedded without their sentences; nothing where that makes no difference.
        `source`, a digest of what else the representations are.
    """
    parts = [
        {name: value for name, value in each.items() if name != "alone"}
        for each in record.representation
    ]
    alone = {each["alone"] for each in record.representation if "alone" in each}
    return {
        "dimension": _dimension(record),
        "alone": alone.pop() if len(alone) == 1 else None,
        "source": config_digest({"representation": parts})[:LETTERS] if parts else None,
    }


def _dimension(record: RunRecord) -> Optional[int]:
    """That of the encoder, if there is one; nothing where a representation does not say its own."""
    words = [each.get("dimension") for each in record.representation]
    of_encoder = (record.encoder or {}).get("dimension")
    sizes = words if of_encoder is None else [of_encoder]
    known = [size for size in sizes if size is not None]
    return sum(known) if known and len(known) == len(sizes) else None

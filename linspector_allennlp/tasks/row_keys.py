"""A stable hash of each row of a resource: form, lemma and tags."""

import numpy as np

from linspector_allennlp.tasks.sampling import mixed_hashes, stable_hashes
from linspector_allennlp.tasks.type_level import WordForms


def row_hashes(words: WordForms) -> np.ndarray:
    """The same for a row wherever it stands in the file."""
    unimorph = words.unimorph
    analyses = stable_hashes(";".join(analysis.tags) for analysis in unimorph.analyses)
    # Shape: (rows,)
    return mixed_hashes(
        words.hashes[unimorph.form_of],
        words.lemma_hashes[unimorph.lemma_of],
        analyses[unimorph.analysis_of],
    )

from typing import Optional

import torch

from linspector_allennlp.modules.edge_scorer import EdgeScorer
from linspector_allennlp.modules.padding import padded
from linspector_allennlp.modules.probe_head import ProbeHead


class EdgeHead(torch.nn.Module):
    """
    What is trained of a probe of dependency edges: how words are scored as heads, and, if wanted, how
    the relation of a word to its head is told from the two vectors.
    """

    def __init__(self, scorer: EdgeScorer, relations: Optional[ProbeHead]) -> None:
        super().__init__()
        self.scorer = scorer
        self.relations = relations

    def forward(
        self, features: torch.Tensor, mask: torch.Tensor, heads: Optional[torch.Tensor] = None
    ) -> tuple[torch.Tensor, Optional[torch.Tensor]]:
        """
        The scores of `EdgeScorer`, and those of relations to the given heads, (batch, n); without
        these, to the best ones. Shape: (batch, n, n) and (batch, n, num_relations)
        """
        scores = self.scorer(features, mask)
        if self.relations is None:
            return scores, None
        if heads is None:
            heads = scores.masked_fill(~mask.unsqueeze(1), float("-inf")).argmax(dim=2)
        # Shape: (batch, n, input_dim)
        words = padded(features, mask)
        # The root has no head; what it gets instead is not scored.
        places = heads.clamp(min=0).unsqueeze(2).expand(-1, -1, words.size(2))
        return scores, self.relations(torch.cat([words, words.gather(1, places)], dim=2))

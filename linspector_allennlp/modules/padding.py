"""From rows of sentences, one after the other, to sentences beside each other."""

import torch


def mask_of(lengths: torch.Tensor) -> torch.Tensor:
    """The places of rows, when instances stand beside each other. Shape: (batch, max_length)"""
    places = torch.arange(int(lengths.max()), device=lengths.device)
    return places < lengths.unsqueeze(1)


def padded(values: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """
    Rows of instances, one after the other, beside each other; 0 where there is none. With a mask of
    pairs, (batch, n, n), what belongs to pairs of rows. Shape: (num_rows, …) → (*mask.shape, …)
    """
    result = values.new_zeros(*mask.shape, *values.shape[1:])
    result[mask] = values
    return result


def pair_mask(mask: torch.Tensor) -> torch.Tensor:
    """Shape: (batch, n) → (batch, n, n)"""
    return mask.unsqueeze(2) & mask.unsqueeze(1)

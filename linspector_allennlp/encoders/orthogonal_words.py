"""The linear algebra of GEM: the directions of sentences, and what each word adds to its neighbours."""

from typing import NamedTuple

import torch

RIDGE = 1e-12
"""Of unit vectors: so that a word may be among the neighbours twice."""

SMALLEST_SHARE = 1e-4


class NovelParts(NamedTuple):
    """
    That part of each word's vector which is orthogonal to those of its neighbours.

    # Parameters

    shares : `torch.Tensor`
        Its length, by that of the vector. Shape: (num_sentences, longest)
    along : `torch.Tensor`
        Its direction in the coordinates that were asked for. Shape: (num_sentences, longest, num_coordinates)
    """

    shares: torch.Tensor
    along: torch.Tensor


def novel_parts(
    words: torch.Tensor, along: torch.Tensor, lengths: torch.Tensor, window: int
) -> NovelParts:
    """
    The last column of R and of Q in the QR decomposition of each word's window, the word itself at the
    end: the first is the length of what is left of it after its projection onto the others, whatever
    their order, and the second the direction of that. Both come from scalar products alone, so that
    no window is copied out of the sentence.

    # Parameters

    words : `torch.Tensor`
        Padded with zeros. Shape: (num_sentences, longest, dimension)
    along : `torch.Tensor`
        Their coordinates, in which the directions are wanted. Shape: (num_sentences, longest, num_coordinates)
    lengths : `torch.Tensor`
        Shape: (num_sentences,)
    window : `int`
        How many words on each side are neighbours.
    """
    norms = words.norm(dim=2, keepdim=True)
    scale = torch.where(norms > 0, 1 / norms, torch.zeros_like(norms))
    unit, along = words * scale, along * scale
    # Shape: (num_sentences, longest, longest)
    products = unit @ unit.transpose(1, 2)
    places = torch.arange(words.shape[1], device=words.device)
    offsets = torch.arange(-window, window + 1, device=words.device)
    # Shape: (longest, num_neighbours)
    neighbours = places.unsqueeze(1) + offsets[offsets != 0]
    # Shape: (num_sentences, longest, num_neighbours)
    exists = (neighbours >= 0) & (neighbours < lengths.view(-1, 1, 1))
    neighbours = neighbours.clamp(0, words.shape[1] - 1)
    # Shape: (num_sentences, longest, num_neighbours, num_neighbours)
    among = products[:, neighbours.unsqueeze(2), neighbours.unsqueeze(1)]
    among = among * (exists.unsqueeze(3) & exists.unsqueeze(2))
    # A place without a word, or with one of length zero, is a direction that no other has.
    is_empty = among.diagonal(dim1=2, dim2=3) == 0
    among = among + torch.diag_embed(is_empty + RIDGE)
    # Shape: (num_sentences, longest, num_neighbours, 1)
    to_word = (products[:, places.unsqueeze(1), neighbours] * exists).unsqueeze(3)
    shares_of = torch.cholesky_solve(to_word, torch.linalg.cholesky(among))
    squares = products.diagonal(dim1=1, dim2=2) - (shares_of * to_word).sum(dim=(2, 3))
    is_new = squares > SMALLEST_SHARE**2
    lengths_left = torch.where(is_new, squares, torch.ones_like(squares)).sqrt()
    # Shape: (num_sentences, longest, num_coordinates)
    explained = (shares_of * along[:, neighbours]).sum(dim=2)
    directions = (along - explained) / lengths_left.unsqueeze(2) * is_new.unsqueeze(2)
    return NovelParts(lengths_left * is_new, directions)


def coarse_sentences(words: torch.Tensor, sigma_power: float) -> torch.Tensor:
    """
    The sum of each sentence's singular vectors, each times a power of its singular value. A singular
    vector may as well be its opposite: the one is taken that has a positive product with the sum of
    the words.

    # Parameters

    words : `torch.Tensor`
        Padded with zeros. Shape: (num_sentences, longest, dimension)

    # Returns

    `torch.Tensor`. Shape: (num_sentences, dimension)
    """
    # The singular vectors u and v of the words and their squared singular values λ: u·√λ = Σ v·word.
    squares, loadings = torch.linalg.eigh(words @ words.transpose(1, 2))
    powers = squares.clamp_min(0) ** ((sigma_power - 1) / 2)
    signs = torch.where(loadings.sum(dim=1) < 0, -1.0, 1.0)
    # Shape: (num_sentences, longest)
    weights = (loadings * (powers * signs).unsqueeze(1)).sum(dim=2)
    return torch.einsum("st,std->sd", weights, words)

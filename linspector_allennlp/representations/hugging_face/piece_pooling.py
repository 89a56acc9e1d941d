import torch

POOLINGS = ("mean", "first", "last")


def pool_pieces(
    vectors: torch.Tensor, word_of: torch.Tensor, num_words: int, pool: str
) -> torch.Tensor:
    """
    The vectors of words from those of their pieces.

    # Parameters

    vectors : `torch.Tensor`
        Shape: (num_pieces, dimension)
    word_of : `torch.Tensor`
        The word of each piece, in the order of the text; every word has a piece.
        Shape: (num_pieces,)

    # Returns

    `torch.Tensor`. Shape: (num_words, dimension)
    """
    counts = torch.bincount(word_of, minlength=num_words)
    ends = counts.cumsum(0)
    if pool == "first":
        return vectors[ends - counts]
    if pool == "last":
        return vectors[ends - 1]
    sums = vectors.new_zeros(num_words, vectors.shape[-1]).index_add_(0, word_of, vectors)
    return sums / counts.unsqueeze(-1)

"""Decimal numbers from bytes, many at a time: eight characters are one integer operation."""

import numpy as np

PAD = bytes(
    16
)  # before the text: lets the first number, too, be loaded as the 16 bytes that end with it
_EACH = 0x0101010101010101  # times a byte: that byte eight times
_PLACES = sum((byte + 1) << (60 - 8 * byte) for byte in range(8))
_SCALE = 10.0 ** np.array([0, 7, 6, 5, 4, 3, 2, 1, 0])  # by the place of the point; 0: no point


def _eight(chars: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of eight characters XOR "0" in a uint64: the digits' value, the point's place, all well?"""
    other = chars ^ (30 * _EACH)  # "." XOR "0" is 30, a digit is its value
    point = (other - _EACH) & ~other & (128 * _EACH)
    point = (point & (~point + 1)) >> 7  # 1 in the byte of the point; 0 without a point
    before = chars & (point - (point != 0))
    digits = chars - point * 30 + before * 255  # those before the point move one byte up
    well = ((digits + 118 * _EACH) | digits) & (128 * _EACH) == 0
    digits = (digits * ((10 << 8) + 1) >> 8) & 0x00FF00FF00FF00FF  # pairs: 10 a + b
    digits = (digits * ((100 << 16) + 1) >> 16) & 0x0000FFFF0000FFFF  # fours: 100 a + b
    digits = digits * ((10000 << 32) + 1) >> 32
    return digits, (point * _PLACES >> 60).view(np.int64), well


def parse_decimals(text: bytes, starts: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, ...]:
    """
    Parse the decimals `text[starts[i]:ends[i]]` all at once: as exactly as `float` does (an integer
    over a power of ten), several times as fast as `np.fromstring`. `text` begins with `PAD`.
    Returns them, and which are right: plain digits (`-0.123`, `12`), 16 characters at most.
    """
    eights = np.ndarray((len(text) - 7,), "<u8", text, strides=(1,))
    negative = np.frombuffer(text, np.uint8)[starts] == ord("-")
    lengths = ends - starts - negative
    unused = ((8 - np.minimum(lengths, 8)) * 8).view(np.uint64)
    integers, place, well = _eight((eights[ends - 8] ^ (48 * _EACH)) >> unused << unused)
    scale, pointed = _SCALE[place], place > 0
    if lengths.max() > 8:
        unused = ((16 - np.clip(lengths, 8, 16)) * 8).view(np.uint64)
        far, place, far_well = _eight((eights[ends - 16] ^ (48 * _EACH)) >> unused << unused)
        integers += far * np.where(pointed, 10**7, 10**8).astype(np.uint64)
        scale *= np.where(place > 0, _SCALE[place] * 1e8, 1.0)
        well &= far_well & ~(pointed & (place > 0)) & (lengths <= 16)
        pointed |= place > 0
    numbers = integers / scale
    return np.negative(numbers, out=numbers, where=negative), well & (lengths > pointed)

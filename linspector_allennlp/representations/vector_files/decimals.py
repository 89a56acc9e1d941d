"""
Decimal numbers from bytes, many at a time: eight characters are one integer operation.

Reading a file of text vectors is mostly reading its numbers; with `float`, number by number, the
first opening of one takes 1.7 times as long (`benchmarks/vector_store.py`).

The method. Eight characters are loaded as one little-endian uint64, so that byte 0, the lowest, is
the first character and byte 7 the last. An operation on it is one on all eight, as long as no byte
carries over into the next ("SWAR", Lamport 1975; for digits: Lemire 2021). A number is loaded so
that it ends at byte 7; what comes before it is shifted out, and counts as leading zeros. Longer
ones have a second load for the eight characters before.
"""

import numpy as np

PAD = bytes(16)  # before the text, so that the first number, too, ends 16 bytes that can be loaded
_EACH = 0x0101010101010101  # times a byte: that byte eight times
_HIGH = 128 * _EACH  # the highest bit of each byte
_PLACES = sum((byte + 1) << (60 - 8 * byte) for byte in range(8))
_SCALE = 10.0 ** np.array([0, 7, 6, 5, 4, 3, 2, 1, 0])  # by the place of the point; 0: no point


def _eight(chars: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of eight characters XOR "0" in a uint64: the digits' value, the point's place, all well?"""
    # "." XOR "0" is 30, and a digit XOR "0" is its value. So `other` has a byte 0 where the point is.
    # x - 1 & ~x has the highest bit of a byte set where that was 0 (and perhaps in bytes above it,
    # by a borrow): the lowest bit that is set is right, and the others go by x & -x.
    other = chars ^ (30 * _EACH)
    point = (other - _EACH) & ~other & _HIGH
    point = (point & (~point + 1)) >> 7  # 1 in the byte of the point; 0 without a point
    # The point must go. `point` - 1 has all bits set below that byte: the digits before the point.
    # They move up by one byte, over the point: times 255 = 256 - 1 adds them there and takes them
    # away here, and the 30 of the point is subtracted, too.
    before = chars & (point - (point != 0))
    digits = chars - point * 30 + before * 255
    # All bytes are 0 to 9 if none has its highest bit, nor gets it by adding 118 = 128 - 10.
    well = ((digits + 118 * _EACH) | digits) & _HIGH == 0
    # Neighbours are put together: digits to pairs (10 a + b), pairs to fours, fours to one number.
    # With a in the lower bytes, x * (10 << 8 | 1) has 10 a + b in the byte of b; the shift brings
    # it down, and the mask clears what is between.
    digits = (digits * ((10 << 8) + 1) >> 8) & 0x00FF00FF00FF00FF
    digits = (digits * ((100 << 16) + 1) >> 16) & 0x0000FFFF0000FFFF
    digits = digits * ((10000 << 32) + 1) >> 32
    # `point` is 1 << 8 p; times `_PLACES`, whose bits 60 - 8 p and up are p + 1, that comes to the
    # four highest bits: the place, from 1 to 8, or 0 without a point.
    return digits, (point * _PLACES >> 60).view(np.int64), well


def parse_decimals(text: bytes, starts: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, ...]:
    """
    Parse the decimals `text[starts[i]:ends[i]]` all at once, as exactly as `float` does. Beside a
    point there is room for 15 digits: integer and power of ten are below 2 to the 53rd, and their
    quotient is rounded once. Without a point nothing but the integer is rounded.

    # Parameters

    text : `bytes`
        Begins with `PAD`.
    starts, ends : `np.ndarray`
        Of each number.

    # Returns

    The numbers, and which of them are right: plain digits (`-0.123`, `12`), 16 characters at most.
    """
    eights = np.ndarray((len(text) - 7,), "<u8", text, strides=(1,))  # from each byte on
    negative = np.frombuffer(text, np.uint8)[starts] == ord("-")
    lengths = ends - starts - negative
    # The bytes before the number, the lowest, are shifted out and in again as zeros.
    unused = ((8 - np.minimum(lengths, 8)) * 8).view(np.uint64)
    integers, place, well = _eight((eights[ends - 8] ^ (48 * _EACH)) >> unused << unused)
    scale, pointed = _SCALE[place], place > 0
    if lengths.max() > 8:
        unused = ((16 - np.clip(lengths, 8, 16)) * 8).view(np.uint64)
        far, place, far_well = _eight((eights[ends - 16] ^ (48 * _EACH)) >> unused << unused)
        # The last eight characters are seven digits where the point is one of them.
        integers += far * np.where(pointed, 10**7, 10**8).astype(np.uint64)
        scale *= np.where(place > 0, _SCALE[place] * 1e8, 1.0)
        well &= far_well & ~(pointed & (place > 0)) & (lengths <= 16)
        pointed |= place > 0
    numbers = integers / scale
    return np.negative(numbers, out=numbers, where=negative), well & (lengths > pointed)

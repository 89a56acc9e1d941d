from collections.abc import Sequence
from typing import Any

import numpy
import torch


class LayeredArray:
    """
    An array on the disk as layers × rows × dimension, whichever of these axes it has. Only what is
    asked for is read.

    # Parameters

    name : `str`
        For errors: the file, and where in it.
    array : `Any`
        Of NumPy, h5py or a slice of safetensors.
    has_rows : `bool`
        Whether it has an axis of rows; otherwise it is one row.
    rows : `str`, optional (default = `"tokens"`)
        What these are, for errors.
    """

    def __init__(self, name: str, array: Any, has_rows: bool, rows: str = "tokens") -> None:
        shape = tuple(array.get_shape() if hasattr(array, "get_shape") else array.shape)
        axes = f"{rows}, dimension" if has_rows else "dimension"
        if len(shape) - has_rows not in (1, 2) or 0 in shape:
            advice = " Set per to sentence if there is one vector for a sentence or a word form."
            raise ValueError(
                f"{name}: expected an array of shape ({axes}) or (layers, {axes}), found {shape}."
                + advice * (has_rows and len(shape) == 1)
            )
        self.name = name
        self._array = array
        self._has_rows = has_rows
        self._has_layers = len(shape) - has_rows == 2
        self.num_layers = shape[0] if self._has_layers else 1
        self.num_rows = shape[-2] if has_rows else 1
        self.dimension = shape[-1]

    def read(self, layers: Sequence[int], start: int, stop: int) -> numpy.ndarray:
        """Some rows in some layers, float32. Shape: (len(layers), stop − start, dimension)"""
        result = numpy.empty((len(layers), stop - start, self.dimension), numpy.float32)
        rows = (slice(start, stop),) * self._has_rows
        for i, layer in enumerate(layers):
            # Nothing but slices, since safetensors know no other index.
            index = (slice(layer, layer + 1),) * self._has_layers + (*rows, slice(None))
            try:
                values = self._array[index]
            except OSError as error:
                raise ValueError(f"{self.name}: the vectors cannot be read: {error}.") from error
            result[i] = self._as_float32(values).reshape(stop - start, -1)
        if not numpy.isfinite(result).all():
            raise ValueError(
                f"{self.name}: expected finite numbers (in float32), found NaN or infinity."
            )
        return result

    def _as_float32(self, values: Any) -> numpy.ndarray:
        if isinstance(values, torch.Tensor):
            values = values.float().numpy()
        if values.dtype.kind not in "fiu":
            raise ValueError(f"{self.name}: expected real numbers, found {values.dtype}.")
        with numpy.errstate(over="ignore"):  # infinity is found above
            return numpy.asarray(values, dtype=numpy.float32)

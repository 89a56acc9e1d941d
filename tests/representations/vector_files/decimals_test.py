import re

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from linspector_allennlp.representations.vector_files.decimals import PAD, parse_decimals

plain_decimals = st.from_regex(r"-?([0-9]{1,17}\.?[0-9]{0,17}|\.[0-9]{1,9})", fullmatch=True)


@settings(deadline=None)
@given(st.lists(plain_decimals | st.text(st.sampled_from("0123456789.-+eE/:x"), max_size=18)))
def test_decimals_are_parsed_as_float_does(tokens):
    text, starts = PAD, []
    for token in [*tokens, "0"]:
        starts.append(len(text))
        text += token.encode() + b" "
    starts = np.array(starts)
    ends = np.append(starts[1:] - 1, len(text) - 1)
    numbers, right = parse_decimals(text, starts, ends)
    for token, number, is_right in zip(tokens, numbers, right, strict=False):
        if re.fullmatch(r"-?(?=.{1,16}$)([0-9]+\.?[0-9]*|\.[0-9]+)", token):
            assert is_right
        if is_right:
            assert number == float(token), token

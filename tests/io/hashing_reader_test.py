import gzip
import hashlib

import pytest

from linspector_allennlp.io.hashing_reader import opened_hashed


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_the_file_as_it_lies_on_the_disk_is_hashed(tmp_path, pack):
    path = tmp_path / "v"
    path.write_bytes(pack(b"abc" * 10**6))
    with opened_hashed(str(path)) as (file, raw):
        assert file.read(2) + file.read() == b"abc" * 10**6
    assert raw.sha256.hexdigest() == hashlib.sha256(path.read_bytes()).hexdigest()
    assert raw.closed and raw.bar.n == path.stat().st_size

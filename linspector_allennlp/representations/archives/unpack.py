"""The files of an AllenNLP model: unpacked without trusting them, found, and digested."""

import hashlib
import json
import logging
import re
import shutil
import tarfile
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import Optional

from linspector_allennlp.io.cache import cache_folder, file_digest
from linspector_allennlp.io.files import PathLike, replacing_folder, sha256, write_json
from linspector_allennlp.io.locks import exclusively
from linspector_allennlp.io.private import is_ours, make_private
from linspector_allennlp.io.regular import read_text, regular
from linspector_allennlp.io.temporary import remove, temporary_folder

logger = logging.getLogger(__name__)

MOST_BYTES = 50 * 10**9  # of all members together, unpacked
MOST_MEMBERS = 100_000
CONFIG = "config.json"
DEFAULT_WEIGHTS = "weights.th", "best.th"  # of an archive, of a run folder

_PLAIN_FILE = tarfile.REGTYPE, tarfile.AREGTYPE


def unpack_archive(path: PathLike) -> Path:
    """
    The folder with what is in a `model.tar.gz`: unpacked into the cache, once. All members are
    looked at before anything is written. A folder, of a run, is given back as it is.
    """
    path = Path(path)
    if path.is_dir():
        return path
    folder = cache_folder() / "archives" / file_digest(path)[:32]
    if is_as_unpacked(folder):
        return folder
    _check_members(path)
    make_private(folder.parent)
    with exclusively(folder):
        if not is_as_unpacked(folder):  # another process may have unpacked it while we waited
            with replacing_folder(folder) as temporary:
                _extract(path, temporary)
                write_json(_digests_of(folder), _digests(temporary))
    return folder


@contextmanager
def unpacked(path: PathLike, cleanup: bool = True) -> Iterator[Path]:
    """
    In this block the folder with what is in a `model.tar.gz`, looked at before as by `unpack_archive`, but
    not kept in the cache. A folder is given as it is.
    """
    path = Path(path)
    if path.is_dir():
        yield path
        return
    _check_members(path)
    if cleanup:
        with temporary_folder("linspector_archive") as name:
            _extract(path, Path(name))
            yield Path(name)
    else:
        folder = Path(tempfile.mkdtemp(prefix="linspector_archive_"))
        try:
            _extract(path, folder)
        except BaseException:
            remove(folder)
            raise
        yield folder


def is_as_unpacked(folder: Path) -> bool:
    """
    Whether a folder in the cache is there, ours, and holds what was unpacked into it. Only its config may
    have been changed, by a user who trusts a model that is refused.
    """
    if not (folder.is_dir() and is_ours(folder) and is_ours(_digests_of(folder))):
        return False
    try:
        digests = json.loads(read_text(_digests_of(folder)))
        changed = [name for name in digests if file_digest(folder / name) != digests[name]]
    except (OSError, ValueError, RecursionError, TypeError):
        return False
    if changed:
        logger.warning("%s has changed in %s: the archive is unpacked anew.", changed[0], folder)
    return not changed


def _digests_of(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.json")


def _digests(folder: Path) -> dict[str, str]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    names = (path.relative_to(folder).as_posix() for path in files)
    return {name: sha256(folder / name) for name in names if name != CONFIG}


def unpacked_archives() -> dict[Path, int]:
    """The archives that lie unpacked in the cache, with the bytes that they take."""
    folders = (path for path in (cache_folder() / "archives").glob("*") if path.is_dir())
    return {
        folder: sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
        for folder in folders
    }


def find_weights(folder: Path, weights_file: Optional[str] = None) -> Path:
    """
    The file with the weights: one in the folder of the model, or anywhere else. By default that
    of an archive or the best of a run.
    """
    names = [weights_file] if weights_file else list(DEFAULT_WEIGHTS)
    # An absolute path stays what it is when it is joined to a folder.
    places = [folder / name for name in names] + [Path(name) for name in names if weights_file]
    for place in places:
        if place.is_file():
            return place
    there = ", ".join(sorted(file.name for file in folder.glob("*.th"))) or "none"
    raise FileNotFoundError(
        f"{folder}: there is no weights file {' or '.join(names)}; set weights_file to one of "
        f"those that are there: {there}."
    )


def model_digest(path: Path, folder: Path, weights: Path) -> str:
    """
    The digest of all files that decide the vectors. Other files in the folder of a run do not
    matter; of an archive the unpacked config counts too, which the user may have changed.
    """
    files = [folder / "config.json", *sorted((folder / "vocabulary").glob("*.txt"))]
    parts = [(file.name, file_digest(file)) for file in files if file.exists()]
    parts += [] if path.is_dir() else [("", file_digest(path))]
    content = json.dumps([*parts, file_digest(weights)])
    return hashlib.sha256(content.encode()).hexdigest()


def code_digests(packages: Sequence[str]) -> list[str]:
    """The digests of the user's packages: other code may give other vectors by the same weights."""
    digests = []
    for package in packages:
        try:
            spec = find_spec(package)
        except ModuleNotFoundError:  # of a package in it: who imports it says so
            spec = None
        folders = list(spec.submodule_search_locations or []) if spec else []
        files = [file for folder in folders for file in sorted(Path(folder).rglob("*.py"))]
        if spec and spec.origin and not folders:
            files = [Path(spec.origin)]
        content = "".join(map(sha256, files))
        digests.append(hashlib.sha256(content.encode()).hexdigest())
    return digests


def _check_members(path: Path) -> None:
    """Refuses an archive in which there is anything but plain files that belong in its folder."""
    root, num_bytes = PurePosixPath(), 0
    members = {root: True}  # with whether it is a folder
    with _opened(path) as archive:
        for member in archive:  # one by one: a bomb is refused before it is read
            place = PurePosixPath(member.name)
            num_bytes += member.size
            fault = _fault(member) or _place_fault(place, member.isdir(), members)
            if num_bytes > MOST_BYTES or len(members) >= MOST_MEMBERS:
                fault = f"more than {MOST_BYTES // 10**9} GB or {MOST_MEMBERS} files with it"
            if fault:
                raise ValueError(
                    f"{path}: expected plain files with a place in the archive's folder, found "
                    f"{member.name!r}: {fault}. Nothing was unpacked: do not trust this archive."
                )
            members.update(dict.fromkeys(place.parents, True))
            members[place] = member.isdir()
        # The archive ends before the file does: gzip's checksum is behind it.
        while archive.fileobj is not None and archive.fileobj.read(1 << 20):
            pass
    if members == {root: True}:
        raise ValueError(f"{path}: expected a model.tar.gz, found an archive with nothing in it.")


def _fault(member: tarfile.TarInfo) -> Optional[str]:
    """The fault of a member in itself."""
    name = member.name
    if member.issym() or member.islnk():
        return f"a link to {member.linkname!r}"
    if not (member.isdir() or member.type in _PLAIN_FILE):
        return "a device, a pipe, or some other special file"
    if name.startswith("/") or "\\" in name or "\0" in name or re.match("[A-Za-z]:", name):
        return "an absolute path, or one that is absolute on some system"
    if ".." in PurePosixPath(name).parts:
        return "a path that leads out of the folder"
    if member.size < 0:
        return "a negative size"
    return None


def _place_fault(
    place: PurePosixPath, is_folder: bool, members: dict[PurePosixPath, bool]
) -> Optional[str]:
    """The fault of its place beside those before it."""
    if place in members and not (is_folder and members[place]):
        return "a name that is there twice"
    if not all(members.get(parent, True) for parent in place.parents):
        return "a file in what is a file itself"
    return None


def _extract(path: Path, folder: Path) -> None:
    """Writes the plain files, with the rights of a new file and not those of the archive."""
    # Not by `extractall`: `safe_loading` refuses that to a model, whose parts may be in an archive too.
    with _opened(path) as archive:
        for member in archive:
            target = folder / member.name
            if member.isdir():
                target.mkdir(parents=True, exist_ok=True)
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            content = archive.extractfile(member)
            assert content is not None  # `_check_members` let plain files through, and nothing else
            with content, open(target, "xb") as file:
                shutil.copyfileobj(content, file, 1 << 20)


@contextmanager
def _opened(path: Path) -> Iterator[tarfile.TarFile]:
    try:
        with tarfile.open(regular(path), "r:gz") as archive:
            yield archive
    except (tarfile.TarError, EOFError, zlib.error, OSError) as error:
        # gzip says by a bare OSError, without a number, that its data are damaged.
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise ValueError(
            f"{path}: expected a whole model.tar.gz, found something else ({error}). Is it a "
            "truncated download?"
        ) from error

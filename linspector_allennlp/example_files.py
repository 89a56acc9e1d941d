"""The files that come with the package for a user to begin with: starting configs, small Finnish data."""

import shutil
from pathlib import Path
from typing import Optional

from linspector_allennlp.io.files import PathLike, replacing, replacing_text
from linspector_allennlp.io.missing_files import listed, nearest

EXAMPLE = Path(__file__).resolve().parent / "example"

SUITES = "suites/"
"""How the names of the suites begin among the starting configs."""

DATA = ("type_level", "token_level", "sentence_level", "downstream", "raw", "vectors")


def starting_configs() -> dict[str, str]:
    """
    The first comment of each starting config, by its name; those of studies are `suites/NAME`, those of
    downstream tasks `downstream/NAME`.
    """
    folder = EXAMPLE / "configs"
    paths = [
        path
        for kind in ("", "downstream/", SUITES)
        for path in sorted(folder.glob(f"{kind}*.jsonnet"))
    ]
    return {
        path.relative_to(folder).with_suffix("").as_posix(): _first_comment(path) for path in paths
    }


def write_config(name: str, path: Optional[PathLike] = None, force: bool = False) -> Path:
    """
    Writes a starting config, and gives its path.

    # Parameters

    path : `PathLike`, optional
        A file, or a folder that is there; by default `NAME.jsonnet` in the current folder, without the
        folder that the name begins with.
    force : `bool`, optional (default = `False`)
        Whether a file that is there is replaced.
    """
    name = name.removesuffix(".jsonnet")
    names = starting_configs()
    if name not in names:
        raise ValueError(
            f"there is no starting config {name}.{nearest(name, names)} There are: {listed(names)}."
        )
    is_folder = str(path).endswith("/")
    path = Path(path or ".")
    if path.is_dir() or is_folder:
        path /= f"{name.rpartition('/')[2]}.jsonnet"
    if path.exists() and not force:
        raise FileExistsError(f"{path} is there. Name another file, or replace it with --force.")
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing_text(path) as file:
        file.write((EXAMPLE / "configs" / f"{name}.jsonnet").read_text(encoding="utf-8"))
    return path


def copy_example(output: PathLike, force: bool = False) -> dict[str, Path]:
    """Copies the small Finnish data into a folder; gives the folder of each part."""
    # Stores of vectors are made beside their files when these are read.
    files = {
        source: Path(output, source.relative_to(EXAMPLE))
        for name in DATA
        for source in sorted((EXAMPLE / name).rglob("*"))
        if source.is_file() and ".store" not in source.name
    }
    taken = [str(target) for target in files.values() if target.exists()]
    if taken and not force:
        raise FileExistsError(
            f"{taken[0]} is there. Name another --output, or replace it with --force."
        )
    for source, target in files.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        with replacing(target) as temporary:
            shutil.copyfile(source, temporary)
    return {name: Path(output, name) for name in DATA}


def _first_comment(path: Path) -> str:
    with open(path, encoding="utf-8") as file:
        return file.readline().lstrip("/").strip()

"""Campaign folders in another place: a shared folder, or an object store through fsspec."""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Tuple, Union

AnyPath = Union[str, "PathLike[str]"]


def put(folder: AnyPath, url: str, options: Optional[Mapping[str, Any]] = None) -> None:
    """Copies all files of a folder to a URL such as ``s3://bucket/campaign``."""
    files, root = _at(url, options)
    folder = Path(fspath(folder))
    # The file that makes the folder a campaign comes last, so that the rest exists once it does.
    for path in sorted(folder.rglob("*"), key=lambda path: path.name == "manifest.json"):
        if path.is_file():
            to = f"{root}/{path.relative_to(folder).as_posix()}"
            files.makedirs(to.rsplit("/", 1)[0], exist_ok=True)
            files.put_file(str(path), to)


def get(url: str, folder: AnyPath, options: Optional[Mapping[str, Any]] = None) -> Path:
    """Copies all files below a URL into a folder."""
    files, root = _at(url, options)
    folder = Path(fspath(folder))
    prefix = root.rstrip("/") + "/"
    for name in files.find(root):
        if not name.startswith(prefix):
            continue
        below = Path(name[len(prefix) :])
        if ".." in below.parts:
            raise ValueError(f"{name} leads out of {url}")
        (folder / below).parent.mkdir(parents=True, exist_ok=True)
        files.get_file(name, str(folder / below))
    return folder


def has(url: str, options: Optional[Mapping[str, Any]] = None) -> bool:
    """Returns whether a URL contains a complete campaign."""
    files, root = _at(url, options)
    files.invalidate_cache()
    return bool(files.exists(f"{root}/manifest.json"))


def packed(folder: AnyPath) -> Dict[str, bytes]:
    """Returns the files of a part that are needed to merge it: its manifest and its shards."""
    folder = Path(fspath(folder))
    found: List[Path] = [folder / "manifest.json", *sorted((folder / "shards").iterdir())]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def unpack(files: Mapping[str, bytes], folder: AnyPath) -> None:
    """Writes the files that :func:`packed` returned."""
    for name, content in files.items():
        path = Path(fspath(folder)) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _at(url: str, options: Optional[Mapping[str, Any]]) -> Tuple[Any, str]:
    import fsspec

    files, root = fsspec.core.url_to_fs(url, **(options or {}))
    return files, root.rstrip("/")

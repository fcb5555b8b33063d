"""A campaign in parts made by processes elsewhere: the common code for Ray and Dask."""

from __future__ import annotations

import tempfile
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Union

from . import storage as stores
from .campaign import Campaign, _run, merge, words_of
from .engine import options

AnyPath = Union[str, "PathLike[str]"]
Files = Dict[str, bytes]


def make(words: Sequence[str], number: int, of: int, url: Optional[str], how: Mapping[str, Any]) -> Files:
    """Makes a part of a campaign on some machine. Returns its files, unless they are put into a store."""
    place = f"{url}/part-{number}-of-{of}" if url is not None else None
    if place is not None and stores.has(place, how):
        return {}
    with tempfile.TemporaryDirectory(prefix="vaultwright-") as folder:
        part = Path(folder) / "part"
        _run([*words, "--shard", f"{number}/{of}", "--out", str(part), "--jobs", "1"])
        if place is None:
            return stores.packed(part)
        stores.put(part, place, how)
        return {}


class Parts:
    """The parts of a campaign, numbered from 1, and their results."""

    def __init__(
        self,
        games: int,
        places: Union[str, Iterable[str], None],
        count: int,
        folder: str,
        *,
        seed: int,
        data: Optional[AnyPath],
        rules: Optional[str],
        files: Iterable[AnyPath],
        without: Iterable[str],
        force: Optional[str],
        instructions: Optional[int],
        memory: Optional[int],
        storage: Optional[str],
        storage_options: Optional[Mapping[str, Any]],
    ) -> None:
        files = [files] if isinstance(files, (str, PathLike)) else list(files)
        pack = options(data, rules, files, instructions, memory, None)
        self._words = words_of(games, places, seed, None, None, without, force, pack)
        self._pack: Dict[str, Any] = {"data": data, "rules": rules, "files": files}
        # Not more than the number of shards of the smallest campaign; empty parts are allowed.
        self.count = max(1, min(count, games))
        self._storage = storage
        self._how = dict(storage_options or {})
        self._folder = Path(folder)
        self._found: List[Path] = []

    def numbers(self) -> range:
        return range(1, self.count + 1)

    def task(self, number: int) -> Sequence[Any]:
        """Returns the arguments of :func:`make` for a part."""
        return (self._words, number, self.count, self._storage, self._how)

    def take(self, number: int, made: Files) -> None:
        """Adds a finished part."""
        part = self._folder / f"{number}"
        if self._storage is None:
            stores.unpack(made, part)
        else:
            stores.get(f"{self._storage}/part-{number}-of-{self.count}", part, self._how)
        self._found.append(part)

    def join(self, out: AnyPath, table: str) -> Campaign:
        """Merges all added parts into a campaign."""
        return merge(self._found, fspath(out), table=table, **self._pack)

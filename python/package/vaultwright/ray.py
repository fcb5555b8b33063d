"""Campaigns on a Ray cluster (``pip install vaultwright[ray]``)."""

from __future__ import annotations

import tempfile
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Union

import ray

from . import storage as stores
from .campaign import Campaign, _bar, _run, merge, words_of
from .engine import options
from .errors import CampaignError

AnyPath = Union[str, "PathLike[str]"]


@ray.remote
def _part(words: Sequence[str], number: int, of: int, url: Optional[str], how: Mapping[str, Any]) -> Dict[str, bytes]:
    """Makes a part of a campaign on some machine; its files, unless they go to a store."""
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


def campaign(
    games: int = 100,
    places: Union[str, Iterable[str], None] = None,
    *,
    out: AnyPath,
    parts: Optional[int] = None,
    table: str = "levels",
    seed: int = 1,
    data: Optional[AnyPath] = None,
    rules: Optional[str] = None,
    files: Iterable[AnyPath] = (),
    without: Iterable[str] = (),
    force: Optional[str] = None,
    instructions: Optional[int] = None,
    memory: Optional[int] = None,
    storage: Optional[str] = None,
    storage_options: Optional[Mapping[str, Any]] = None,
    retries: int = 10,
    num_cpus: float = 1,
    progress: bool = True,
) -> Campaign:
    """Surveys the levels of many games on the nodes of a Ray cluster; the campaign, ended, in ``out`` on this one.

    The result is byte for byte that of :func:`vaultwright.campaign` with the same games, places and pack: the manifest
    decides what is in each shard, whoever makes it. A part whose worker is killed, or whose node goes away, is
    made again. Arguments are those of :func:`vaultwright.campaign` but for:

    :param out: a new folder on this machine for shards, tables and the report.
    :param parts: how many tasks; four for each processor of the cluster if not given.
    :param storage: a URL that all nodes reach (``s3://bucket/campaign``, ``file:///shared/campaign``): parts lie there, and those
        that do are not made again. Without it they come through Ray.
    :param storage_options: what fsspec needs to get there.
    :param retries: how often a part is begun again whose worker has died.
    :param num_cpus: what a task takes of a node.

    The pack has to lie at the same path on every node, and the same version of this package has to be installed there.
    """
    if not ray.is_initialized():
        ray.init(log_to_driver=False)
    files = [files] if isinstance(files, (str, PathLike)) else list(files)
    pack = options(data, rules, files, instructions, memory, None)
    words = words_of(games, places, seed, None, None, without, force, pack)
    if parts is None:
        parts = max(1, int(4 * ray.cluster_resources().get("CPU", 1)))
    # No more than there are shards for the smallest campaign; an empty part is one, too.
    parts = max(1, min(parts, games))
    task = _part.options(max_retries=retries, num_cpus=num_cpus)
    how = dict(storage_options or {})
    pending: Dict[Any, int] = {
        task.remote(words, number, parts, storage, how): number for number in range(1, parts + 1)
    }
    bar = _bar(parts) if progress else None
    with tempfile.TemporaryDirectory(prefix="vaultwright-") as folder:
        found: List[Path] = []
        while pending:
            ready, _ = ray.wait(list(pending), num_returns=1)
            number = pending.pop(ready[0])
            part = Path(folder) / f"{number}"
            try:
                taken = ray.get(ready[0])
            except ray.exceptions.RayTaskError as error:
                for other in pending:
                    ray.cancel(other, force=True)
                raise error.as_instanceof_cause() from None
            except ray.exceptions.RayError as error:
                raise CampaignError(f"part {number} of {parts}: {error}") from error
            if storage is None:
                stores.unpack(taken, part)
            else:
                stores.get(f"{storage}/part-{number}-of-{parts}", part, how)
            found.append(part)
            if bar is not None:
                bar.update(1)
        if bar is not None:
            bar.close()
        return merge(found, fspath(out), table=table, data=data, rules=rules, files=files)

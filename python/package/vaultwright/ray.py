"""Campaigns on a Ray cluster (``pip install vaultwright[ray]``)."""

from __future__ import annotations

import tempfile
from typing import Any, Dict, Iterable, Mapping, Optional, Sequence, Union

import ray

from .campaign import Campaign, _bar
from .errors import CampaignError
from .parts import AnyPath, Files, Parts, make


@ray.remote
def _part(words: Sequence[str], number: int, of: int, url: Optional[str], how: Mapping[str, Any]) -> Files:
    return make(words, number, of, url, how)


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
    """Surveys the levels of many games on the nodes of a Ray cluster.

    Returns the finished campaign, in ``out`` on this machine.

    The result is byte for byte that of :func:`vaultwright.campaign` with the same games, places and pack: the manifest
    decides what is in each shard, wherever it is made. A part whose worker is killed, or whose node disappears, is
    made again. The arguments are those of :func:`vaultwright.campaign`, except for:

    :param out: a new folder on this machine for shards, tables and the report.
    :param parts: the number of tasks; by default four for each processor of the cluster.
    :param storage: a URL that all nodes can access (``s3://bucket/campaign``, ``file:///shared/campaign``). Parts are
        stored there, and existing ones are not made again. Without it they are sent through Ray.
    :param storage_options: the options that fsspec needs to access it.
    :param retries: how many times a part is restarted if its worker dies.
    :param num_cpus: the number of processors of a node that a task uses.

    The pack must be at the same path on every node, and the same version of this package must be installed there.
    """
    if not ray.is_initialized():
        ray.init(log_to_driver=False)
    if parts is None:
        parts = max(1, int(4 * ray.cluster_resources().get("CPU", 1)))
    task = _part.options(max_retries=retries, num_cpus=num_cpus)
    with tempfile.TemporaryDirectory(prefix="vaultwright-") as folder:
        all_parts = Parts(
            games, places, parts, folder, seed=seed, data=data, rules=rules, files=files, without=without, force=force,
            instructions=instructions, memory=memory, storage=storage, storage_options=storage_options,
        )  # fmt: skip
        pending: Dict[Any, int] = {task.remote(*all_parts.task(number)): number for number in all_parts.numbers()}
        bar = _bar(all_parts.count) if progress else None
        while pending:
            ready, _ = ray.wait(list(pending), num_returns=1)
            number = pending.pop(ready[0])
            try:
                made = ray.get(ready[0])
            except ray.exceptions.RayTaskError as error:
                for other in pending:
                    ray.cancel(other, force=True)
                raise error.as_instanceof_cause() from None
            except ray.exceptions.RayError as error:
                raise CampaignError(f"part {number} of {all_parts.count}: {error}") from error
            all_parts.take(number, made)
            if bar is not None:
                bar.update(1)
        if bar is not None:
            bar.close()
        return all_parts.join(out, table)

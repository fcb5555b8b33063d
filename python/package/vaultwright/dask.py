"""Campaigns on a Dask cluster (``pip install vaultwright[dask]``)."""

from __future__ import annotations

import tempfile
from typing import Any, Dict, Iterable, Mapping, Optional, Union

from distributed import Client, as_completed, get_client

from .campaign import Campaign, _bar
from .parts import AnyPath, Parts, make


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
    retries: int = 3,
    client: Optional[Client] = None,
    progress: bool = True,
) -> Campaign:
    """Surveys the levels of many games on the workers of a Dask cluster.

    Returns the finished campaign, in ``out`` on this machine.

    The result is byte for byte that of :func:`vaultwright.campaign` with the same games, places and pack: the manifest
    decides what is in each shard, wherever it is made. A part whose worker is killed, or whose node disappears, is
    made again. The arguments are those of :func:`vaultwright.campaign`, except for:

    :param out: a new folder on this machine for shards, tables and the report.
    :param parts: the number of tasks; by default four for each thread of the cluster's workers.
    :param storage: a URL that all nodes can access (``s3://bucket/campaign``, ``file:///shared/campaign``). Parts are
        stored there, and existing ones are not made again. Without it they are sent through Dask.
    :param storage_options: the options that fsspec needs to access it.
    :param retries: how many times a failed part is restarted. If its worker dies, Dask's setting
        ``distributed.scheduler.allowed-failures`` applies instead.
    :param client: the cluster; by default that of the current client, or else one on this machine.

    The pack must be at the same path on every node, and the same version of this package must be installed there.
    """
    if client is None:
        try:
            client = get_client()
        except ValueError:
            client = Client()
    if parts is None:
        parts = 4 * sum(client.nthreads().values())
    with tempfile.TemporaryDirectory(prefix="vaultwright-") as folder:
        all_parts = Parts(
            games, places, parts, folder, seed=seed, data=data, rules=rules, files=files, without=without, force=force,
            instructions=instructions, memory=memory, storage=storage, storage_options=storage_options,
        )  # fmt: skip
        tasks: Dict[Any, int] = {
            client.submit(make, *all_parts.task(number), pure=False, retries=retries): number
            for number in all_parts.numbers()
        }
        bar = _bar(all_parts.count) if progress else None
        try:
            for done in as_completed(list(tasks)):
                all_parts.take(tasks[done], done.result())
                done.release()
                if bar is not None:
                    bar.update(1)
        finally:
            # Cancels those that still run if one has failed.
            client.cancel(list(tasks))
            if bar is not None:
                bar.close()
        return all_parts.join(out, table)

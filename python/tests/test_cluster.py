"""Campaigns on clusters: Slurm's job arrays, Ray, object stores. All of it on this machine."""

import hashlib
import os
import shlex
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import vaultwright
from vaultwright.campaign import program

pytest.importorskip("pyarrow")

SLURM = Path(__file__).resolve().parents[2] / "scripts" / "slurm-campaign"
GAMES, PLACES = 12, "D:1-2"

# Runs the tasks of an array one after the other, as the lines of the script and the options say.
SBATCH = """#!/bin/sh
count=$(sed -n 's/^#SBATCH --array=1-//p' "$2")
case $1 in --array=1-*) count=${1#--array=1-} ;; esac
shift
for i in $(seq "$count"); do
  SLURM_ARRAY_TASK_ID=$i SLURM_ARRAY_TASK_COUNT=$count SLURM_CPUS_PER_TASK=1 "$@" || exit 1
done
"""


def records(folder):
    shards = sorted((Path(folder) / "shards").glob("*.shard"))
    return [(shard.name, hashlib.sha256(shard.read_bytes()).hexdigest()) for shard in shards]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    out = tmp_path_factory.mktemp("cluster") / "whole"
    return vaultwright.campaign(GAMES, PLACES, out=out, progress=False).run()


def executable(path, text):
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def test_a_job_array_of_slurm_makes_the_same(whole, tmp_path):
    executable(tmp_path / "sbatch", SBATCH)
    executable(tmp_path / "vaultwright", f'#!/bin/sh\nexec {shlex.join(program())} "$@"\n')
    path = f"{tmp_path}:{os.environ['PATH']}"
    words = ["sbatch", "--array=1-3", str(SLURM), str(GAMES), PLACES, "--standalone"]
    subprocess.run(words, cwd=tmp_path, env={**os.environ, "PATH": path}, check=True, capture_output=True)
    merged = vaultwright.merge([tmp_path / f"campaign-{i}" for i in (1, 2, 3)], tmp_path / "merged")
    assert records(merged.folder) == records(whole.folder)
    assert merged.table("vaults").equals(whole.table("vaults"))


def test_folders_go_to_stores_and_back(whole, tmp_path):
    pytest.importorskip("fsspec")
    from vaultwright import storage

    url = f"file://{tmp_path}/store/campaign"
    assert not storage.has(url)
    storage.put(whole.folder, url)
    assert storage.has(url)
    again = storage.get(url, tmp_path / "again")
    assert records(again) == records(whole.folder)
    assert vaultwright.read_campaign(again).table().equals(whole.table())


def test_an_object_store(whole, tmp_path):
    server = pytest.importorskip("moto.server")
    pytest.importorskip("s3fs")
    from vaultwright import storage

    running = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    running.start()
    try:
        host, port = running.get_host_and_port()
        how = {"key": "k", "secret": "s", "endpoint_url": f"http://{host}:{port}"}
        import s3fs

        s3fs.S3FileSystem(**how).mkdir("levels")
        storage.put(whole.folder, "s3://levels/campaign", how)
        assert storage.has("s3://levels/campaign", how)
        assert records(storage.get("s3://levels/campaign", tmp_path / "again", how)) == records(whole.folder)
    finally:
        running.stop()


@pytest.mark.skipif("VAULTWRIGHT_TEST_RAY" not in os.environ, reason="takes a minute: VAULTWRIGHT_TEST_RAY=1")
def test_ray_makes_the_same_while_workers_are_killed(whole, tmp_path):
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    import vaultwright.ray

    # Workers import what this process imports.
    package = str(Path(vaultwright.__file__).resolve().parents[1])
    os.environ["PYTHONPATH"] = os.pathsep.join([package, os.environ.get("PYTHONPATH", "")])
    # Ray has its workers stand back behind everything else on the machine.
    os.environ.setdefault("RAY_worker_niceness", "0")
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, log_to_driver=False)
    killed, done = [], threading.Event()

    def kill():
        while not done.is_set() and len(killed) < 2:
            for process in Path("/proc").glob("[0-9]*"):
                try:
                    words = (process / "cmdline").read_bytes()
                    owner = int((process / "stat").read_text().rsplit(")", 1)[1].split()[1])
                    shard = f"{tmp_path.name}".encode()
                    is_task = b"--shard" in words and b"mapstat" in words and shard not in words
                    ours = b"ray::_part" in (Path("/proc") / str(owner) / "cmdline").read_bytes()
                    if is_task and ours and owner not in killed and len(killed) < 2:
                        # The worker of Ray, not only what it has started: Ray has to notice.
                        os.kill(owner, signal.SIGKILL)
                        os.kill(int(process.name), signal.SIGKILL)
                        killed.append(owner)
                except (OSError, ValueError, IndexError):
                    continue
            time.sleep(0.05)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        assert len([node for node in ray.nodes() if node["Alive"]]) == 2
        made = vaultwright.ray.campaign(GAMES, PLACES, out=tmp_path / "made", parts=4, progress=False)
    finally:
        done.set()
        killer.join()
        ray.shutdown()
        cluster.shutdown()
    assert killed, "no worker was killed"
    assert records(made.folder) == records(whole.folder)
    assert made.table("monsters").equals(whole.table("monsters"))


@pytest.mark.skipif("VAULTWRIGHT_TEST_DASK" not in os.environ, reason="takes a minute: VAULTWRIGHT_TEST_DASK=1")
def test_dask_makes_the_same_while_a_worker_is_killed(whole, tmp_path):
    distributed = pytest.importorskip("distributed")

    import vaultwright.dask

    # Workers import what this process imports.
    package = str(Path(vaultwright.__file__).resolve().parents[1])
    os.environ["PYTHONPATH"] = os.pathsep.join([package, os.environ.get("PYTHONPATH", "")])
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            victim = next(iter(client.run(os.getpid).values()))
            threading.Timer(0.5, os.kill, (victim, signal.SIGKILL)).start()
            made = vaultwright.dask.campaign(
                GAMES, PLACES, out=tmp_path / "made", parts=4, progress=False, client=client
            )
            assert victim not in client.run(os.getpid).values(), "no worker was killed"
    assert records(made.folder) == records(whole.folder)
    assert made.table("monsters").equals(whole.table("monsters"))


def test_modules_are_importable_without_extras():
    code = "import vaultwright, vaultwright.storage, vaultwright.parts, sys; assert not {'ray', 'distributed'} & {*sys.modules}"
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ})

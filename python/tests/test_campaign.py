"""Campaigns and their tables."""

import hashlib
import json
import subprocess

import pytest

import vaultwright
from vaultwright.campaign import program

pyarrow = pytest.importorskip("pyarrow")


def records(folder):
    """The bytes of all shards."""
    shards = sorted((folder / "shards").glob("*.shard"))
    return [(shard.name, hashlib.sha256(shard.read_bytes()).hexdigest()) for shard in shards]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("campaign") / "whole"
    return vaultwright.campaign(6, "D:1-3", out=folder, jobs=2, progress=False).run()


def test_batches_are_those_of_the_tables(whole):
    import pyarrow.parquet as parquet

    for name in vaultwright.TABLES:
        table = whole.table(name)
        written = parquet.read_table(whole.folder / "tables" / f"{name}.parquet")
        assert table.schema.names == written.schema.names and table.equals(written.cast(table.schema)), name
        table.validate(full=True)
    assert whole.table().num_rows == 18 and whole.table("vaults").num_rows > 0
    assert whole.manifest["plan"]["games"] == 6


def test_batches_come_while_it_runs():
    running = vaultwright.campaign(6, "D:1", table="vaults", jobs=1, progress=False)
    with running:
        batches = iter(running)
        assert isinstance(next(batches), pyarrow.RecordBatch) and running._process is not None
        assert sum(1 for _ in batches) == 5
    assert not running.folder.exists()


def test_other_libraries_take_them(whole):
    polars = pytest.importorskip("polars")
    frame = polars.from_arrow(whole.table("monsters"))
    assert frame.group_by("kind").len().height > 1
    raw = whole._opened().batches(0, ["monsters"])[0]
    assert polars.DataFrame(raw).height == len(raw)
    duckdb = pytest.importorskip("duckdb")
    vaults = whole.reader("vaults")
    assert duckdb.sql("select count(*) from vaults").fetchall()[0][0] == whole.table("vaults").num_rows
    assert whole.table("levels").to_pandas()["seed"].nunique() == 6


def test_the_memory_of_batches_is_given_back(whole):
    raw = whole._opened()
    before = pyarrow.total_allocated_bytes()
    for _ in range(200):
        batch = raw.batches(0, ["features"])[0]
        held = pyarrow.record_batch(batch)
        del batch
        assert held.num_rows == len(held.column(0))
    assert pyarrow.total_allocated_bytes() == before


def test_parts_make_the_same_whole(whole, tmp_path):
    parts = [tmp_path / "1", tmp_path / "2"]
    for number, part in enumerate(parts, start=1):
        vaultwright.campaign(6, "D:1-3", out=part, shard=(number, 2), jobs=1, progress=False).run()
    merged = vaultwright.merge(parts, tmp_path / "merged")
    assert records(merged.folder) == records(whole.folder)
    assert merged.table("vaults").equals(whole.table("vaults")) and merged.report.exists()


def test_what_is_stopped_goes_on(whole, tmp_path):
    first = vaultwright.campaign(6, "D:1-3", out=tmp_path / "c", jobs=1, progress=False)
    next(iter(first))
    first.stop()
    assert vaultwright.campaign(6, "D:1-3", out=tmp_path / "c", progress=False).run()
    assert records(tmp_path / "c") == records(whole.folder)


def test_more_games_in_the_same_folder_have_more_rows(tmp_path):
    for games in (2, 4):
        running = vaultwright.campaign(games, "D:1", out=tmp_path / "c", jobs=1, progress=False)
        assert running.table().num_rows == running.manifest["plan"]["games"] == games
    # What a folder held before is not what a campaign that cannot go on there has found.
    with pytest.raises(vaultwright.CampaignError, match="another campaign"):
        vaultwright.campaign(4, "D:2", out=tmp_path / "c", progress=False).table()


def test_what_differs_is_told(whole, tmp_path):
    same = vaultwright.compare(whole, whole.folder)
    assert same and not any(one.real for one in same)
    # The game is the unit: six of them are too few to tell.
    before = vaultwright.campaign(15, "D:1-3", out=tmp_path / "before", progress=False).run()
    level = vaultwright.campaign(15, "D:1-3", out=tmp_path / "other", force="moonlit_pond", progress=False)
    changed = vaultwright.compare(before, level)
    assert "moonlit_pond" in [one.name for one in changed if one.real]


def test_errors_are_those_of_the_program(tmp_path):
    with pytest.raises(vaultwright.CampaignError, match="no map"):
        vaultwright.campaign(1, "D:1", force="no_such_map", progress=False).run()
    with pytest.raises(vaultwright.CampaignError, match="no campaign"):
        vaultwright.read_campaign(tmp_path)
    with pytest.raises(vaultwright.UnknownName, match="levels"):
        vaultwright.campaign(1, table="nothing")


def test_seeds_are_found():
    found = list(vaultwright.seeds("D:1-2 has vault moonlit_pond", find=2, search=200))
    assert len(found) == 2
    for seed in found:
        levels = [vaultwright.Engine().level(place, seed) for place in ("D:1", "D:2")]
        assert any(vault.name == "moonlit_pond" for level in levels for vault in level.vaults)


def test_the_program_is_there(tmp_path):
    ran = subprocess.run([*program(), "generate", "D:1", "--format", "json"], capture_output=True, cwd=tmp_path, check=True)
    assert json.loads(ran.stdout)["place"] == "D:1"
    failed = subprocess.run([*program(), "show", "nothing"], capture_output=True, cwd=tmp_path, check=False)
    assert failed.returncode == 1 and b"no map is named" in failed.stderr

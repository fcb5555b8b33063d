"""Levels, rolls and answers of an engine."""

import json
import multiprocessing
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import vaultwright
from vaultwright import NO_VAULT, Engine


@pytest.fixture(scope="module")
def engine():
    return Engine()


def test_a_level_is_arrays_and_lists(engine):
    level = engine.level("D:3", seed=7)
    for cells, kind in [
        (level.features, np.uint16), (level.vault_ids, np.uint16), (level.masks, np.int64),
        (level.properties, np.int64), (level.heights, np.int32), (level.passable, np.bool_),
    ]:  # fmt: skip
        assert cells.shape == engine.shape == (70, 80)
        assert cells.dtype == kind and not cells.flags.writeable
    # The arrays say the same as the level's JSON, name by name and cell by cell.
    told = level.json()
    names = np.array(level.feature_names)[level.features]
    assert names.tolist() == told["features"]
    assert level.where("floor").sum() == sum(row.count("floor") for row in told["features"]) > 300
    assert level.name_at(5, 6) == told["features"][6][5]
    assert [monster.kind for monster in level.monsters] == [m.get("kind") for m in told["monsters"]]
    assert len(level.items) == len(told["items"]) and level.monsters
    for vault in level.vaults:
        ys, xs = np.nonzero(level.vault_ids == vault.index)
        if len(xs):
            assert vault.x <= xs.min() and xs.max() < vault.x + vault.width
            assert vault.y <= ys.min() and ys.max() < vault.y + vault.height
    in_vaults = level.vault_ids != NO_VAULT
    assert 0 < in_vaults.sum() < in_vaults.size and (level.vault_ids[in_vaults] < len(level.vaults)).all()
    assert (told["place"], told["seed"]) == ("D:3", 7) and level.mask("vault").any()
    schema = json.loads((Path(__file__).parents[2] / "docs" / "level.schema.json").read_text())
    assert set(schema["required"]) <= set(told) <= set(schema["properties"])
    assert level.zones >= 1 and level.passable.any()


def test_the_same_seed_gives_the_same_level_in_every_way(engine):
    first = engine.level("D:2", 11)
    again = Engine().level("D:2", 11)
    assert first.json() == again.json() and first.draws == again.draws
    in_game = next(level for level in engine.game(11) if level.place == "D:2")
    assert (in_game.features == first.features).all()
    assert (engine.level("D:2", 12).features != first.features).any()


def test_levels_of_many_seeds_come_in_order_from_any_number_of_threads(engine):
    one = [level.features.tobytes() for level in engine.levels("D:1", range(1, 8), jobs=1)]
    two = [level.features.tobytes() for level in engine.levels("D:1", range(1, 8), jobs=2)]
    assert one == two and len(set(one)) == 7


def test_other_threads_go_on_while_a_level_is_built():
    engine, ticks, done = Engine(), [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    began = time.perf_counter()
    engine.level("D:5", 3)
    took = time.perf_counter() - began
    done.set()
    ticker.join()
    # A held lock would let it tick only between calls.
    assert len([at for at in ticks if began < at < began + took]) > took / 0.05


def test_an_engine_serves_many_threads(engine):
    alone = {seed: engine.level("D:1", seed).features.tobytes() for seed in range(1, 5)}
    found = {}

    def ask(seed):
        found[seed] = engine.level("D:1", seed).features.tobytes()

    threads = [threading.Thread(target=ask, args=(seed,)) for seed in alone]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert found == alone


def test_maps_are_rolled_and_placed(engine):
    roll = engine.resolve("moonlit_pond", seed=4)
    assert roll.glyphs.shape == (roll.height, roll.width)
    rows = ["".join(map(chr, row)) for row in roll.glyphs]
    assert rows == roll.rows and roll.name == "moonlit_pond" and roll.attributes["legend"]
    placed = engine.place("moonlit_pond", seed=4)
    assert [vault.name for vault in placed.vaults] == ["moonlit_pond"]
    # The level of no game has no place.
    assert placed.json()["seed"] == 4 and "place" not in placed.json()
    vault = placed.vaults[0]
    assert (vault.x, vault.y, vault.width, vault.height) == (roll.x, roll.y, roll.width, roll.height)
    # It has to stand on floor, of which there is none here.
    with pytest.raises(vaultwright.MapError, match="moonlit_pond, seed 4: it fits nowhere"):
        engine.place("moonlit_pond", 4, filled=True)


def test_coverage_and_odds(engine):
    coverage = engine.coverage("moonlit_pond", rolls=50)
    assert coverage.rolls == 50 == coverage.valid + coverage.failed_validation + sum(coverage.errors.values())
    assert coverage.cells and all(sum(one.counts) > 0 for one in coverage.alternatives)
    odds = engine.odds("moonlit_pond")
    assert 0 < odds.game <= 1 and all(0 < one.share <= 1 and one.rank <= one.of for one in odds.levels)
    assert [one.place for one in engine.odds("moonlit_pond", "D:2").levels] in (["D:2"], [])


def test_pictures(engine, tmp_path):
    level = engine.level("D:1", 1)
    assert level._repr_png_().startswith(b"\x89PNG") and "data:image/png" in level._repr_html_()
    assert "D:1" in level._repr_html_() and level.svg().startswith("<svg")
    assert len(str(level).splitlines()) > 10 and "\x1b[" in level.ansi()
    small, large = level.png(4), level.png(16)
    assert len(small) < len(large)
    for name in ["a.png", "a.svg", "a.txt", "a.json", "a.tmx", "a.tmj"]:
        assert all(path.stat().st_size > 0 for path in level.save(tmp_path / name))
    assert json.loads((tmp_path / "a.json").read_text())["width"] == 80
    assert json.loads((tmp_path / "a.tmj").read_text())["tilesets"][0]["image"] == "a.tiles.png"
    assert level.ldtk(tmp_path / "ldtk")
    with pytest.raises(ValueError, match="ending"):
        level.save(tmp_path / "a.bmp")
    assert engine.resolve("moonlit_pond")._repr_png_().startswith(b"\x89PNG")


def test_wishes_that_cannot_be_met_say_why(engine):
    with pytest.raises(vaultwright.UnknownName, match="did you mean 'moonlit_pond'"):
        engine.resolve("moonlit_pnd")
    with pytest.raises(vaultwright.UnknownName):
        engine.level("Nowhere:3", 1)
    with pytest.raises(vaultwright.UnknownName, match="did you mean 'Burrow'"):
        engine.level("Burow:1", 1)
    with pytest.raises(vaultwright.UnknownName, match="its last level is 'D:10'"):
        engine.level("D:99", 1)
    level = engine.level("D:1", 1)
    with pytest.raises(vaultwright.UnknownName, match="did you mean 'floor'"):
        level.where("flor")
    with pytest.raises(vaultwright.UnknownName, match="did you mean 'vault'"):
        level.mask("vualt")
    with pytest.raises(ValueError, match="memory has to be at least 1, not -1"):
        Engine(memory=-1)
    with pytest.raises(ValueError, match="games has to be at least 0, not -1"):
        vaultwright.campaign(-1)
    with pytest.raises(vaultwright.PackError, match="not a folder"):
        Engine("/no/such/folder")
    for asked in [lambda: Engine(""), lambda: vaultwright.check(data="")]:
        with pytest.raises(vaultwright.PackError, match="the data is an empty text"):
            asked()
    with pytest.raises(vaultwright.PackError, match="(?s)invalid value.*--rules"):
        Engine(rules="12.5")
    with pytest.raises(KeyError):
        vaultwright.explain("VW000")
    assert "VW102" in vaultwright.explain("VW102")


def test_concrete_levels_name_their_monsters():
    level = Engine(concrete=True).level("D:3", 7)
    assert level.monsters and all(monster.kind for monster in level.monsters)


def test_own_vaults_stand_beside_those_of_the_pack(tmp_path):
    mine = tmp_path / "mine.des"
    mine.write_text("NAME: my_cell\nTAGS: extra\nDEPTH: D:1-4\nMONS: rat\nMAP\nxxx\nx1x\nx+x\nENDMAP\n")
    engine = Engine(files=[mine])
    assert engine.maps["my_cell"].file.endswith("mine.des") and engine.maps["my_cell"].line == 1
    level = engine.level("D:2", 5, force="my_cell")
    assert "my_cell" in [vault.name for vault in level.vaults]


def test_findings_are_objects(tmp_path):
    broken = tmp_path / "broken.des"
    broken.write_text("NAME: broken\nMONS: bullfrogg\nMAP\nx1x\nENDMAP\n")
    found = vaultwright.check(broken, standalone=True)
    error = next(one for one in found if one.severity == "error")
    assert (error.code, error.line, error.map) == ("VW102", 2, "broken")
    assert "bullfrog" in (error.hint or error.message) and str(error).startswith(str(broken))
    engine = Engine(files=[broken])
    assert engine.broken == ["broken"] and engine.problems[0].code == "VW102"
    assert engine.another().problems == engine.problems
    with pytest.raises(vaultwright.PackError):
        vaultwright.check(tmp_path / "nothing.des", standalone=True)


def test_a_map_that_does_not_compile_is_no_unknown_name(tmp_path):
    broken = tmp_path / "broken.des"
    broken.write_text("NAME: broken\nMONS: bullfrogg\nMAP\nx1x\nENDMAP\n")
    engine = Engine(files=broken)
    for ask in [
        engine.resolve, engine.place, engine.coverage, engine.odds,
        lambda name: engine.level("D:1", 1, force=name), lambda name: engine.play(map=name).reset(),
    ]:  # fmt: skip
        with pytest.raises(vaultwright.MapError, match="the map 'broken' does not compile: .*bullfrogg") as caught:
            ask("broken")
        error = caught.value
        assert (error.file, error.line, error.code) == (str(broken), 2, "VW102") and "bullfrog" in error.hint


def test_a_table_that_is_wrong_is_told_with_its_place(tmp_path):
    (tmp_path / "pack.json").write_text('{"name": "small"}')
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "features.json").write_text("{3}")
    with pytest.raises(vaultwright.PackError) as caught:
        Engine(tmp_path)
    assert caught.value.file.endswith("features.json") and caught.value.line == 1
    assert str(caught.value).count("features.json") == 1


def test_names_of_files_may_begin_with_a_dash(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "-s.des").write_text("NAME: dashing\nTAGS: no_exits\nMAP\nxxx\nENDMAP\n")
    assert "dashing" in Engine(files=["-s.des"]).maps
    assert all(one.file.endswith("-s.des") for one in vaultwright.check("-s.des", standalone=True))


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_an_engine_of_another_process_says_so(engine):
    fork = multiprocessing.get_context("fork")
    game = engine.game(1)
    next(game)

    def ask(told):
        for work in [lambda: engine.level("D:1", 1), lambda: next(game)]:
            try:
                work()
            except RuntimeError as error:
                told.put(str(error))
        told.put(engine.another().level("D:1", 1).place)

    told = fork.Queue()
    child = fork.Process(target=ask, args=(told,))
    child.start()
    said = [told.get(timeout=60) for _ in range(3)]
    child.join(60)
    assert all("forked" in text for text in said[:2]) and said[2] == "D:1"


def test_hostile_vaults_end(tmp_path):
    hostile = tmp_path / "hostile.des"
    hostile.write_text(
        "NAME: endless\nMAP\nx\nENDMAP\n: if crawl then while is_validating do end end\n"
        "NAME: looping\n: if not is_validating() then while true do end end\nMAP\nx\nENDMAP\n"
        "NAME: hungry\n: local t = {} while true do t[#t + 1] = string.rep('x', 1000) .. #t end\nMAP\nx\nENDMAP\n"
    )
    engine = Engine(files=[hostile], instructions=200_000, memory=32)
    failed = {finding.map: finding for finding in engine.problems}
    for name in ("looping", "hungry"):
        if name in failed:
            continue
        with pytest.raises(vaultwright.MapError) as caught:
            engine.resolve(name)
        assert caught.value.file.endswith("hostile.des") and caught.value.line
    assert engine.level("D:1", 1).features.any()

"""Playing, by hand and through Gymnasium."""

import numpy as np
import pytest

import vaultwright
from vaultwright import ACTIONS, Engine, Play


@pytest.fixture(scope="module")
def engine():
    return Engine()


def test_somebody_walks_about(engine):
    play = Play(engine, "D:1", seed=3)
    seen = play.reset()
    assert seen.place == "D:1" and seen.known[seen.y, seen.x] and seen.visible.sum() > 1
    assert (seen.features[~seen.known] == 0).all()
    now, reward, over, cut, info = play.step("explore")
    assert reward > 0 and now.known.sum() - seen.known.sum() == reward and not over and not cut
    assert now.ticks > seen.ticks and info["refused"] is None
    assert play.render().count("@") == 1
    assert len(play.render(revealed=True)) > len(play.render())


def test_the_same_actions_give_the_same_game(engine):
    def walk(seed):
        play = engine.play("D:1", seed=seed, wander=True)
        play.reset()
        rewards = [play.step(action % len(ACTIONS))[1] for action in range(40)]
        return rewards, play.render()

    assert walk(5) == walk(5) != walk(6)


def test_a_saved_game_goes_on_as_if_it_had_never_stopped(engine):
    play = engine.play("D:1", seed=5, wander=True)
    for _ in range(8):
        play.step("explore")
    saved = play.save()
    # Another interpreter, and a game that is elsewhere.
    other = engine.another().play(map="moonlit_pond", seed=1)
    other.reset()
    seen = other.load(saved)
    assert seen.place == "D:1" and other.render() == play.render()

    def go_on(play):
        told = [play.step(action)[0] for action in ("explore", "stairs", "wait", "explore", "kill")]
        return [(seen.x, seen.y, seen.ticks, seen.messages) for seen in told], play.save()

    assert go_on(other) == go_on(play)
    assert engine.play("D:1", seed=5).save()[:6] == b"VWGAME"


def test_what_is_no_game_of_this_pack_is_refused(engine, tmp_path):
    play = engine.play("D:1", seed=3)
    before = (play.reset(), play.render())[1]
    saved = play.save()
    for data in [b"", b"PNG", saved[:-1], saved[:60] + b"x" + saved[61:]]:
        with pytest.raises(vaultwright.SaveError):
            play.load(data)
    mine = tmp_path / "mine.des"
    mine.write_text("NAME: never\nDEPTH: D\nMAP\n...\nENDMAP\n")
    with pytest.raises(vaultwright.SaveError, match="its vaults are not those loaded now"):
        Engine(files=[mine]).play("D:1").load(saved)
    assert play.render() == before


def test_what_cannot_be_done_is_told(engine):
    play = engine.play(map="moonlit_pond", seed=1, steps=2)
    play.reset()
    _, reward, _, cut, info = play.step("stairs")
    assert info["refused"] == "There is no way here." and reward == 0 and not cut
    assert play.step("wait")[3]
    for action in ["dance", "teleport", "step", "next_level", -1, len(ACTIONS)]:
        with pytest.raises(vaultwright.UnknownName):
            play.step(action)
    with pytest.raises(vaultwright.UnknownName, match="did you mean 'explore'"):
        play.step("explor")
    with pytest.raises(vaultwright.UnknownName):
        engine.play("Atlantis").reset()


def test_a_map_that_cannot_be_placed_is_told_with_its_file(tmp_path):
    mine = tmp_path / "mine.des"
    mine.write_text("# mine\nNAME: never\nDEPTH: D\nveto {{ return true }}\nMAP\n...\nENDMAP\n")
    with pytest.raises(vaultwright.MapError) as caught:
        Engine(files=[mine]).play(map="never").reset()
    assert caught.value.file.endswith("mine.des") and caught.value.line == 2
    play = Engine(files=[mine]).play(map="never")
    for _ in range(2):
        with pytest.raises(vaultwright.MapError):
            play.step("wait")


def test_a_reward_of_ones_own(engine):
    play = engine.play("D:1", reward=lambda before, now, refused: -1.0 if refused else 0.5)
    assert play.step("wait")[1] == 0.5


def test_gymnasium(engine):
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    from vaultwright.gym import VaultEnv

    env = VaultEnv("D:1", engine=engine, steps=20, render_mode="ansi")
    check_env(env, skip_render_check=True)
    seen, _ = env.reset(seed=4)
    again, _ = env.reset(seed=4)
    assert all(np.array_equal(seen[name], again[name]) for name in seen)
    assert isinstance(env, gymnasium.Env) and "@" in env.render()
    with pytest.raises(vaultwright.UnknownName):
        env.step(-1)
    alone = VaultEnv(map="moonlit_pond", engine=engine)
    assert alone.reset(seed=1)[0]["known"].any()

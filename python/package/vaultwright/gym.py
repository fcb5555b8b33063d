"""Playing as a Gymnasium environment (``pip install vaultwright[gym]``)."""

from __future__ import annotations

from typing import Any, Dict, Optional, Tuple

import gymnasium
import numpy as np
from gymnasium import spaces

from .engine import Engine
from .play import ACTIONS, Observation, Play


class VaultEnv(gymnasium.Env):
    """A :class:`vaultwright.Play` with Gymnasium's interface.

    Observations are dictionaries: ``features`` (``uint16[70, 80]``), ``known``, ``visible``, ``monsters``, ``items``
    (``int8[70, 80]``, 0 or 1), ``player`` (``int32[2]``: row, column). Actions are numbers into
    :data:`vaultwright.ACTIONS`. It plays on ``place``, on a single ``map``, or by default on D:1.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 10}

    def __init__(
        self,
        place: Optional[str] = None,
        *,
        map: Optional[str] = None,
        engine: Optional[Engine] = None,
        render_mode: Optional[str] = None,
        **arguments: Any,
    ) -> None:
        if place is None and map is None:
            place = "D:1"
        self.play = Play(engine or Engine(), place, map=map, **arguments)
        self.render_mode = render_mode
        shape = self.play.engine.shape
        flags = spaces.Box(0, 1, shape, np.int8)
        corner = np.array([shape[0] - 1, shape[1] - 1], dtype=np.int32)
        self.observation_space = spaces.Dict(
            {
                "features": spaces.Box(0, 0xFFFF, shape, np.uint16),
                "known": flags,
                "visible": flags,
                "monsters": flags,
                "items": flags,
                "player": spaces.Box(np.zeros(2, dtype=np.int32), corner, dtype=np.int32),
            }
        )
        self.action_space = spaces.Discrete(len(ACTIONS))

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None
    ) -> Tuple[Dict[str, np.ndarray], Dict[str, Any]]:
        super().reset(seed=seed)
        # Without a seed, each episode is a new game, drawn from the seeded generator.
        game = seed if seed is not None else int(self.np_random.integers(1, 2**32))
        seen = self.play.reset(game)
        return _arrays(seen), {"place": seen.place, "messages": seen.messages}

    def step(self, action: Any) -> Tuple[Dict[str, np.ndarray], float, bool, bool, Dict[str, Any]]:
        seen, reward, over, cut, info = self.play.step(action)
        return _arrays(seen), reward, over, cut, {**info, "place": seen.place, "messages": seen.messages}

    def render(self) -> Optional[str]:
        return self.play.render() if self.render_mode == "ansi" else None


def _arrays(seen: Observation) -> Dict[str, np.ndarray]:
    flags = {name: getattr(seen, name).astype(np.int8) for name in ("known", "visible", "monsters", "items")}
    return {"features": seen.features, "player": np.array([seen.y, seen.x], dtype=np.int32), **flags}

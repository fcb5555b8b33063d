"""Levels in play, as an environment to step through."""

from __future__ import annotations

import json
from dataclasses import dataclass
from operator import index
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Tuple, Union

import numpy as np

from .errors import UnknownName, unknown

if TYPE_CHECKING:
    from .engine import Engine

ACTIONS: Tuple[str, ...] = (
    "north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west",
    "wait", "stairs", "pick_up", "close_doors", "kill", "explore",
)  # fmt: skip
"""The actions of :meth:`Play.step`, given by name or by number. A step into a closed door opens it; ``kill`` kills
the nearest monster in sight; ``explore`` walks until something happens."""

_STEPS: Dict[str, Tuple[int, int]] = {
    "north": (0, -1),
    "north-east": (1, -1),
    "east": (1, 0),
    "south-east": (1, 1),
    "south": (0, 1),
    "south-west": (-1, 1),
    "west": (-1, 0),
    "north-west": (-1, -1),
}


def _action(action: Union[int, str]) -> str:
    """Returns the name of an action by its name or number."""
    if isinstance(action, str):
        if action not in ACTIONS:
            raise unknown(f"no action is named {action!r}", action, ACTIONS)
        return action
    number = index(action)
    if not 0 <= number < len(ACTIONS):
        raise UnknownName(f"no action has the number {number}: they go from 0 to {len(ACTIONS) - 1}")
    return ACTIONS[number]


@dataclass(frozen=True)
class Observation:
    """What the player knows. Arrays have the pack's ``Engine.shape``, in Crawl ``[70, 80]``: row ``y`` first, then column ``x``."""

    features: np.ndarray
    """The feature of each known cell, ``uint16``, numbers into :attr:`vaultwright.Engine.feature_names`; 0 elsewhere."""
    known: np.ndarray
    """Cells seen so far, ``bool``."""
    visible: np.ndarray
    """Cells in sight, ``bool``."""
    monsters: np.ndarray
    """Cells in sight with a monster, ``bool``."""
    items: np.ndarray
    """Known cells with an item, ``bool``."""
    x: int
    """The player's column."""
    y: int
    """The player's row."""
    place: str
    """The level: ``D:3``."""
    ticks: int
    """The time since the game began; an ordinary action takes 10."""
    messages: List[str]
    """The messages since the last observation."""
    told: Mapping[str, Any]
    """``monsters``, ``items`` and ``inventory`` as text."""


class Play:
    """A player who walks around on a level, and the vaults that respond: markers, doors, portals, tides, timers.

    :param engine: the pack.
    :param place: the level to start on; or
    :param map: a map, placed alone on an empty level.
    :param seed: the seed of the game.
    :param wander: whether monsters walk around.
    :param reward: called with the observations before and after an action, and the reason if it was refused (or
        ``None``); by default the reward is the number of newly known cells.
    :param steps: the number of actions after which the episode is truncated.

    Levels are left and entered by stairs; the same seed and actions give the same game.
    """

    def __init__(
        self,
        engine: Engine,
        place: Optional[str] = None,
        *,
        map: Optional[str] = None,
        seed: int = 1,
        wander: bool = False,
        reward: Optional[Callable[[Observation, Observation, Optional[str]], float]] = None,
        steps: int = 1000,
    ) -> None:
        if (place is None) == (map is None):
            raise ValueError("name either a place or a map to play")
        self.engine = engine
        self.place = place
        self.map = map
        self.seed = seed
        self.wander = wander
        self.reward = reward
        self.steps = steps
        self._raw = engine._raw.play()
        self._last: Optional[Observation] = None
        self._taken = 0

    def reset(self, seed: Optional[int] = None) -> Observation:
        """Starts again, with another seed if one is given.

        :raises UnknownName: if the place or map does not exist.
        :raises MapError: if the map does not compile, or cannot be placed; the next step then starts again.
        """
        if seed is not None:
            self.seed = seed
        self._last = None
        if self.map is not None:
            self._raw.start_in(self.map, self.seed, self.wander)
        elif self.place is not None:
            with self.engine._naming(self.place):
                self._raw.start_at(self.place, self.seed, self.wander)
        self._taken = 0
        self._last = self._observe()
        return self._last

    def step(self, action: Union[int, str]) -> Tuple[Observation, float, bool, bool, Dict[str, Any]]:
        """Performs an action. Returns the observation, the reward, whether the game is over (always ``False``), whether
        the episode is truncated, and ``info`` with ``refused``, the reason if the action was refused, or ``None``.

        :raises UnknownName: if ``action`` is neither one of :data:`ACTIONS` nor its number.
        """
        if self._last is None:
            self.reset()
        before = self._last
        assert before is not None
        name = _action(action)
        x, y = _STEPS.get(name, (0, 0))
        refused = self._raw.act("step" if name in _STEPS else name, x, y)
        self._taken += 1
        now = self._last = self._observe()
        if self.reward is not None:
            reward = float(self.reward(before, now, refused))
        elif now.place != before.place:
            reward = float(now.known.sum())
        else:
            reward = float(now.known.sum()) - float(before.known.sum())
        return now, reward, False, self._taken >= self.steps, {"refused": refused}

    def save(self) -> bytes:
        """Returns the whole game as bytes, with the levels that were left: :meth:`load` continues it, in this process or
        another, as if it had never stopped. The program's ``explore --load`` and the library for C read them, too.

        :raises SaveError: if scripts keep something that cannot be written.
        """
        if self._last is None:
            self.reset()
        return self._raw.save()

    def load(self, data: bytes) -> Observation:
        """Continues a saved game in place of the current one, with the same vaults and the same pack. The number of
        actions of the episode starts again; monsters wander if they did.

        :raises SaveError: if this is no saved game, or one of another pack or version; the current game is unchanged.
        """
        self._raw.load(bytes(data))
        self._taken = 0
        self._last = self._observe()
        return self._last

    def render(self, revealed: bool = False) -> str:
        """Returns the level as the player knows it, or all of it: ``@`` is the player, letters are monsters, ``?``
        items, ``*`` clouds."""
        return "\n".join(row.rstrip() for row in self._raw.rows(revealed))

    def _observe(self) -> Observation:
        features, known, visible, monsters, items, text = self._raw.observe()
        told = json.loads(text)

        def cells(values: bytes, kind: Any) -> np.ndarray:
            return np.frombuffer(values, dtype=kind).reshape(self.engine.shape)

        return Observation(
            cells(features, np.uint16),
            cells(known, np.bool_),
            cells(visible, np.bool_),
            cells(monsters, np.bool_),
            cells(items, np.bool_),
            told["x"], told["y"], told["place"], told["ticks"], told["messages"], told,
        )  # fmt: skip

    def __repr__(self) -> str:
        return f"<Play of {self.map or self.place}, game {self.seed}>"

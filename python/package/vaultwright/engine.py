"""Engines: a compiled pack of vaults, to roll, place, build, count and play."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from os import PathLike, fsdecode
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from . import _vaultwright
from .errors import LevelError, PackError, UnknownName, unknown
from .level import Level, Roll, opened
from .play import Play

Path = Union[str, "PathLike[str]"]


@dataclass(frozen=True)
class Finding:
    """A problem of a map and its position. Lines and columns are counted from 1."""

    code: str
    """The stable code, such as ``VW315``; :func:`vaultwright.explain` explains it."""
    severity: str
    """``error`` or ``warning``."""
    message: str
    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    hint: Optional[str] = None
    """What to do about it."""
    map: Optional[str] = None
    """The map that it belongs to."""

    def __str__(self) -> str:
        text = f"{self.file}:{self.line}:{self.column}: {self.severity} [{self.code}] {self.message}"
        return f"{text} ({self.hint})" if self.hint else text


@dataclass(frozen=True)
class Map:
    """A map of the pack."""

    name: str
    file: str
    line: int
    """The line on which it starts, from 1."""
    orient: Optional[str] = None
    tags: List[str] = field(default_factory=list)


@dataclass(frozen=True)
class Rival:
    """A map that is more probable on a level than the requested one."""

    map: str
    share: float


@dataclass(frozen=True)
class LevelOdds:
    """The odds of a map on a level."""

    place: str
    way: str
    """How it is chosen: ``chance``, ``place``, ``minivault`` or ``vault``."""
    share: float
    """Its share in the first draw of this kind, from 0 to 1."""
    rank: int
    """Its rank among the maps in the draw, from 1."""
    of: int
    """The number of maps in the draw."""
    rivals: List[Rival] = field(default_factory=list)
    excluding: float = 0.0
    """The probability that, if this map is not drawn, another one is that shares a ``uniq_`` tag with
    it. A game has only one map with such a tag."""


@dataclass(frozen=True)
class Odds:
    """The odds of a map, level by level and in a whole game."""

    map: str
    levels: List[LevelOdds]
    game: float
    """The share of games in which it is drawn on at least one of the levels, from 0 to 1."""


@dataclass(frozen=True)
class Alternatives:
    """A statement that picks one of several things."""

    statement: str
    weights: List[int]
    counts: List[int]
    """The number of times each was picked."""


@dataclass(frozen=True)
class Coverage:
    """The results of many rolls of a map."""

    map: str
    rolls: int
    valid: int
    failed_validation: int
    errors: Mapping[str, int]
    """Lua errors, and how often each stopped a roll."""
    silent_lua_lines: List[int]
    """Lines of Lua that no roll ran."""
    alternatives: List[Alternatives]
    cells: List[Mapping[str, Any]]
    """For each cell, before turns: ``x``, ``y``, ``outcomes`` (what it was, and how often), ``open``
    and ``reachable`` (in how many rolls)."""

    @property
    def never(self) -> List[Tuple[str, int]]:
        """Alternatives that no roll picked although they have a weight: statement and number, from 0."""
        return [
            (one.statement, number)
            for one in self.alternatives
            for number, (weight, count) in enumerate(zip(one.weights, one.counts))
            if weight > 0 and count == 0
        ]


def options(
    data: Optional[Path],
    rules: Optional[str],
    files: Iterable[Path],
    instructions: Optional[int],
    memory: Optional[int],
    cache: Optional[Path],
) -> List[str]:
    """Returns the program's options for these arguments."""
    at_least("instructions", instructions, 0)
    at_least("memory", memory, 1)
    # Each in one word: what it is may begin with a dash.
    words = ["--standalone"] if data is None else [data_option(data)]
    for name, value in (("--rules", rules), ("--instructions", instructions), ("--memory", memory)):
        if value is not None:
            words.append(f"{name}={value}")
    if cache is not None:
        words.append(f"--cache={fsdecode(cache)}")
    words += [f"--file={fsdecode(file)}" for file in files]
    return words


def data_option(data: Path) -> str:
    """Returns the program's option for a pack. The program takes an empty one for none given, and looks around the
    current folder."""
    name = fsdecode(data)
    if not name:
        raise PackError("the data is an empty text: the starter pack is None")
    return f"--data={name}"


def at_least(name: str, value: Optional[int], least: int) -> None:
    """Raises an error if an argument is too small."""
    if value is not None and value < least:
        raise ValueError(f"{name} has to be at least {least}, not {value}")


class Engine:
    """A pack with the interpreter that its scripts run in.

    :param data: a clone of Crawl, its ``crawl-ref/source`` or ``dat``, an installed game, or a pack (docs/packs.md);
        by default the starter pack included in the package.
    :param rules: the rules and tables of a version (``"0.28"``, ``"trunk"`` …); detected by default.
    :param files: your own vaults, in addition to those of the pack, or replacing the same files.
    :param concrete: whether to also draw monsters and items that a level leaves open.
    :param instructions: the maximum number of Lua instructions of a chunk; 100 million by default.
    :param memory: the maximum memory of Lua in megabytes; 256 by default.
    :param cache: the folder for compiled packs; ``"none"`` for no cache.

    The same pack, place and seed give the same level on every machine. An engine can be used from any thread. It
    does one thing after the other, on its own thread, while other Python threads continue. The resources of a
    pack's scripts are limited: a map that never ends is an error.
    """

    def __init__(
        self,
        data: Optional[Path] = None,
        rules: Optional[str] = None,
        files: Iterable[Path] = (),
        *,
        concrete: bool = False,
        instructions: Optional[int] = None,
        memory: Optional[int] = None,
        cache: Optional[Path] = None,
    ) -> None:
        files = [files] if isinstance(files, (str, PathLike)) else list(files)
        self._words = options(data, rules, files, instructions, memory, cache)
        self._concrete = concrete
        self._raw = _vaultwright.RawEngine(self._words, concrete)
        about: Dict[str, Any] = json.loads(self._raw.about_pack())
        self.rules: str = about["rules"]
        """The rules in effect."""
        rows, columns = about["shape"]
        self.shape: Tuple[int, int] = (rows, columns)
        """Rows and columns of every level: ``(70, 80)`` by default."""
        self.maps: Dict[str, Map] = {of["name"]: Map(**of) for of in about["maps"]}
        """The maps that compile, by name."""
        self.broken: List[str] = about["broken"]
        """The maps that do not compile; :attr:`problems` says why."""
        self.places: List[str] = about["places"]
        """The levels of the pack's branches, in the order in which a survey builds them."""
        features = about["features"]
        self.feature_names: Sequence[str]
        """The names of features by their numbers in :attr:`vaultwright.Level.features`."""
        self.feature_names, self._passable = opened(
            [of["name"] for of in features], [of["passable"] for of in features]
        )
        self.feature_glyphs: List[str] = [of["glyph"] for of in features]
        """The glyphs used for them in text."""

    @property
    def problems(self) -> List[Finding]:
        """The problems that prevent maps of the pack from compiling. :func:`vaultwright.check` finds more."""
        return [Finding(**of) for of in self._raw.problems()]

    def level(self, place: str, seed: int, *, alone: bool = False, force: Optional[str] = None) -> Level:
        """Builds a level of the game of a seed.

        The levels before it are built first, since they use up vaults: ``D:15`` takes as long as fifteen levels.
        ``alone`` builds it in a new game instead; ``force`` builds it alone and with this map.

        :raises UnknownName: if the place or map does not exist.
        :raises MapError: if the map ``force`` does not compile.
        :raises LevelError: if no attempt succeeds.
        """
        with self._naming(place):
            return self._level(self._raw.level(place, seed, alone or force is not None, force))

    def levels(
        self, place: str, seeds: Iterable[int], *, alone: bool = True, jobs: Optional[int] = None
    ) -> Iterator[Level]:
        """Yields the level of a place in many games, in the order of the seeds, built on several threads.

        :param alone: as in :meth:`level`; here it is the default.
        :param jobs: the number of threads; by default the number of cores.
        """
        if jobs == 1:
            yield from (self.level(place, seed, alone=alone) for seed in seeds)
            return
        import os

        count = jobs or os.cpu_count() or 1
        engines = [self] + [self.another() for _ in range(count - 1)]

        def build(engine: Engine, own: Sequence[int]) -> List[Level]:
            return [engine.level(place, seed, alone=alone) for seed in own]

        every = list(seeds)
        with ThreadPoolExecutor(count) as pool:
            # A few for each thread at a time, so that the first results need not wait for the last.
            for first in range(0, len(every), 4 * count):
                chunk = every[first : first + 4 * count]
                parts = [pool.submit(build, engine, chunk[n::count]) for n, engine in enumerate(engines)]
                built = [part.result() for part in parts]
                yield from (built[n % count][n // count] for n in range(len(chunk)))

    def another(self) -> Engine:
        """Creates an engine with the same compiled pack and its own interpreter, in milliseconds."""
        other = Engine.__new__(Engine)
        other.__dict__.update(self.__dict__)
        other._raw = self._raw.another()
        return other

    def game(self, seed: int) -> Iterator[Level]:
        """Yields the levels of a game, one after the other, in the order in which they are built.

        They are built on their own thread, one ahead of the caller. A level that cannot be built is skipped.
        """
        game = self._raw.game(seed)
        while (made := game.next_level()) is not None:
            _, raw, _ = made
            if raw is not None:
                yield self._level(raw)

    def resolve(self, map: str, seed: int = 1) -> Roll:
        """Rolls a map: all its Lua, transforms, subvaults and turns.

        :raises UnknownName: if the map does not exist.
        :raises MapError: if it does not compile, is vetoed, never valid, or its Lua fails.
        """
        return Roll(self._raw.resolve(map, seed))

    def place(self, map: str, seed: int = 1, *, filled: bool = False) -> Level:
        """Places a map on an empty level of floor, or of rock if ``filled``.

        :raises UnknownName: if the map does not exist.
        :raises MapError: if it does not compile, does not fit, or is vetoed.
        """
        return self._level(self._raw.place(map, seed, filled))

    def coverage(self, map: str, rolls: int = 1000, seed: int = 1) -> Coverage:
        """Returns the results of many rolls of a map: which alternatives, lines and cells occurred, and how often.

        :raises UnknownName: if the map does not exist.
        :raises MapError: if it does not compile.
        """
        told = json.loads(self._raw.coverage(map, rolls, seed))
        told["alternatives"] = [Alternatives(**one) for one in told["alternatives"]]
        return Coverage(**told)

    def odds(self, map: str, places: Iterable[str] = ()) -> Odds:
        """Returns the odds of a map on levels such as ``D:1-4``, or on all of them.

        :raises UnknownName: if the map or a level does not exist.
        :raises MapError: if it does not compile.
        """
        places = [places] if isinstance(places, str) else list(places)
        told = json.loads(self._raw.odds(map, places))

        def level(of: Mapping[str, Any]) -> LevelOdds:
            return LevelOdds(**{**of, "rivals": [Rival(**rival) for rival in of["rivals"]]})

        return Odds(told["map"], [level(of) for of in told["levels"]], told["game"])

    def seeds(self, question: str, **arguments: Any) -> Iterator[int]:
        """Yields the seeds of games that match a question; see :func:`vaultwright.seeds`."""
        from .campaign import seeds_of

        return seeds_of(question, self._words, **arguments)

    def play(self, place: Optional[str] = None, *, map: Optional[str] = None, **arguments: Any) -> Play:
        """Starts playing a level, or an empty level with a map on it; see :class:`vaultwright.Play`."""
        return Play(self, place, map=map, **arguments)

    @contextmanager
    def _naming(self, place: str) -> Iterator[None]:
        """Adds the closest branch, or the last level of the same branch, to the error about an unknown place."""
        try:
            yield
        except UnknownName as error:
            if f'"{place}"' not in error.message:
                raise
            branch = place.partition(":")[0]
            own = [of for of in self.places if of.partition(":")[0] == branch]
            if own:
                raise UnknownName(f"{error.message}, its last level is {own[-1]!r}") from None
            branches = sorted({of.partition(":")[0] for of in self.places})
            raise unknown(error.message, branch, branches) from None

    def _level(self, raw: Any) -> Level:
        return Level(raw, self.feature_names, self._passable)

    def __repr__(self) -> str:
        return f"<Engine with {len(self.maps)} maps, rules of {self.rules}>"


def check(
    *paths: Path,
    data: Optional[Path] = None,
    rules: Optional[str] = None,
    deep: bool = False,
    standalone: bool = False,
) -> List[Finding]:
    """Returns the problems of vaults in files and folders, or in all of ``data`` if none are given.

    Without ``data``, uses the tree or pack around the files, if there is one and ``standalone`` is not set. ``deep``
    also follows the paths that Lua can take. The findings are sorted by file and position.

    :raises PackError: if a file or the data cannot be read.
    """
    words = ["--deep"] if deep else []
    if standalone:
        words.append("--standalone")
    elif data is not None:
        words.append(data_option(data))
    if rules is not None:
        words.append(f"--rules={rules}")
    words += ["--", *(fsdecode(path) for path in paths)]
    return [Finding(**of) for of in _vaultwright.check(words)]


def explain(code: str) -> str:
    """Returns the explanation of a finding's code, with examples.

    :raises KeyError: if there is no such code.
    """
    text = _vaultwright.explain(code)
    if text is None:
        raise KeyError(code)
    return text


__all__ = [
    "Alternatives",
    "Coverage",
    "Engine",
    "Finding",
    "LevelError",
    "LevelOdds",
    "Map",
    "Odds",
    "Rival",
    "check",
    "explain",
]

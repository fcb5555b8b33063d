"""Levels and rolled maps: arrays of their cells, and lists of what is on them."""

from __future__ import annotations

import base64
import html
import json
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _vaultwright
from .errors import unknown

NO_VAULT: int = _vaultwright.NO_VAULT
"""The value in :attr:`Level.vault_ids` for cells that belong to no vault."""

Draws = Dict[int, int]


@dataclass(frozen=True)
class Vault:
    """A map placed on a level. Cells are counted from 0; ``x`` grows to the right, ``y`` downwards."""

    index: int
    """Its number in :attr:`Level.vault_ids`."""
    name: str
    x: int
    """The column of its top left cell."""
    y: int
    """The row of its top left cell."""
    width: int
    """The width in cells."""
    height: int
    """The height in cells."""
    orient: str
    """Its orientation: ``float``, ``north``, ``encompass`` …; empty for a minivault."""
    tags: List[str] = field(default_factory=list)
    subvaults: List[str] = field(default_factory=list)
    attributes: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """All its attributes in the level's JSON (docs/level.schema.json)."""


@dataclass(frozen=True)
class Monster:
    """A monster on a cell."""

    x: int
    y: int
    kind: Optional[str]
    """Its kind; ``None`` if it is only drawn when the monster itself is created (see ``concrete`` of
    :class:`vaultwright.Engine`)."""
    attributes: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """All its attributes in the level's JSON: the spec, a name, what it carries …"""

    @property
    def name(self) -> str:
        """Its own name, or that of its kind; empty if the kind is not drawn yet."""
        return str(self.attributes.get("name") or self.kind or "")


@dataclass(frozen=True)
class Item:
    """An item on a cell."""

    x: int
    y: int
    spec: str
    """Its spec: as written in the vault, ``any`` for a random item."""
    attributes: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """All its attributes in the level's JSON."""


@dataclass(frozen=True)
class Marker:
    """A marker on a cell."""

    x: int
    y: int
    kind: str
    attributes: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """All its attributes in the level's JSON."""


class Picture:
    """Something that can be shown as text, in terminal colours, as SVG or PNG. Jupyter displays it automatically."""

    _raw: Any

    def _drawn(self, format: str, cell: int) -> bytes:
        drawn: Optional[bytes] = self._raw.draw(format, cell)
        if drawn is None:
            raise ValueError(f"there is no format {format!r}: text, ansi, svg or png")
        return drawn

    def text(self) -> str:
        """Returns the letters, one line for each row."""
        return self._drawn("text", 1).decode()

    def ansi(self) -> str:
        """Returns the letters in terminal colours, one line for each row."""
        return self._drawn("ansi", 1).decode()

    def svg(self) -> str:
        """Returns an SVG image."""
        return self._drawn("svg", 1).decode()

    def png(self, cell: int = 12) -> bytes:
        """Returns a PNG image; ``cell`` is the size of a cell in pixels, 1 to 64."""
        return self._drawn("png", cell)

    def __str__(self) -> str:
        return self.text()

    def _repr_png_(self) -> bytes:
        return self.png()

    def _repr_html_(self) -> str:
        picture = base64.b64encode(self.png()).decode()
        return f'<figure><img src="data:image/png;base64,{picture}"><figcaption>{self._caption()}</figcaption></figure>'

    def _caption(self) -> str:
        return html.escape(repr(self))


class Roll(Picture):
    """A map after all its Lua, transforms, subvaults and turns."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self.seed: int = raw.seed
        """The seed it was rolled with."""
        self.x: int = raw.position[0]
        """The column of its top left cell on the level."""
        self.y: int = raw.position[1]
        """The row of its top left cell on the level."""
        self.tries: int = raw.tries
        """The number of tries."""
        self.draws: Draws = dict(raw.draws)
        """The number of 32-bit draws from each stream that was used."""
        self.width: int
        """The width in cells."""
        self.height: int
        """The height in cells."""
        self.width, self.height = raw.size()

    @cached_property
    def glyphs(self) -> np.ndarray:
        """The glyphs as bytes, ``uint8[height, width]``; cells outside the map are blanks (32)."""
        return np.frombuffer(self._raw.glyphs(), dtype=np.uint8).reshape(self.height, self.width)

    @cached_property
    def attributes(self) -> Mapping[str, Any]:
        """Name, rows, tags, legend with probabilities, markers and subvaults."""
        value: Mapping[str, Any] = json.loads(self._raw.json())
        return value

    @property
    def name(self) -> str:
        """The name of the map."""
        return str(self.attributes["name"])

    @property
    def rows(self) -> List[str]:
        """The glyphs as strings, one for each row."""
        return list(self.attributes["rows"])

    def __repr__(self) -> str:
        return f"<Roll of {self.name}, seed {self.seed}: {self.width}×{self.height}>"


class Level(Picture):
    """A finished level. Arrays are read-only and have the pack's ``Engine.shape``, in Crawl ``[70, 80]``: row ``y`` first,
    then column ``x``."""

    def __init__(self, raw: Any, feature_names: Sequence[str], passable: np.ndarray) -> None:
        self._raw = raw
        self._passable = passable
        self.feature_names: Sequence[str] = feature_names
        """What the numbers in :attr:`features` mean."""
        self.place: str = raw.place
        """Its name, such as ``D:3``; for a map placed alone, the name of the map."""
        self.seed: int = raw.seed
        """The seed of its game."""
        self.vetoes: List[str] = raw.vetoes
        """The reason why each earlier attempt was discarded."""
        self.draws: Draws = dict(raw.draws)
        """The number of 32-bit draws from each stream that was used."""

    def _cells(self, values: bytes, kind: Any) -> np.ndarray:
        return np.frombuffer(values, dtype=kind).reshape(self._raw.shape())

    @cached_property
    def features(self) -> np.ndarray:
        """The feature of each cell, ``uint16[70, 80]``, numbers into :attr:`feature_names`."""
        return self._cells(self._raw.features(), np.uint16)

    @cached_property
    def vault_ids(self) -> np.ndarray:
        """The vault of each cell, ``uint16[70, 80]``, numbers into :attr:`vaults`; ``NO_VAULT`` for none."""
        return self._cells(self._raw.vault_ids(), np.uint16)

    @cached_property
    def masks(self) -> np.ndarray:
        """The mask bits of each cell, ``int64[70, 80]``; :attr:`mask_names` says what they mean."""
        return self._cells(self._raw.masks(), np.int64)

    @cached_property
    def properties(self) -> np.ndarray:
        """The property bits of each cell, ``int64[70, 80]``; :attr:`property_names` says what they mean."""
        return self._cells(self._raw.properties(), np.int64)

    @cached_property
    def heights(self) -> np.ndarray:
        """The height of each cell, ``int32[70, 80]``; 0 where there is none."""
        return self._cells(self._raw.heights(), np.int32)

    @cached_property
    def passable(self) -> np.ndarray:
        """Whether each cell can be walked on without flying or swimming, ``bool[70, 80]``; closed doors count."""
        passable: np.ndarray = self._passable[self.features]
        passable.setflags(write=False)
        return passable

    @cached_property
    def zones(self) -> int:
        """The number of zones: connected parts of the level that are not connected to each other."""
        return int(self._raw.zones())

    @cached_property
    def mask_names(self) -> Mapping[str, int]:
        """The bits of :attr:`masks` by name."""
        return dict(self._raw.mask_names())

    @cached_property
    def property_names(self) -> Mapping[str, int]:
        """The bits of :attr:`properties` by name."""
        return dict(self._raw.property_names())

    def mask(self, name: str) -> np.ndarray:
        """Returns the cells with the mask of this name, ``bool[70, 80]``.

        :raises UnknownName: if no mask has this name.
        """
        bit = self.mask_names.get(name)
        if bit is None:
            raise unknown(f"no mask is named {name!r}", name, self.mask_names)
        return np.asarray((self.masks & bit) != 0)

    def where(self, feature: str) -> np.ndarray:
        """Returns the cells with the feature of this name, ``bool[70, 80]``.

        :raises UnknownName: if no feature has this name.
        """
        names = list(self.feature_names)
        if feature not in names:
            raise unknown(f"no feature is named {feature!r}", feature, names)
        return np.asarray(self.features == names.index(feature))

    def name_at(self, x: int, y: int) -> str:
        """Returns the name of the feature of a cell."""
        return str(self.feature_names[self.features[y, x]])

    def json(self) -> Mapping[str, Any]:
        """Returns the whole level, as described in docs/level.schema.json."""
        value: Mapping[str, Any] = json.loads(self._raw.json())
        return value

    @cached_property
    def _attributes(self) -> Mapping[str, Any]:
        return self.json()

    @cached_property
    def vaults(self) -> List[Vault]:
        """The maps placed on it, in the order of placement."""

        def vault(index: int, of: Mapping[str, Any]) -> Vault:
            return Vault(
                index, of["name"], of["x"], of["y"], of["width"], of["height"], of.get("orient") or "",
                list(of.get("tags", ())), list(of.get("subvaults", ())), of,
            )  # fmt: skip

        return [vault(index, of) for index, of in enumerate(self._attributes["vaults"])]

    @cached_property
    def monsters(self) -> List[Monster]:
        """The monsters, by cell."""
        return [Monster(of["x"], of["y"], of.get("kind"), of) for of in self._attributes["monsters"]]

    @cached_property
    def items(self) -> List[Item]:
        """The items on the floor, by cell."""
        return [Item(of["x"], of["y"], str(of.get("spec", "")), of) for of in self._attributes["items"]]

    @cached_property
    def markers(self) -> List[Marker]:
        """The markers, in the order of creation."""
        return [Marker(of["x"], of["y"], str(of.get("kind", "")), of) for of in self._attributes["markers"]]

    def save(self, path: Union[str, Path]) -> List[Path]:
        """Writes it to a file in the format of the extension: ``png``, ``svg``, ``txt``, ``json``, ``tmx`` or
        ``tmj`` (Tiled, with an image of the tiles beside it). Returns the files written."""
        path = Path(path)
        kind = path.suffix.lower().lstrip(".")
        if kind == "json":
            path.write_text(self._raw.json(), encoding="utf-8")
            return [path]
        if kind in ("tmx", "tmj"):
            image = path.with_suffix(".tiles.png")
            image.write_bytes(self._raw.draw("tiles"))
            path.write_bytes(self._raw.draw(kind, 12, image.name))
            return [path, image]
        formats = {"png": "png", "svg": "svg", "txt": "text"}
        if kind not in formats:
            raise ValueError(f"{path}: no format has the ending {path.suffix!r}: png, svg, txt, json, tmx, tmj")
        path.write_bytes(self._drawn(formats[kind], 12))
        return [path]

    def ldtk(self, folder: Union[str, Path]) -> List[Path]:
        """Writes the files of LDtk's simple export to a folder. Returns the files written."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        written = []
        for name, content in self._raw.ldtk(self.place.replace(":", "_")):
            (folder / name).write_bytes(content)
            written.append(folder / name)
        return written

    def __repr__(self) -> str:
        return f"<Level {self.place} of game {self.seed}>"


def opened(names: Sequence[str], flags: Sequence[bool]) -> Tuple[Tuple[str, ...], np.ndarray]:
    """Returns the features' names, and which features can be walked on, for creating levels."""
    passable = np.asarray(flags, dtype=bool)
    passable.setflags(write=False)
    return tuple(names), passable

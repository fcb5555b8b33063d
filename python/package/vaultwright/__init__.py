"""Vaultwright: compiles, rolls, places, plays and counts vaults, and builds levels.

>>> import vaultwright
>>> engine = vaultwright.Engine()
>>> level = engine.level("D:3", seed=7)
>>> level.features.shape
(70, 80)
"""

from ._vaultwright import __version__
from .campaign import (
    TABLES,
    Campaign,
    Difference,
    campaign,
    compare,
    merge,
    read_campaign,
    seeds,
)
from .engine import (
    Alternatives,
    Coverage,
    Engine,
    Finding,
    LevelOdds,
    Map,
    Odds,
    Rival,
    check,
    explain,
)
from .errors import (
    CampaignError,
    LevelError,
    MapError,
    PackError,
    SaveError,
    UnknownName,
    VaultwrightError,
)
from .level import NO_VAULT, Item, Level, Marker, Monster, Roll, Vault
from .play import ACTIONS, Observation, Play

__all__ = [
    "ACTIONS",
    "NO_VAULT",
    "TABLES",
    "Alternatives",
    "Campaign",
    "CampaignError",
    "Coverage",
    "Difference",
    "Engine",
    "Finding",
    "Item",
    "Level",
    "LevelError",
    "LevelOdds",
    "Map",
    "MapError",
    "Marker",
    "Monster",
    "Observation",
    "Odds",
    "PackError",
    "Play",
    "Rival",
    "Roll",
    "SaveError",
    "UnknownName",
    "Vault",
    "VaultwrightError",
    "__version__",
    "campaign",
    "check",
    "compare",
    "explain",
    "merge",
    "read_campaign",
    "seeds",
]

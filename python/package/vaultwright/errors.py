"""Errors. Every error of the package is a :class:`VaultwrightError`."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Iterable, Optional, Sequence


class VaultwrightError(Exception):
    """A request failed; the message says why.

    If the reason has a position in a file, ``file``, ``line`` and ``column`` (both from 1) contain it, and ``hint``
    says what to do. ``code`` is the finding's code, which :func:`vaultwright.explain` explains.
    """

    def __init__(
        self,
        message: str = "",
        *,
        code: Optional[str] = None,
        severity: Optional[str] = None,
        hint: Optional[str] = None,
        map: Optional[str] = None,
        file: Optional[str] = None,
        line: Optional[int] = None,
        column: Optional[int] = None,
        end_line: Optional[int] = None,
        end_column: Optional[int] = None,
        reasons: Sequence[str] = (),
    ) -> None:
        self.message = message
        self.code = code
        self.severity = severity
        self.hint = hint
        self.map = map
        self.file = file
        self.line = line
        self.column = column
        self.end_line = end_line
        self.end_column = end_column
        self.reasons = list(reasons)
        super().__init__(message)

    def __str__(self) -> str:
        text = self.message
        if self.file is not None:
            text = f"{self.file}:{self.line}:{self.column}: {text}"
        return f"{text} ({self.hint})" if self.hint else text


class PackError(VaultwrightError):
    """A pack cannot be read, or its tables are invalid."""


class UnknownName(VaultwrightError, KeyError):
    """No map, place, feature, mask, table or action has this name; the message suggests the closest one."""

    __str__ = VaultwrightError.__str__


def unknown(message: str, name: str, known: Iterable[str]) -> UnknownName:
    """Returns the error about an unknown name, with the closest known one."""
    close = get_close_matches(name, list(known), 1)
    return UnknownName(f"{message}, did you mean {close[0]!r}?" if close else message)


class MapError(VaultwrightError):
    """A map cannot be rolled or placed: it does not compile, every try was vetoed or invalid, or its Lua failed."""


class LevelError(VaultwrightError):
    """A level cannot be built; ``reasons`` contains the reason why each attempt failed."""


class SaveError(VaultwrightError):
    """A game cannot be saved, or bytes are no saved game, or one of another pack or version."""


class CampaignError(VaultwrightError):
    """A campaign cannot continue."""

"""What can go wrong. Every error of the package is a :class:`VaultwrightError`."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Iterable, Optional, Sequence


class VaultwrightError(Exception):
    """Something that was asked for cannot be done; the message says why.

    Where the reason has a place in a file, ``file``, ``line`` and ``column`` (both from 1) tell it, and ``hint``
    what to do. ``code`` is the finding's code, which :func:`vaultwright.explain` explains.
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
    """A pack cannot be read, or its tables are wrong."""


class UnknownName(VaultwrightError, KeyError):
    """No map, place, feature, mask, table or action has this name; the message has the closest one."""

    __str__ = VaultwrightError.__str__


def unknown(message: str, name: str, known: Iterable[str]) -> UnknownName:
    """Returns the error of a name that is not among those that are known, with the closest of these."""
    close = get_close_matches(name, list(known), 1)
    return UnknownName(f"{message}, did you mean {close[0]!r}?" if close else message)


class MapError(VaultwrightError):
    """A map is not rolled or not placed: it does not compile, is vetoed, never valid, or its Lua failed."""


class LevelError(VaultwrightError):
    """A level cannot be built; ``reasons`` has what ended each attempt."""


class CampaignError(VaultwrightError):
    """A campaign cannot go on."""

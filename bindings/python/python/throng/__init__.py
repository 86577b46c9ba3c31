"""Moves many units through one world without jams or collisions.

    >>> import throng
    >>> world = throng.World.builtin("bridge")
    >>> world.step(1000) > 0 and world.done
    True

Maps are arrays with a row for each row of the map, of ``bool`` (true is open) or ``uint8`` (letters of terrain); places are
pairs (x, y). What is wrong raises :class:`ThrongError`, what a world refuses :class:`Refused`, with the words of the engine.
"""

from __future__ import annotations

import json as _json
from typing import Any

from ._throng import (
    Refused,
    Report,
    Solution,
    ThrongError,
    Unit,
    World,
    builtins,
    check,
    distances,
    read_map,
    solve,
    write_map,
)
from ._throng import planners as _planners

__all__ = [
    "Refused",
    "Report",
    "Solution",
    "ThrongError",
    "Unit",
    "World",
    "builtins",
    "check",
    "distances",
    "events",
    "planners",
    "read_map",
    "solve",
    "write_map",
]

UNREACHABLE = 2**32 - 1
"""The distance of a cell from which nobody gets to the goal."""


def planners() -> list[dict[str, Any]]:
    """Every planner: name, about, parameters, what it supports and guarantees, source."""
    return _json.loads(_planners())


def events(world: World) -> list[dict[str, Any]]:
    """What happened in the last tick, in order: ``{"kind": "Moved", "agent": 3, …}``."""
    told = _json.loads(world.events_json())
    return [{"kind": kind, **data} for event in told for kind, data in event.items()]

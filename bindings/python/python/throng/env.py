"""An environment in the style of PettingZoo's parallel API; needs ``pip install throng[env]``.

An action is a wish: to stay, or to go to the cell above, to the right, below or to the left. The engine carries it out, so
nobody ever collides: of two who want the same cell one gets it, and whoever cannot go stays.

    >>> from throng.env import CrowdEnv
    >>> import numpy as np
    >>> env = CrowdEnv(np.ones((5, 5), dtype=bool), [(0, 0), (4, 4)], [(4, 0), (0, 4)])
    >>> observations, infos = env.reset(seed=1)
    >>> sorted(observations)
    ['unit_0', 'unit_1']
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from . import ThrongError, World
from . import distances as _distances

MOVES = ((0, 0), (0, -1), (1, 0), (0, 1), (-1, 0))
"""Where each action leads."""


class CrowdEnv(ParallelEnv):
    """Units that have to get from their starts to their goals, and rest there at the same time.

    Each sees a square of cells around it (``view``: walls, others, its goal) and where its goal is from there (``goal``).
    A tick costs 0.01 while a unit is away from its goal, a wish that failed 0.05 more; when all are there each gets 1.
    """

    metadata = {"name": "crowd_v0", "render_modes": []}

    def __init__(self, map, starts, goals, *, radius: int = 3, max_ticks: int = 256, planner: str = "lra"):
        if len(starts) != len(goals):
            raise ThrongError(f"{len(starts)} starts and {len(goals)} goals: expected as many")
        if radius < 0 or max_ticks < 1:
            raise ThrongError(f"radius is {radius} and max_ticks {max_ticks}: expected at least 0 and 1")
        self._map, self._planner = np.asarray(map), planner
        self._starts = [tuple(int(n) for n in cell) for cell in starts]
        self._goals = np.array(goals, dtype=np.int32).reshape(-1, 2)
        self._radius, self._max_ticks = radius, max_ticks
        self.possible_agents = [f"unit_{k}" for k in range(len(starts))]
        self.agents: list[str] = []
        self.render_mode = None
        for start, goal in zip(self._starts, self._goals):
            x, y = start
            far = _distances(self._map, (int(goal[0]), int(goal[1])))
            if not (0 <= x < far.shape[1] and 0 <= y < far.shape[0]) or far[y, x] == 2**32 - 1:
                raise ThrongError(f"no way leads from {start} to {tuple(int(n) for n in goal)}")

    @functools.lru_cache(maxsize=None)
    def observation_space(self, agent: str) -> spaces.Space:
        side, most = 2 * self._radius + 1, max(self._map.shape)
        return spaces.Dict(
            {
                "view": spaces.Box(0, 1, (3, side, side), np.uint8),
                "goal": spaces.Box(-most, most, (2,), np.int32),
            }
        )

    @functools.lru_cache(maxsize=None)
    def action_space(self, agent: str) -> spaces.Space:
        return spaces.Discrete(len(MOVES))

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None):
        self.world = World.empty(self._map, self._planner, seed=seed or 0)
        self._units = [self.world.add(start) for start in self._starts]
        self.agents = list(self.possible_agents)
        self._ticks = 0
        return self._observe(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, int]):
        before = self.world.positions
        open_ = self.world.passable
        height, width = open_.shape
        wished = before.copy()
        for k, agent in enumerate(self.possible_agents):
            action = int(actions.get(agent, 0))
            if not 0 <= action < len(MOVES):
                raise ThrongError(f"{agent}: action {action}, expected 0 to {len(MOVES) - 1}")
            x, y = before[k] + MOVES[action]
            inside = 0 <= x < width and 0 <= y < height and open_[y, x]
            wished[k] = (x, y)
            if action and inside:
                self.world.order(self._units[k], goal=(int(x), int(y)))
            else:
                self.world.order(self._units[k])
        # Where nobody wants to go anywhere the world has nothing to do; time passes all the same.
        self.world.step()
        self._ticks += 1
        after = self.world.positions
        there = (after == self._goals).all(axis=1)
        failed = (after != wished).any(axis=1)
        over, late = bool(there.all()), self._ticks >= self._max_ticks
        agents = self.agents
        rewards = {
            agent: 1.0 if over else -0.01 * float(not there[k]) - 0.05 * float(failed[k])
            for k, agent in enumerate(agents)
        }
        observations = self._observe()
        if over or late:
            self.agents = []
        return (
            observations,
            rewards,
            {agent: over for agent in agents},
            {agent: late and not over for agent in agents},
            {agent: {"failed": bool(failed[k])} for k, agent in enumerate(agents)},
        )

    def _observe(self) -> dict[str, dict[str, np.ndarray]]:
        r = self._radius
        positions = self.world.positions
        layers = np.zeros((3, *(side + 2 * r for side in self._map.shape)), dtype=np.uint8)
        inner = (slice(r, r + self._map.shape[0]), slice(r, r + self._map.shape[1]))
        layers[0] = 1
        layers[0][inner] = ~self.world.passable
        layers[1][positions[:, 1] + r, positions[:, 0] + r] = 1
        told = {}
        for k, agent in enumerate(self.possible_agents):
            x, y = positions[k]
            view = layers[:, y : y + 2 * r + 1, x : x + 2 * r + 1].copy()
            view[1, r, r] = 0
            dx, dy = self._goals[k] - positions[k]
            if abs(dx) <= r and abs(dy) <= r:
                view[2, r + dy, r + dx] = 1
            told[agent] = {"view": view, "goal": np.array([dx, dy], dtype=np.int32)}
        return {agent: told[agent] for agent in self.agents}

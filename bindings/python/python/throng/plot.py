"""Pictures by Matplotlib; needs ``pip install throng[plot]``."""

from __future__ import annotations

import numpy as np
from matplotlib import animation as _animation
from matplotlib import pyplot as plt
from matplotlib.colors import ListedColormap

_TERRAIN = {".": "#ffffff", "G": "#e2f0d9", "S": "#d9cfa3", "W": "#a9c7ec", "T": "#7fae7f", "@": "#333333", "O": "#777777"}


def draw_map(map, ax=None):
    """Draws terrain and gives the axes."""
    ax = ax if ax is not None else plt.subplots()[1]
    map = np.asarray(map)
    letters = list(_TERRAIN)
    if map.dtype == bool:
        index = np.where(map, letters.index("."), letters.index("@"))
    else:
        index = np.zeros(map.shape, dtype=int)
        for place, letter in enumerate(letters):
            index[map == ord(letter)] = place
    colours = ListedColormap(list(_TERRAIN.values()))
    ax.imshow(index, cmap=colours, vmin=-0.5, vmax=len(letters) - 0.5, interpolation="nearest")
    ax.set_xticks([])
    ax.set_yticks([])
    return ax


def draw_paths(map, plan, ax=None):
    """Draws where everybody goes: a plan or a run, by tick, unit, and x and y."""
    ax = draw_map(map, ax)
    for unit in range(plan.shape[1]):
        x, y = plan[:, unit, 0], plan[:, unit, 1]
        (line,) = ax.plot(x, y, linewidth=1.5, alpha=0.7)
        ax.plot(x[0], y[0], "o", color=line.get_color(), markersize=4)
        ax.plot(x[-1], y[-1], "s", color=line.get_color(), markersize=4)
    return ax


def draw_field(field, ax=None):
    """Draws distances; cells from which nobody gets there are left out."""
    ax = ax if ax is not None else plt.subplots()[1]
    shown = np.ma.masked_equal(field, np.iinfo(field.dtype).max)
    ax.figure.colorbar(ax.imshow(shown, interpolation="nearest"), ax=ax, label="ticks")
    ax.set_xticks([])
    ax.set_yticks([])
    return ax


def animate(map, run, interval: int = 120):
    """A run as an animation, which notebooks show and ``save`` writes."""
    ax = draw_map(map)
    dots = ax.scatter(run[0, :, 0], run[0, :, 1], c=np.arange(run.shape[1]), cmap="tab20", s=30, zorder=2)

    def show(tick):
        dots.set_offsets(run[tick])
        ax.set_title(f"tick {tick}")
        return [dots]

    return _animation.FuncAnimation(ax.figure, show, frames=len(run), interval=interval, blit=False)

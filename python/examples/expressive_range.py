"""The expressive range of two layouts: how open and how winding their levels come out.

    python expressive_range.py [--games N] [--out range.csv] LAYOUT LAYOUT

Levels are built around each layout in turn, in the same games. Openness is the share of cells that can be walked on;
linearity the longest of the shortest ways, as a share of the cells on the level; what a layout can express is
the spread of both over many games (Smith and Whitehead 2010).
"""

import argparse
import csv
import sys

import numpy as np
import vaultwright

PLACE = "D:2"


def distances(passable: np.ndarray, start: tuple) -> np.ndarray:
    """Steps from a cell to all others, -1 where there is no way; steps go in eight directions."""
    steps = np.full(passable.shape, -1)
    front = np.zeros_like(passable)
    front[start] = True
    step = 0
    while front.any():
        steps[front] = step
        step += 1
        wide = front.copy()
        # The outermost cells of a level are solid, so nothing comes round its edge.
        for axis in (0, 1):
            wide |= np.roll(wide, 1, axis) | np.roll(wide, -1, axis)
        front = wide & passable & (steps < 0)
    return steps


def measures(level: vaultwright.Level) -> tuple:
    """Openness and linearity."""
    passable = level.passable.copy()
    passable[[0, -1], :] = passable[:, [0, -1]] = False
    cells = np.argwhere(passable)
    # Two sweeps find nearly the longest of the shortest ways.
    far = distances(passable, tuple(cells[0]))
    longest = distances(passable, np.unravel_index(far.argmax(), far.shape)).max()
    return passable.mean(), longest / np.sqrt(passable.size)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("layouts", nargs="*", default=["layout_wide_caves", "layout_halls"])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--data", help="a pack, or a clone of Crawl")
    parser.add_argument("--out", help="a table of every level")
    options = parser.parse_args()
    engine = vaultwright.Engine(options.data)
    rows = []
    for layout in options.layouts:
        found = []
        for seed in range(1, options.games + 1):
            try:
                level = engine.level(PLACE, seed, force=layout)
            except vaultwright.LevelError as error:
                print(f"seed {seed}: {error}", file=sys.stderr)
                continue
            found.append(measures(level))
            rows.append([layout, seed, *found[-1]])
        if not found:
            continue
        openness, linearity = np.array(found).T
        print(
            f"{layout:24} {len(found):4} levels"
            f"  openness {openness.mean():.3f} ± {openness.std():.3f}"
            f"  linearity {linearity.mean():.2f} ± {linearity.std():.2f}"
        )
    if options.out:
        with open(options.out, "w", newline="") as file:
            csv.writer(file).writerows([["layout", "seed", "openness", "linearity"], *rows])


if __name__ == "__main__":
    main()

"""Does my vault change D:1-4? The same games with and without it, and what differs beyond chance.

    python does_my_vault_change_d.py [--games N] [--data DIR] [my_vault.des]
"""

import argparse
import tempfile
from pathlib import Path

import vaultwright

MINE = """\
NAME: toll_bridge
TAGS: extra
DEPTH: D:1-4
WEIGHT: 1000
MONS: goblin / kobold
KFEAT: w = shallow_water
MAP
wwwww
w.1.w
.....
w.1.w
wwwww
ENDMAP
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("vault", nargs="?", help="a file of vaults")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--places", default="D:1-4")
    parser.add_argument("--data", help="a pack, or a clone of Crawl")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(options.vault) if options.vault else Path(folder) / "mine.des"
        if not options.vault:
            file.write_text(MINE)
        for finding in vaultwright.check(file, data=options.data, standalone=options.data is None):
            print(finding)
        without = vaultwright.campaign(options.games, options.places, data=options.data)
        with_it = vaultwright.campaign(options.games, options.places, data=options.data, files=[file])
        with without, with_it:
            names = list(vaultwright.Engine(options.data, files=[file]).maps)
            own = set(names) - set(vaultwright.Engine(options.data).maps)
            vaults = with_it.table("vaults").to_pylist()
            levels = with_it.table("levels").num_rows
            for name in sorted(own):
                count = len({(row["seed"], row["place"]) for row in vaults if row["map"] == name})
                print(f"{name} stands on {count} of {levels} levels ({count / levels:.1%})")
            differences = vaultwright.compare(without, with_it)
            real = [one for one in differences if one.real]
            print(f"{len(differences)} comparisons, {len(real)} beyond chance")
            for one in real[:20]:
                print(f"  {one.name}: {one.subject} {one.old:.3g} before, {one.new:.3g} now (p {one.p:.0e})")


if __name__ == "__main__":
    main()

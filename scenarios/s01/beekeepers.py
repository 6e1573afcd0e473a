"""What the rating code of a checkout bills for the beekeepers' order, in crowns: `python beekeepers.py FOLDER`.

FOLDER has the repository `rating` in it.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path


def main(folder: str) -> None:
    repository = Path(folder, "rating")
    sys.path.insert(0, str(repository))
    quote = import_module("rating.quote")
    total, _ = quote.quoted(repository / "examples" / "beekeepers.json").split()
    sys.stdout.write(f"{total}\n")


if __name__ == "__main__":
    main(sys.argv[1])

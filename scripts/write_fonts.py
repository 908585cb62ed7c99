"""Write the fonts of screen and paper from Outfit, which is under the SIL Open Font License.

npm pack @expo-google-fonts/outfit
tar xzf expo-google-fonts-outfit-*.tgz
pip install fonttools brotli
python scripts/write_fonts.py package

Paper gets the whole font in three weights; the browser the letters of our languages, and of the
weight for titles only those that titles are made of. Names in other alphabets get the system's
font.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from fontTools import subset

ROOT = Path(__file__).parents[1]
PAPER = ROOT / "src" / "dalapapa" / "printing" / "fonts"
SCREEN = ROOT / "web" / "src" / "fonts"

WEIGHTS = {"Regular": 400, "SemiBold": 600, "ExtraBold": 800}

LETTERS = "".join(map(chr, range(0x20, 0x7F))) + "".join(map(chr, range(0xA0, 0x100))) + "ŒœŸ"
MARKS = "‘’‚“”„…–—•‹›€−"

TITLES = "".join(c for c in LETTERS if c.isalnum()) + " !?¿¡.,:'’-–&+−/"


def write(source: Path, target: Path, letters: str) -> None:
    """The letters of a font, as a browser takes them."""
    options = subset.Options()
    options.flavor = "woff2"
    options.hinting = False
    options.layout_features = ["ccmp", "kern", "mark", "tnum"]
    options.name_IDs = [0, 1, 2, 13, 14]
    font = subset.load_font(str(source), options)
    made = subset.Subsetter(options)
    made.populate(text=letters)
    made.subset(font)
    subset.save_font(font, str(target), options)
    print(f"{target.relative_to(ROOT)}: {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    package = Path(sys.argv[1])
    for folder in (PAPER, SCREEN):
        folder.mkdir(exist_ok=True)
        shutil.copyfile(package / "LICENSE_FONT", folder / "OFL.txt")
    for name, weight in WEIGHTS.items():
        source = package / f"{weight}{name}" / f"Outfit_{weight}{name}.ttf"
        shutil.copyfile(source, PAPER / f"Outfit-{name}.ttf")
        letters = TITLES if name == "ExtraBold" else LETTERS + MARKS
        write(source, SCREEN / f"outfit-{weight}.woff2", letters)

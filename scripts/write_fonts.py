"""Write the fonts of screen and paper from Outfit, which is under the SIL Open Font License.

npm pack @expo-google-fonts/outfit
tar xzf expo-google-fonts-outfit-*.tgz
pip install fonttools brotli
python scripts/write_fonts.py package

Paper gets the whole font in three weights; the browser the letters of our languages and their
neighbours, and of the weight for titles only those that titles are made of. Names in other
alphabets get the system's font. Letters without accents are kerned, for reading and in titles: all
pairs would be a third more, and names and numbers, which are strong, do without. Outfit has no
narrow no-break space, which French puts before `:;!?%»`, so this script adds one.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._g_l_y_f import Glyph

ROOT = Path(__file__).parents[1]
PAPER = ROOT / "src" / "dalapapa" / "printing" / "fonts"
SCREEN = ROOT / "web" / "src" / "fonts"

WEIGHTS = {"Regular": 400, "SemiBold": 600, "ExtraBold": 800}

UNUSED = set("¢¤¥¦¨ª¬\xad®¯±³´µ¶¸¹ºÐÞðþ")
LATIN = (*range(0x20, 0x7F), *range(0xA0, 0x100))
LETTERS = "".join(c for c in map(chr, LATIN) if c not in UNUSED) + "Œœ"
NARROW_SPACE = "\u202f"
MARKS = "‘’‚“”„…–—•‹›€−" + NARROW_SPACE

TITLES = (
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    "àâäçéèêëîïôöùûüœæñáíóúìòßÀÂÄÇÉÈÊËÎÏÔÖÙÛÜŒÆÑÁÍÓÚÌÒ !?¿¡.,:'’-–&+−/%…"
) + NARROW_SPACE

KERNED = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.,:;!?'()-–’"


def add_narrow_space(font: TTFont) -> None:
    """Add the narrow no-break space, two thirds as wide as a space."""
    name = "uni202F"
    width, _ = font["hmtx"]["space"]
    font.setGlyphOrder([*font.getGlyphOrder(), name])
    font["glyf"][name] = Glyph()
    font["hmtx"][name] = (round(width * 2 / 3), 0)
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap[ord(NARROW_SPACE)] = name


def kern(font: TTFont, letters: str) -> None:
    """Kern only these letters."""
    names = font.getBestCmap()
    kept = {names[ord(letter)] for letter in letters}
    for lookup in font["GPOS"].table.LookupList.Lookup:
        for part in lookup.SubTable:
            pairs = getattr(part, "ExtSubTable", part)
            if type(pairs).__name__ != "PairPos":
                continue
            first = pairs.Coverage.glyphs
            if pairs.Format == 1:
                of = dict(zip(first, pairs.PairSet, strict=True))
                pairs.PairSet = [of[one] for one in first if one in kept]
                for one in pairs.PairSet:
                    one.PairValueRecord = [r for r in one.PairValueRecord if r.SecondGlyph in kept]
            else:
                for classes in (pairs.ClassDef1, pairs.ClassDef2):
                    known = classes.classDefs
                    classes.classDefs = {one: known[one] for one in known if one in kept}
            pairs.Coverage.glyphs = [one for one in first if one in kept]


def write(source: Path, target: Path, letters: str, kerned: str) -> None:
    """The letters of a font, as a browser takes them."""
    options = subset.Options()
    options.flavor = "woff2"
    options.hinting = False
    options.layout_features = ["ccmp", "kern", "mark", "tnum"]
    options.name_IDs = [0, 1, 2, 13, 14]
    options.drop_tables += ["STAT", "gasp"]
    font = subset.load_font(str(source), options)
    kern(font, kerned)
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
        paper = PAPER / f"Outfit-{name}.ttf"
        whole = TTFont(source, recalcTimestamp=False)
        add_narrow_space(whole)
        whole.save(paper)
        letters = TITLES if name == "ExtraBold" else LETTERS + MARKS
        kerned = "" if name == "SemiBold" else KERNED
        write(paper, SCREEN / f"outfit-{weight}.woff2", letters, kerned)

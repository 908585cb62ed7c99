"""The bag: its order follows from the seed by SHA-256 alone, as docs/records.md says."""

from __future__ import annotations

from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from dalapapa.core.tiles import standard
from dalapapa.games.bag import Bag, fill_bag, hash_seed, make_seed, shuffle_by_seed

NAMES = standard().names


def test_the_order_is_the_documented_one() -> None:
    """Written out once more, as another program would do it."""
    keys = {}
    for number, name in enumerate(NAMES):
        digest = sha256(f"a seed/0/{number // 4}".encode()).hexdigest()
        keys[name] = digest[16 * (number % 4) : 16 * (number % 4) + 16]
    assert fill_bag(NAMES, "a seed").names == tuple(sorted(NAMES, key=lambda name: keys[name]))


def test_the_order_is_known_for_ever() -> None:
    """Records of today must replay in ten years: these names never change."""
    assert fill_bag(NAMES, "dalapapa").names[:5] == KNOWN


KNOWN = ("ZBGRY", "ZRBYG", "PGRBY", "BBYGR", "PBYGR")


def test_a_commitment_is_the_plain_sha256() -> None:
    assert hash_seed("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_seeds_are_long_and_differ() -> None:
    seeds = {make_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert all(len(seed) == 32 for seed in seeds)


@given(st.text(max_size=20), st.lists(st.integers(0, 5), max_size=60))
def test_drawing_takes_each_domino_once(seed: str, counts: list[int]) -> None:
    bag = fill_bag(NAMES, seed)
    drawn: list[str] = []
    for count in counts:
        names, bag = bag.draw(count)
        assert len(names) <= count
        drawn += names
    assert sorted([*drawn, *bag.names]) == sorted(NAMES)
    assert tuple(drawn) == fill_bag(NAMES, seed).names[: len(drawn)]


def test_an_empty_bag_gives_nothing() -> None:
    names, bag = Bag(("A",), "x").draw(2)
    assert names == ("A",)
    assert bag.draw(2) == ((), bag)


def test_putting_back_shuffles_again() -> None:
    drawn, bag = fill_bag(NAMES, "x").draw(10)
    fuller = bag.put_back(drawn[:3])
    assert sorted(fuller.names) == sorted([*bag.names, *drawn[:3]])
    assert fuller.shuffles == 1
    assert [name for name in fuller.names if name in bag.names] != list(bag.names)


def test_every_place_is_about_equally_likely() -> None:
    """A domino's mean place over many seeds is the middle (within five standard errors)."""
    seeds = 400
    for name in NAMES[::17]:
        places = [shuffle_by_seed(NAMES, f"s{number}", 0).index(name) for number in range(seeds)]
        assert abs(sum(places) / seeds - 59.5) < 5 * 34.6 / seeds**0.5

"""The basis of all packages: geometry, dominoes, notation, points, options and errors.

These modules know no game, no clock and no network, and import nothing from other packages.
"""

"""The host of online tables on one device, in a worker of the browser.

It stands in for the server: requests and messages have the same form, and the same code encodes
states. It performs no I/O and knows no clock: `host.py` takes one event with its time after the
other, and returns what has to be stored, and what may be sent after that.
"""

"""The host of online tables on one device, in a worker of the browser.

It is the same for tables as the server is: requests and messages have the same form, and states are
encoded by the same code. It performs no I/O and knows no clock: `host.py` takes one event with its
time after the other, and returns what has to be stored, and what may be sent after that.
"""

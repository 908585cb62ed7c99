"""The engine of the edition without a server: questions and answers as JSON texts.

A worker of the browser client (`web/engine`) calls `engine.answer`; nothing here needs a browser.
Every question carries all that its answer depends on, so that a worker may be ended at any time: a
new one gives the same answer.
"""

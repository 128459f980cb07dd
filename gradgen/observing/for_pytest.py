"""A plugin of pytest, and of each of xdist's processes: what the tests call is noted."""

from gradgen.observing.watching import start

start()

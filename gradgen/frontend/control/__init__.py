"""Which way the text goes: branches, jumps, loops, what loops go over."""

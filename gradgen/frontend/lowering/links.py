"""Which list objects may be one, and which may hold which: a change shows in all.

Arrays that two lists share are told by `Memory.overlaps`; here it is the lists
themselves, since `append` changes the list and none of its entries.
"""

from __future__ import annotations

from gradgen.ir.nodes import Var


class Links:
    """Lists by their buffers; what is noted only grows."""

    def __init__(self) -> None:
        self.twins: dict[Var, set[Var]] = {}
        # the lists that may hold a list
        self.holders: dict[Var, set[Var]] = {}

    def twin(self, one: Var, other: Var) -> None:
        """Notes that two may be the same list: not so what each of them may be."""
        if one != other:
            self.twins.setdefault(one, set()).add(other)
            self.twins.setdefault(other, set()).add(one)

    def hold(self, container: Var, item: Var) -> None:
        """Notes that a list may hold another."""
        for one in self.same(item):
            if one != container:
                self.holders.setdefault(one, set()).add(container)

    def inherit(self, container: Var, source: Var) -> None:
        """Notes that a list has entries of another: it holds what that one holds."""
        for holders in self.holders.values():
            if source in holders:
                holders.add(container)

    def taken(self, item: Var, container: Var) -> None:
        """Notes that an entry was taken from a list: any list that this one holds."""
        for held, holders in list(self.holders.items()):
            if container in holders:
                self.twin(item, held)

    def same(self, var: Var) -> set[Var]:
        """The lists that a list may be, itself among them."""
        return {var, *self.twins.get(var, ())}

    def touched(self, var: Var) -> set[Var]:
        """The other lists that a change of a list may be seen in.

        It may be one of them, or be held by one, or by one of those that hold it.
        """
        found = self.same(var)
        waiting = list(found)
        while waiting:
            for holder in self.holders.get(waiting.pop(), ()):
                more = self.same(holder) - found
                found |= more
                waiting += more
        return found - {var}

"""Var -> identifier, chosen last, from identity and from what is still read."""

from __future__ import annotations

import keyword
from collections.abc import Iterable

from gradgen.ir.nodes import Apply, Function, Let, Origin, Role, Var
from gradgen.ir.walk import reads

# statements that change their first argument, and so share its name
IN_PLACE = ("setitem", "additem", "add_at")


def names(
    function: Function, reserved: Iterable[str], callback: bool
) -> dict[Var, str]:
    """An identifier for each variable.

    A name is used again when its last value is read no more: yh = yh + 1e-8. In
    callback style the inner function reads the outer one's names when it runs, so
    that those stay what they are to the end.
    """
    return _Naming(function, set(reserved), callback).chosen()


class _Naming:
    def __init__(self, function: Function, reserved: set[str], callback: bool):
        self.function, self.callback = function, callback
        self.taken = reserved | set(keyword.kwlist)
        self.params = [param.var for param in function.params]
        self.users = {
            let.var.name for let in function.body if let.var.origin is Origin.USER
        } | {var.name for var in self.params if var.origin is Origin.PARAM}
        self.last_read = self._last_reads()
        self.holder: dict[str, Var] = {}
        self.names: dict[Var, str] = {}
        # Where the search for a number starts: every name before is in use.
        self.numbers: dict[str, int] = {}

    def _last_reads(self) -> dict[Var, int]:
        end = len(self.function.body)
        last: dict[Var, int] = {}
        for i, let in enumerate(self.function.body):
            inner = self.callback and let.note.role is Role.GRAD
            for var in reads(let.value):
                last[var] = i
                if inner and var.origin in _OUTER:
                    last[var] = end
        for value in self.function.values:
            for var in reads(value):
                last[var] = end
        for result in self.function.results:
            for var in reads(result.value):
                last[var] = end
        return last

    def chosen(self) -> dict[Var, str]:
        """The names of all variables."""
        seeds = set(self.function.seeds)
        for var in self.params:
            if var not in seeds:
                self._give(var, var.name)
        for var in self.params:
            if var in seeds:
                self._give(var, self._free(var.name, -1, self.taken | self.users))
        for i, let in enumerate(self.function.body):
            if isinstance(let.value, Apply) and let.value.op in IN_PLACE:
                self._give(let.var, self.names[let.value.args[0].var])
            else:
                self._choose(let, i)
        return self.names

    def _choose(self, let: Let, i: int) -> None:
        var = let.var
        blocked = set(self.taken)
        if var.origin is not Origin.USER:
            blocked |= self.users
        if self.callback and let.note.role is Role.GRAD:
            # A name assigned in the inner function is local to it.
            blocked |= {self.names[v] for v in self.names if v.origin in _OUTER}
        wish = var.name
        of = var.of
        derived = var.origin in (Origin.ADJOINT, Origin.TANGENT)
        if derived and of is not None and of.name in self.users:
            wish = f"d_{of.name}"
        self._give(var, self._free(wish, i, blocked))

    def _free(self, wish: str, i: int, blocked: set[str]) -> str:
        """The wished name, or the name with a number that nobody else wishes for."""
        if wish not in blocked and self._is_over(wish, i):
            return wish
        n = self.numbers.get(wish, 2)
        while True:
            name = f"{wish}_{n}"
            free = name not in blocked and name not in self.users
            if free and self._is_over(name, i):
                self.numbers[wish] = n
                return name
            n += 1

    def _is_over(self, name: str, i: int) -> bool:
        """Whether the value that holds a name is read no more after statement i."""
        holder = self.holder.get(name)
        return holder is None or (i >= 0 and self.last_read.get(holder, -1) <= i)

    def _give(self, var: Var, name: str) -> None:
        self.names[var] = name
        self.holder[name] = var


_OUTER = (Origin.PARAM, Origin.USER, Origin.TEMP)

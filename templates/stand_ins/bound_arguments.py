"""What a signature binds: the arguments of a call by their names."""

module = "inspect"


class BoundArguments:
    def __init__(self, arguments, kinds, defaults):
        self.arguments = arguments
        self._kinds = kinds
        self._defaults = defaults

    def apply_defaults(self):
        every = {}
        for name in self._kinds:
            if name in self.arguments:
                every[name] = self.arguments[name]
            elif name in self._defaults:
                every[name] = self._defaults[name]
        self.arguments = every

    @property
    def args(self):
        found = []
        for name, kind in self._kinds.items():
            if kind in ("keyword-only", "variadic keyword"):
                break
            if name not in self.arguments:
                break
            if kind == "variadic positional":
                found.extend(self.arguments[name])
            else:
                found.append(self.arguments[name])
        return tuple(found)

    @property
    def kwargs(self):
        found = {}
        by_place = True
        for name, kind in self._kinds.items():
            if kind in ("keyword-only", "variadic keyword"):
                by_place = False
            elif name not in self.arguments:
                by_place = False
            if by_place or name not in self.arguments:
                continue
            if kind == "variadic keyword":
                found.update(self.arguments[name])
            else:
                found[name] = self.arguments[name]
        return found

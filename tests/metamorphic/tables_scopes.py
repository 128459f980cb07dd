"""Rewritings of scopes, and of functions as people write them: patterns, as in patterns.py."""

SCOPES = r"""
scopes: names that mean something else somewhere else
    <E> => [<E> for k in range(1) for k in range(1)][0]
    <E> => (lambda x, *_: x)(<E>, *[1, 2])
    <E> => [f() for f in [lambda: <E>]][0]
    <E> => [f(2.0) for f in [lambda k, scale=0.5: k * scale * <E>]][0]
    <E> => list(map(lambda f: f(), [lambda: <E>]))[0]
    <E> => {f: v for f, v in zip("ab", [<E>, 0.0])}["a"]
    <E> => (lambda f: f(f, 2))(lambda f, k: f(f, k - 1) if k else <E>)

    <E>
    before:
    $fs = []
    for $k in range(3):
        $fs.append(lambda value, k=$k: value * k)
    =>
    $fs[1](<E>)

    <E>
    before:
    $fs = [lambda value: value * $k for $k in range(2)]
    =>
    $fs[0](<E>)

    <E>
    before:
    def $part($rest=[]):
        $rest = $rest + [<E>]
        return $rest[-1]
    =>
    $part()

    <E>
    before:
    def $part(**options):
        options["it"] = <E>
        return options.pop("it")
    =>
    $part(other=1)

    <E>
    before:
    def $outer():
        value = 0.0
        def inner():
            value = <E>
            return value
        return inner() + value
    =>
    $outer()

    <E>
    above:
    $STATE = {"calls": 0, "scale": 1.0}
    def $part(value):
        return value * $STATE["scale"]
    =>
    $part(<E>)

    <E>
    above:
    class $Outer:
        value = 2.0
        class Inner:
            value = 1.0
            def of(self, x):
                return x * self.value
    =>
    $Outer.Inner().of(<E>)

    <E>
    above:
    class $Part:
        registry = []
        def __init__(self, value):
            self.__value = value
        @property
        def value(self):
            return self.__value
        @value.setter
        def value(self, new):
            self.__value = new
    def $of(value):
        part = $Part(0.0)
        part.value = value
        return part.value
    =>
    $of(<E>)

    <E>
    above:
    class $Lazy:
        def __init__(self, make):
            self.make = make
        def __getattr__(self, name):
            return self.make()
    =>
    $Lazy(lambda: <E>).anything

    <E>
    above:
    class $Layer:
        def __init__(self, scale):
            self.scale = scale
        def __call__(self, x):
            return x * self.scale
    class $Net:
        def __init__(self):
            self.layers = [$Layer(2.0), $Layer(0.5)]
        def __call__(self, x):
            for layer in self.layers:
                x = layer(x)
            return x
    $net = $Net()
    =>
    $net(<E>)

    <E>
    above:
    def $pipe(*steps):
        def run(x):
            for step in steps:
                x = step(x)
            return x
        return run
    $step = $pipe(lambda v: v + 1.0, lambda v: v - 1.0)
    =>
    $step(<E>)

    <E>
    above:
    def $curry(scale):
        return lambda shift: lambda x: x * scale + shift
    =>
    $curry(1.0)(0.0)(<E>)

    <E>
    above:
    def $trace(enabled):
        def deco(f):
            if not enabled:
                return f
            def wrapped(*args, **kwargs):
                print("called", f.__name__)
                return f(*args, **kwargs)
            return wrapped
        return deco
    @$trace(True)
    @$trace(False)
    def $part(<params>):
        return <E>
    =>
    $part(<params>)

    <E>
    above:
    def $check(x, name="x"):
        if not np.all(np.isfinite(x)):
            raise ValueError("%s is not finite" % name)
        return x
    =>
    $check(<E>, name="value")

    <E>
    above:
    def $part(x, mode="same", *, out=None):
        if mode not in ("same", "twice"):
            raise ValueError(f"unknown mode {mode!r}")
        result = x if mode == "same" else 2 * x
        if out is not None:
            out[...] = result
            return out
        return result
    =>
    $part(<E>)

    <E>
    above:
    $MODES = {"same": lambda x: x, "twice": lambda x: 2 * x}
    def $part(x, mode="same"):
        try:
            function = $MODES[mode]
        except KeyError:
            raise ValueError(mode) from None
        return function(x)
    =>
    $part(<E>, "same")

    <E>
    above:
    def $part(x, axis=None, keepdims=False):
        x = np.asarray(x)
        if x.ndim == 0:
            return x[()]
        if axis is None:
            return x * 1.0
        return np.sum(x, axis=axis, keepdims=keepdims)
    =>
    $part(<E>)

    <E>
    above:
    def $part(x):
        scalar = np.ndim(x) == 0
        x = np.atleast_1d(x)
        y = x * 1.0
        return y[0] if scalar else y
    =>
    $part(<E>)

    <E>
    above:
    def $part(x):
        if isinstance(x, np.ndarray):
            return x + 0.0
        return float(x)
    =>
    $part(<E>)
"""

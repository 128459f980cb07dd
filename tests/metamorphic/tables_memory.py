"""Rewritings of what shares memory, of flags as numbers, and of scopes: patterns."""

MEMORY = r"""
stores: a store by way of something that is the same array, or a view of it
    <Y>[<X>] = <E>
    =>
    np.asarray(<Y>)[<X>] = <E>

    <Y>[<X>] = <E>
    =>
    $view = np.asarray(<Y>, dtype=<Y>.dtype)
    $view[<X>] = <E>

    <Y>[<X>] = <E>
    =>
    $view = np.asarray(<Y>, float)
    $view[<X>] = <E>

    <Y>[<X>] = <E>
    =>
    $view = <Y>[:]
    $view[<X>] = <E>

    <Y>[<X>] = <E>
    =>
    $view = <Y>.view()
    $view[<X>] = <E>

    <Y>[<X>] = <E>
    =>
    $view = <Y>.T.T
    $view[<X>] = <E>

    <Y>[<X>] = <E>
    =>
    $view = <Y>.reshape(<Y>.shape)
    $view[<X>] = <E>

    <Y>[<X>] = <E>
    =>
    $view = np.atleast_1d(<Y>)
    $view[<X>] = <E>

    <Y>[<X>] = <E>
    =>
    $view = <Y>[None]
    $view[0][<X>] = <E>

    <Y>[<X>] = <E>
    =>
    $view = <Y>[::-1]
    $view[::-1][<X>] = <E>

    <Y>[<X>] = <E>
    =>
    $view = np.real(<Y>)
    $view[<X>] = <E>

    <Y>[<X>] = <E>
    =>
    $view = np.squeeze(np.expand_dims(<Y>, 0), 0)
    $view[<X>] = <E>

    <Y>[<X>] = <E>
    =>
    $view = np.split(<Y>, 1)[0]
    $view[<X>] = <E>

    <Y>[<X>] = <E>
    =>
    [<Y>][0][<X>] = <E>

    <Y>[<X>] = <E>
    =>
    $held = {"it": <Y>}
    $held["it"][<X>] = <E>

    <Y>[<X>] = <E>
    =>
    $held = types.SimpleNamespace(it=<Y>)
    $held.it[<X>] = <E>

    <Y>[<X>] = <E>
    =>
    (lambda: <Y>)()[<X>] = <E>

    <Y>[<X>] = <E>
    =>
    for $row in [<Y>]:
        $row[<X>] = <E>

    <Y>[<X>] = <E>
    =>
    $again, _ = <Y>, None
    $again[<X>] = <E>

    <Y>[<X>] = <E>
    =>
    $value = <E>
    $key = <X>
    <Y>[$key] = $value

    <Y>[<X>] = <E>
    above:
    def $put(array, key, value):
        array[key] = value
    =>
    $put(<Y>, <X>, <E>)

    <Y>[<X>] = <E>
    above:
    def $put(array, key, value):
        array[key] = value
        return array
    =>
    $same = $put(<Y>, <X>, <E>)

    <Y>[<X>] = <E>
    above:
    class $Box:
        def __init__(self, data):
            self.data = data
        def __setitem__(self, key, value):
            self.data[key] = value
    =>
    $box = $Box(<Y>)
    $box[<X>] = <E>

    <Y>[<X>] = <E>
    =>
    <Y>[<X>] *= 0
    <Y>[<X>] += <E>

    <Y>[<X>] = <E>
    =>
    $part = <Y>[<X>] = <E>

    <Y>[<X>] = <E>
    =>
    np.copyto(<Y>[<X>], <E>)

    <Y>[<X>] = <E>
    =>
    <Y>[<X>][...] = <E>

    <Y>[<X>] = <E>
    =>
    $old = <Y>.copy()
    $old[<X>] = <E>
    <Y>[...] = $old

    <Y>[<X>] += <E>
    =>
    $part = <Y>[<X>]
    $part += <E>

    <Y>[<X>] += <E>
    =>
    $part = <Y>[<X>]
    <Y>[<X>] = $part + <E>

    <Y>[<X>] += <E>
    =>
    np.add(<Y>[<X>], <E>, out=<Y>[<X>])

    <Y>[<X>] += <E>
    =>
    np.asarray(<Y>, dtype=float)[<X>] += <E>

    <Y>[<X>] -= <E>
    =>
    <Y>[<X>] += -(<E>)

    <Y>[<X>] *= <E>
    =>
    <Y>[<X>] = <Y>[<X>] * <E>

other names: an array under two names, one of which changes
    <x> = <A>
    =>
    <x> = np.array(<A>)
    $other = <x>
    $other += 1.0
    <x> -= 1.0

    <x> = <A>
    =>
    <x> = (<A>).copy()
    $other = np.asarray(<x>, dtype=float)
    $other *= 2.0
    <x> /= 2.0

    <x> = <A>
    =>
    <x> = (<A>).copy()
    $kept = <x>
    <x> = <x> + 1.0
    $kept *= 0.0
    <x> = <x> - 1.0

    <x> = <A>
    =>
    $kept = [<A>]
    $kept[0] = $kept[0] * 1.0
    <x> = $kept[0]

    <x> = <A>
    =>
    <x> = <A> * 1.0
    $first = <x>[:1]
    $first += 1.0
    <x>[:1] -= 1.0

    <x> = <A>
    =>
    $kept = (<A>).copy()
    <x> = $kept.copy()
    $kept[...] = 0.0

    <x> = <A>
    =>
    <x>, $other = (<A>).copy(), np.zeros(2)
    <x>, $other = $other, <x>
    <x>, $other = $other, <x>

    <x> = <V>
    =>
    <x> = np.zeros(len(<V>) + 2)
    <x>[1:-1] = <V>
    <x> = <x>[1:-1]

    <x> = <V>
    =>
    $both = np.stack([<V>, 2.0 * <V>])
    $one, $two = $both
    $two -= $one
    <x> = $both[1]

    <x> = <V>
    =>
    $grid = np.outer(np.ones(2), <V>)
    for $line in $grid:
        $line *= 1.0
    <x> = $grid[1]

flags: what is true or false as a number, an index or a factor
    <E> => (0.0, <E>)[True]
    <E> => (<E>, 0.0)[False]
    <E> => [0.0, <E>][np.pi > 3]
    <E> => [0.0, <E>][bool(np.ones(1)[0] > 0)]
    <E> => [<E>, 0.0][not True]
    <E> => (0.0, <E>)[np.int64(1)]
    <E> => [0.0, <E>][-1]
    <E> => [0.0, <E>][int(1.5)]
    <E> => <E> * True
    <E> => <E> ** True
    <E> => <E> + False
    <E> => <E> * (1 == 1)
    <E> => <E> * (np.pi > 3)
    <E> => <E> * int(np.pi > 3)
    <E> => (np.pi > 3) * <E> + (np.pi < 3) * 1.0
    <E> => <E> * sum([True, False])
    <E> => (True and [<E>])[0]
    <E> => ([] or [<E>])[0]
    <E> => (None or {"it": <E>})["it"]
    <A> => <A> * np.ones(<A>.shape, dtype=bool)
    <A> => np.where(np.ones(<A>.shape, dtype=bool), <A>, 0)
    <A> => <A>[np.ones(len(<A>), dtype=bool)]
    <A> => <A>[list(range(len(<A>)))]
    <A> => <A>[np.arange(len(<A>))]
    <A> => <A>[True][0]
    <A> => <A>[...]
    <A> => <A>[()]
    <A> => <A>[np.newaxis, ...][0, ...]
    <V> => np.compress([True] * len(<V>), <V>)
    <V> => <V>[np.argsort(np.arange(len(<V>)))]
    <V> => <V>[np.nonzero(np.ones(len(<V>)))]
    <V> => <V>[-np.arange(len(<V>), 0, -1)]
    <V>[<n>] => <V>[np.array(<n>)]
    <V>[<n>] => <V>[np.int64(<n>)]
    <V>[<n>] => <V>[int(float(<n>))]
    <V>[<n>] => <V>[[<n>, <n>]].mean()
    <V>[<n>] => <V>[np.array([<n>])].sum()
    <V>[<n>] => <V>[<n> * True]
    <V>[<n>] => <V>[np.arange(len(<V>)) == <n> % len(<V>)][0]

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

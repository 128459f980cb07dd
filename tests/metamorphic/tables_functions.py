"""Rewritings that move an expression somewhere else: patterns, as patterns.py reads them."""

FUNCTIONS = r"""
lambda: an expression as a lambda that is called
    <E> => (lambda: <E>)()
    <E> => (lambda value: value)(<E>)
    <E> => (lambda *args: args[0])(<E>)
    <E> => (lambda value=<E>: value)()
    <E> + <F> => (lambda p, q: p + q)(<E>, <F>)
    <E> * <F> => (lambda p, q: p * q)(q=<F>, p=<E>)

    <E>
    before:
    $part = lambda: <E>
    =>
    $part()

    <E>
    before:
    $part = lambda <params>: <E>
    =>
    $part(<params>)

function: an expression as a function of the module
    <E>
    above:
    def $part(<params>):
        return <E>
    =>
    $part(<params>)

    <E>
    above:
    def $part(*, <params>):
        $result = <E>
        return $result
    =>
    $part(<keys>)

    <E>
    above:
    def $part(*args, **options):
        <params>, = args
        return <E>
    =>
    $part(<params>)

    <E>
    above:
    def $part(**options):
        [<params>] = options.values()
        return <E>
    =>
    $part(**{<items>})

    <E>
    above:
    def $part(arguments):
        (<params>,) = arguments
        return <E>
    =>
    $part((<params>,))

    <E>
    above:
    def $apply(function, *args):
        return function(*args)
    def $part(<params>):
        return <E>
    =>
    $apply($part, <params>)

    <E>
    above:
    def $part(<params>, scale=1.0, offset=0.0):
        return <E> * scale + offset
    =>
    $part(<params>)

    <E>
    above:
    def $part(<params>, log=None):
        if log is not None:
            log("never")
        return <E>
    =>
    $part(<params>)

nested function: an expression as a function inside, and a closure
    <E>
    before:
    def $part():
        return <E>
    =>
    $part()

    <E>
    before:
    def $part(<params>):
        return <E>
    =>
    $part(<params>)

    <E>
    above:
    def $make(<params>):
        def part():
            return <E>
        return part
    =>
    $make(<params>)()

    <E>
    above:
    def $make(<params>):
        return lambda scale: scale * (<E>)
    =>
    $make(<params>)(1.0)

    <E>
    above:
    def $part(<params>):
        def outer():
            def inner():
                return <E>
            return inner()
        return outer()
    =>
    $part(<params>)

    <E>
    before:
    def $part(<params>, depth=2):
        if depth:
            return $part(<params>, depth - 1)
        return <E>
    =>
    $part(<params>)

    <E>
    before:
    $box = []
    def $put(value):
        $box.append(value)
    =>
    ($put(<E>), $box[-1])[1]

    <E>
    before:
    def $part():
        $kept = 0.0
        def change():
            nonlocal $kept
            $kept = <E>
        change()
        return $kept
    =>
    $part()

partial: functools.partial, reduce, wraps, lru_cache
    <E>
    above:
    def $part(<params>):
        return <E>
    =>
    functools.partial($part, <keys>)()

    <E>
    above:
    def $part(<params>, power):
        return (<E>) ** power
    $once = functools.partial($part, power=1)
    =>
    $once(<params>)

    <E> + <F> => functools.reduce(lambda p, q: p + q, [<E>, <F>])
    <E> * <F> => functools.reduce(operator.mul, (<E>, <F>), 1.0)

    <E>
    above:
    def $decorated(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            return function(*args, **kwargs)
        return wrapper
    @$decorated
    def $part(<params>):
        return <E>
    =>
    $part(<params>)

    <E>
    above:
    def $scaled(by):
        def decorate(function):
            def wrapper(*args):
                result = function(*args)
                return by * result
            return wrapper
        return decorate
    @$scaled(1.0)
    def $part(<params>):
        return <E>
    =>
    $part(<params>)

    <k>
    above:
    @functools.lru_cache(maxsize=None)
    def $rate(power):
        return <k> ** power
    =>
    $rate(1)

    <E>
    above:
    @functools.singledispatch
    def $value(x):
        return np.asarray(x)
    @$value.register
    def _(x: float):
        return x
    =>
    $value(<E>)

class: an expression as a method, a property or a call of an instance
    <E>
    above:
    class $Part:
        def __init__(self, <params>):
            <selves>, = <params>,
        def value(self):
            return <self E>
    =>
    $Part(<params>).value()

    <E>
    above:
    class $Part:
        def __init__(self, <params>):
            <selves>, = <params>,
        @property
        def value(self):
            return <self E>
    =>
    $Part(<params>).value

    <E>
    above:
    class $Part:
        def __call__(self, <params>):
            return <E>
    $part = $Part()
    =>
    $part(<params>)

    <E>
    above:
    class $Part:
        @staticmethod
        def value(<params>):
            return <E>
    =>
    $Part.value(<params>)

    <E>
    above:
    class $Part:
        @classmethod
        def value(cls, <params>):
            return <E>
    =>
    $Part.value(<params>)

    <E>
    above:
    class $Base:
        def value(self, <params>):
            return <E>
    class $Part($Base):
        def value(self, <params>):
            return super().value(<params>)
    =>
    $Part().value(<params>)

    <E>
    above:
    class $Base(abc.ABC):
        @abc.abstractmethod
        def value(self, <params>):
            raise NotImplementedError
        def run(self, <params>):
            return self.value(<params>)
    class $Part($Base):
        def value(self, <params>):
            return <E>
    =>
    $Part().run(<params>)

    <E>
    above:
    class $Part:
        def __init__(self, <params>):
            self.parts = [<params>]
        def __getitem__(self, k):
            return self.parts[k]
        def __len__(self):
            return len(self.parts)
        def value(self):
            <params>, = self.parts
            return <E>
    =>
    $Part(<params>).value()

    <E>
    above:
    class $Part:
        scale = 1.0
        def value(self, <params>):
            self.last = <E>
            return self.last * self.scale
    =>
    $Part().value(<params>)

    <E>
    above:
    class $Part:
        def __init__(self):
            self.total = 0.0
        def add(self, value):
            self.total = self.total + value
            return self
    =>
    $Part().add(<E>).total

    <E> + <F>
    above:
    class $Value:
        def __init__(self, value):
            self.value = value
        def __add__(self, other):
            return $Value(self.value + other.value)
    =>
    ($Value(<E>) + $Value(<F>)).value

    <E> * <F>
    above:
    class $Value:
        __slots__ = ("value",)
        def __init__(self, value):
            self.value = value
        def __mul__(self, other):
            return self.value * other
        __rmul__ = __mul__
    =>
    $Value(<E>) * <F>

records: what an expression reads in a dataclass, a NamedTuple or a namespace
    <E>
    above:
    @dataclasses.dataclass
    class $Part:
        <fields>
        def value(self):
            return <self E>
    =>
    $Part(<params>).value()

    <E>
    above:
    @dataclasses.dataclass(frozen=True)
    class $Part:
        value: object
        rest: tuple = ()
    =>
    $Part(<E>).value

    <E>
    above:
    class $Part(typing.NamedTuple):
        <fields>
        def value(self):
            return <self E>
    =>
    $Part(<keys>).value()

    <E>
    above:
    $Part = collections.namedtuple("$Part", ["value", "scale"])
    =>
    $Part(<E>, 1.0)[0]

    <E>
    above:
    class $Part(typing.NamedTuple):
        value: object
        scale: float = 1.0
    =>
    (lambda value, scale: value * scale)(*$Part(<E>))

    <E> => types.SimpleNamespace(value=<E>).value

    <E>
    above:
    @dataclasses.dataclass
    class $Part:
        value: object
        squares: object = dataclasses.field(init=False)
        def __post_init__(self):
            self.squares = self.value * self.value
    =>
    $Part(<E>).value

generators: an expression in a generator or a comprehension
    <E> => [<E> for _ in range(1)][0]
    <E> => list(<E> for _ in (0,))[0]
    <E> => next(<E> for _ in range(3))
    <E> => next(iter([<E>]))
    <E> => sum(<E> for _ in range(1))
    <E> => {k: <E> for k in "a"}["a"]
    <E> => list(map(lambda _: <E>, range(1)))[0]
    <E> => [value for value in (<E>, 0.0)][0]
    <E> => [*[<E>]].pop()
    <E> => list(filter(lambda value: value is not None, [<E>]))[0]
    <E> => [value for k, value in enumerate([0.0, <E>]) if k == 1][0]
    <E> => next(itertools.islice(itertools.repeat(<E>), 1))
    <E> => list(itertools.chain([<E>], ()))[0]
    <E> => max([<E>], key=len, default=None) if False else <E>

    <E>
    above:
    def $values(<params>):
        yield <E>
    =>
    next($values(<params>))

    <E>
    above:
    def $values(<params>):
        for k in range(2):
            yield (<E>) * k
    =>
    sum($values(<params>))

    <E>
    above:
    def $values(<params>):
        yield from [<E>, None]
    =>
    list($values(<params>))[0]

    <E>
    above:
    @contextlib.contextmanager
    def $context(value):
        yield value
    def $part(value):
        with $context(value) as it:
            return it
    =>
    $part(<E>)

containers: an expression by way of a tuple, a list or a dict
    <E> => (<E>,)[0]
    <E> => [<E>][-1]
    <E> => {"value": <E>}["value"]
    <E> => dict(value=<E>)["value"]
    <E> => dict(value=<E>).get("value", 0.0)
    <E> => dict([("value", <E>)])["value"]
    <E> => {**{"value": <E>}}.pop("value")
    <E> => (*(<E>,), 1)[0]
    <E> => [[0.0, <E>]][0][1]
    <E> => tuple([<E>])[0]
    <E> => collections.OrderedDict(value=<E>)["value"]
    <E> => collections.deque([<E>])[0]
    <E> => collections.defaultdict(float, value=<E>)["value"]
    <E> => list({"value": <E>}.values())[0]
    <E> => [value for _, value in {"value": <E>}.items()][0]
    <E> => (lambda value, **rest: value)(**{"value": <E>, "more": 1})
    <E> => ([<E>] + [0.0])[0]
    <E> => ([<E>] * 2)[1]
    <E> => sorted([<E>], key=lambda value: 0)[0]
    <E> => list(reversed([<E>, 0.0]))[1]
    <E> => list(zip([<E>], [0.0]))[0][0]
    <E> => getattr(types.SimpleNamespace(value=<E>), "value")

walrus: an expression that is named where it stands
    <E> => ($t := <E>)
    <E> => [$t := <E>, $t][1]
    <E> * <F> => ($t := <E>) * <F>
    <E> + <F> => ($t := <E>) + <F> + ($t - $t)

    <E>
    before:
    $t = <E>
    =>
    $t

    <E>
    before:
    $t: np.ndarray = <E>
    =>
    $t

    <E>
    before:
    $t = $u = <E>
    =>
    $u

    <E>
    before:
    $t, $u = <E>, 1.0
    =>
    $t

    <E>
    before:
    $t, *$u = [<E>, 1.0, 2.0]
    =>
    $t

    <E>
    before:
    ($t, ($u, $v)) = (0.0, (<E>, None))
    =>
    $u

    <E>
    before:
    $t, $u = 0.0, <E>
    $t, $u = $u, $t
    del $u
    =>
    $t

    <E>
    before:
    $t = None
    if $t is None:
        $t = <E>
    =>
    $t
"""

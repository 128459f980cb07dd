"""Rewritings that move an expression into a class or a container: patterns, as in patterns.py."""

CLASSES = r"""
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

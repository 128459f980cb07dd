"""Rewritings that move an expression into a function: patterns, as patterns.py reads them."""

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
"""

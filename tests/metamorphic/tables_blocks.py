"""Rewritings of statements: patterns, as patterns.py reads them."""

BLOCKS = r"""
once: statements in a block that runs once
    <body>
    =>
    for _ in range(1):
        <body>

    <body>
    =>
    while True:
        <body>
        break

    <body>
    =>
    for $k in (0,):
        <body>
    else:
        pass

    <body>
    =>
    $k = 0
    while $k < 1:
        <body>
        $k += 1

    <body>
    =>
    $done = False
    while not $done:
        <body>
        $done = True

    <body>
    =>
    for $k in range(3):
        if $k != 1:
            continue
        <body>

    <body>
    =>
    for $k in range(5):
        <body>
        if $k == 0:
            break

guarded: statements under a condition that holds
    <body>
    =>
    if True:
        <body>

    <body>
    =>
    if np.pi > 3:
        <body>
    else:
        raise ValueError("no pi")

    <body>
    =>
    if 1 + 1 == 3:
        raise ValueError("never")
    <body>

    <body>
    =>
    $flag = not False
    if $flag:
        <body>

    <body>
    =>
    match 1:
        case 1:
            <body>
        case _:
            raise ValueError

    <body>
    =>
    assert True, "never"
    if not np.finfo(float).eps < 1:
        return None
    <body>

tries: statements in try or with
    <body>
    =>
    try:
        <body>
    finally:
        pass

    <body>
    =>
    try:
        <body>
    except ValueError:
        raise

    <body>
    =>
    try:
        <body>
    except ZeroDivisionError as error:
        raise RuntimeError("no") from error
    else:
        pass

    <body>
    =>
    with np.errstate(all="ignore"):
        <body>

    <body>
    =>
    with np.errstate(divide="ignore", invalid="ignore"), contextlib.nullcontext():
        <body>

    <body>
    =>
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        <body>

    <body>
    =>
    with contextlib.suppress(KeyError):
        <body>

    <body>
    above:
    class $Timer:
        def __enter__(self):
            self.start = 0.0
            return self
        def __exit__(self, *args):
            self.spent = 1.0
    =>
    with $Timer() as $timer:
        <body>

    <body>
    above:
    @contextlib.contextmanager
    def $quiet():
        yield
    =>
    with $quiet():
        <body>

dead: code that does nothing, or speaks
    <body>
    =>
    print("here", 1.0)
    <body>

    <body>
    =>
    "a word on what comes"
    <body>
    pass

    <body>
    =>
    $unused = [k for k in range(3)]
    <body>

    <body>
    =>
    logging.getLogger(__name__).debug("at %s", 1)
    <body>

    <body>
    =>
    $message = f"{1.0:.3f} and {'x'!r}"
    <body>

    <body>
    =>
    if False:
        warnings.warn("never", stacklevel=2)
    <body>

    <body>
    =>
    def $never(a, b):
        return a / 0
    <body>

    <body>
    =>
    <body>
    if __name__ == "__main__":
        print("main")

    <body>
    =>
    import math as $m
    <body>

    <body>
    =>
    $start = time.perf_counter()
    <body>
    $spent = time.perf_counter() - $start

    <x> = <E>
    =>
    <x> = <E>
    assert np.all(np.isfinite(<x>)), "no number"

    <x> = <E>
    =>
    <x> = <E>
    assert np.ndim(<x>) >= 0

    <x> = <E>
    =>
    <x> = <E>
    print(f"{np.mean(<x>):.3e}")

    <x> = <E>
    =>
    <x> = <E>
    if np.any(np.isnan(<x>)):
        raise ValueError(f"nan in {<x>!r}")

    <x> = <E>
    =>
    <x> = <E>
    if np.any(np.isnan(<x>)):
        warnings.warn("nan")

    <x> = <E>
    =>
    <x>: "float or array" = <E>

    <x> = <E>
    =>
    <x>: np.ndarray
    <x> = <E>

    <x> = <A>
    =>
    <x> = <A>
    if not isinstance(<x>, np.ndarray):
        raise TypeError(type(<x>).__name__)

    <x> = <A>
    =>
    <x> = <A>
    if <x>.size >= 0:
        <x> = <x>

    <x> = <A>
    =>
    <x> = <A>
    if <x>.size == 0:
        return 0.0

    <x> = <A>
    =>
    <x> = <A>
    $shape, $dtype = <x>.shape, <x>.dtype
    assert $shape == np.shape(<x>) and $dtype == float

assignments: an assignment written in another way
    <x> = <E> + <F>
    =>
    <x> = <E>
    <x> = <x> + <F>

    <x> = <A> + <X>
    =>
    <x> = (<A>).copy()
    <x> += <X>

    <x> = <A> * <X>
    =>
    <x> = np.array(<A>)
    <x> *= <X>

    <x> = <A> - <X>
    =>
    <x> = np.copy(<A>)
    np.subtract(<x>, <X>, out=<x>)

    <x> = <A> / <X>
    =>
    <x> = 1.0 * <A>
    <x> /= <X>

    <x> = <A>
    =>
    <x> = np.empty_like(<A>)
    <x>[...] = <A>

    <x> = <A>
    =>
    <x> = np.zeros(np.shape(<A>))
    <x>[:] = <A>

    <x> = <A>
    =>
    <x> = np.zeros_like(<A>)
    <x> += <A>

    <x> = <A>
    =>
    <x> = np.zeros_like(<A>)
    np.copyto(<x>, <A>)

    <x> = <A>
    =>
    <x> = np.empty(<A>.shape, <A>.dtype)
    for $k in range(len(<x>)):
        <x>[$k] = <A>[$k]

    <x> = <A>
    =>
    $rows = []
    for $row in <A>:
        $rows.append($row)
    <x> = np.array($rows)

    <x> = <V>
    =>
    <x> = np.empty(len(<V>))
    for $k, $v in enumerate(<V>):
        <x>[$k] = $v

    <x> = <M>
    =>
    <x> = np.empty_like(<M>)
    for ($i, $j), $v in np.ndenumerate(<M>):
        <x>[$i, $j] = $v

    <x> = <M>
    =>
    <x> = np.empty_like(<M>)
    $columns = <x>.T
    for $j in range(<x>.shape[1]):
        $columns[$j] = <M>[:, $j]

    <x> = <E>
    =>
    <x> = $again = <E>

    <x> = <E>
    =>
    (<x>,) = (<E>,)

    <x> = <E>
    =>
    [<x>] = [<E>]

    <x> = <E>
    =>
    if np.pi > 0:
        <x> = <E>
    else:
        <x> = 0.0

    <x> = <E>
    =>
    <x> = 0.0
    for <x> in [<E>]:
        pass

    <x> = <E>
    =>
    $parts = {}
    $parts["it"] = <E>
    <x> = $parts["it"]

    <x> += <X>
    =>
    <x> = <x> + <X>

    <x> -= <X>
    =>
    <x> += -(<X>)

    <x> *= <X>
    =>
    <x> = <x> * <X>

    <Y>[<X>] += <E>
    =>
    <Y>[<X>] = <Y>[<X>] + <E>

    <Y>[<X>] = <E>
    =>
    <Y>.__setitem__(<X>, <E>)

    <Y>[<X>] = <E>
    =>
    $view = <Y>[...]
    $view[<X>] = <E>

    <Y>[<n>] = <E>
    =>
    <Y>[<n> : <n> + 1] = <E>

    <Y>[<n>] = <E>
    =>
    operator.setitem(<Y>, <n>, <E>)

    <Y>[<n>] = <S>
    =>
    np.put(<Y>, <n>, <S>)

    <Y>[<X>] += <E>
    =>
    np.add.at(<Y>, <X>, <E>)

returns: a result returned in another way
    return <E>
    =>
    $result = <E>
    return $result

    return <E>
    =>
    $result = [<E>]
    return $result[0]

    return <E>
    =>
    try:
        return <E>
    finally:
        print("done")

    return <E>
    =>
    if np.pi > 0:
        return <E>
    return None

    return <E>
    =>
    $result: float = <E>
    if $result is None:
        raise RuntimeError
    return $result

    return <E>
    =>
    for _ in range(2):
        return <E>

    return <E>
    =>
    while True:
        return <E>

    return <E>
    =>
    with np.errstate(all="ignore"):
        return <E>

    return <S>
    =>
    return float(<S>)

    return <S>
    =>
    return np.asarray(<S>)

    return <S>
    =>
    $out = np.zeros(1)
    $out[0] = <S>
    return $out[0]

    return <S>
    =>
    $total = 0.0
    $total += <S>
    return $total

loops: a loop written in another way
    for <x> in range(<X>):
        <body>
    =>
    <x> = 0
    while <x> < <X>:
        <body>
        <x> += 1

    for <x> in range(<X>):
        <body>
    =>
    $k = 0
    while True:
        if $k >= <X>:
            break
        <x> = $k
        $k = $k + 1
        <body>

    for <x> in range(<X>):
        <body>
    =>
    for <x>, _ in enumerate(range(<X>)):
        <body>

    for <x> in range(<X>):
        <body>
    =>
    for <x>, $again in zip(range(<X>), range(<X>)):
        <body>

    for <x> in range(<X>):
        <body>
    =>
    for <x> in list(range(<X>)):
        <body>

    for <x> in range(<X>):
        <body>
    =>
    for <x> in np.arange(<X>):
        <body>

    for <x> in range(<X>):
        <body>
    =>
    for <x> in reversed(range(<X> - 1, -1, -1)):
        <body>

    for <x> in range(<X>):
        <body>
    =>
    for $k in range(<X>, 0, -1):
        <x> = <X> - $k
        <body>

    for <x> in range(<X>):
        <body>
    =>
    for <x> in [k for k in range(<X>)]:
        <body>

    for <x> in range(<X>):
        <body>
    =>
    for <x> in itertools.count():
        if <x> == <X>:
            break
        <body>

    for <x> in range(<X>):
        <body>
    =>
    for <x> in itertools.takewhile(lambda k: k < <X>, itertools.count()):
        <body>

    for <x> in range(<X>):
        <body>
    =>
    for (<x>,) in np.ndindex(<X>):
        <body>

    for <x> in range(<X>):
        <body>
    =>
    for <x> in sorted(range(<X>)):
        <body>

    for <x> in range(<X>):
        <body>
    =>
    for $half in (range(<X> // 2), range(<X> // 2, <X>)):
        for <x> in $half:
            <body>

    for <x> in range(<X>):
        <body>
    =>
    $todo = collections.deque(range(<X>))
    while $todo:
        <x> = $todo.popleft()
        <body>

    for <x> in range(<X>):
        <body>
    =>
    $numbers = iter(range(<X>))
    for <x> in $numbers:
        <body>

    for <x> in range(<X>):
        <body>
    above:
    def $counted(n):
        k = 0
        while k < n:
            yield k
            k += 1
    =>
    for <x> in $counted(<X>):
        <body>

    for <x> in range(<X>, <Y>):
        <body>
    =>
    <x> = <X>
    while <x> < <Y>:
        <body>
        <x> += 1

    for <x> in range(<X>, <Y>):
        <body>
    =>
    for <x> in range(<Y>):
        if <x> < <X>:
            continue
        <body>

    for <x> in range(<X>, <Y>):
        <body>
    =>
    for $k in range(<Y> - (<X>)):
        <x> = $k + <X>
        <body>

    while <X>:
        <body>
    =>
    while True:
        if not <X>:
            break
        <body>

    while <X>:
        <body>
    =>
    for _ in range(10 ** 4):
        if not (<X>):
            break
        <body>

    for <x> in <V>:
        <body>
    =>
    for $k in range(len(<V>)):
        <x> = <V>[$k]
        <body>

    for <x> in <A>:
        <body>
    =>
    for $k, <x> in enumerate(<A>):
        <body>

    for <Y> in zip(<X>, <Z>):
        <body>
    =>
    for $k, <Y> in enumerate(zip(<X>, <Z>)):
        <body>

arms: a branch written in another way
    if <X>:
        <body>
    =>
    if not (<X>):
        pass
    else:
        <body>

    if <X>:
        <body>
    =>
    $flag = <X>
    if $flag:
        <body>

    if <X>:
        <body>
    =>
    while <X>:
        <body>
        break

    if <X>:
        <body>
    =>
    for _ in range(int(<X>)):
        <body>

    if <X>:
        <body>
    =>
    match bool(<X>):
        case True:
            <body>

    if <X>:
        <body>
    =>
    if <X>:
        if True:
            <body>
"""

"""Rewritings of statements and what is around them: patterns, as patterns.py reads them."""

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

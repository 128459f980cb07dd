"""Rewritings of loops: patterns, as patterns.py reads them."""

LOOPS = r"""
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
"""

"""Rewritings of assignments and returns: patterns, as patterns.py reads them."""

ASSIGNMENTS = r"""
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
"""

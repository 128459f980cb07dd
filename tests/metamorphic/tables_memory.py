"""Rewritings of what shares memory, and of flags as numbers: patterns, as in patterns.py."""

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
"""

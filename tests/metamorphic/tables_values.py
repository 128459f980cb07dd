"""Rewritings of calls, operators and numbers: patterns, as patterns.py reads them."""

VALUES = r"""
method form: a function of NumPy's as a method of its array
    np.sum(<A>) => <A>.sum()
    np.sum(<A>, axis=<Y>) => <A>.sum(axis=<Y>)
    np.sum(<A>, axis=<Y>) => <A>.sum(<Y>)
    np.sum(<A>, axis=<Y>, keepdims=True) => <A>.sum(axis=<Y>, keepdims=True)
    np.mean(<A>) => <A>.mean()
    np.mean(<A>, axis=<Y>) => <A>.mean(axis=<Y>)
    np.mean(<A>, axis=<Y>, keepdims=True) => <A>.mean(axis=<Y>, keepdims=True)
    np.max(<A>) => <A>.max()
    np.max(<A>, axis=<Y>, keepdims=True) => <A>.max(axis=<Y>, keepdims=True)
    np.dot(<A>, <B>) => <A>.dot(<B>)
    <A> @ <B> => <A>.dot(<B>)
    np.var(<A>, axis=<Y>, keepdims=True) => <A>.var(axis=<Y>, keepdims=True)
    np.diag(<M>) => <M>.diagonal()
    np.std(<A>) => <A>.std()
    np.prod(<A>) => <A>.prod()
    np.cumsum(<A>) => <A>.cumsum()
    np.trace(<M>) => <M>.trace()
    np.reshape(<A>, <Y>) => <A>.reshape(<Y>)
    np.clip(<A>, <X>, <Y>) => <A>.clip(<X>, <Y>)

function form: a method of an array as a function of NumPy's
    <A>.sum() => np.sum(<A>)
    <A>.mean() => np.mean(<A>)
    <A>.sum(axis=<Y>) => np.sum(<A>, axis=<Y>)
    <A>.dot(<B>) => np.dot(<A>, <B>)
    <A>.T => np.transpose(<A>)
    <A>.reshape(<Y>) => np.reshape(<A>, <Y>)
    <A>.copy() => np.copy(<A>)
    <A>.max() => np.max(<A>)
    <A>.shape => np.shape(<A>)
    <A>.size => np.size(<A>)
    len(<A>) => <A>.shape[0]
    <A>.shape[0] => len(<A>)
    len(<A>) => np.size(<A>, 0)

another sum: a sum as a reduction, a product with ones, an einsum or a loop
    np.sum(<A>) => np.add.reduce(<A>, axis=None)
    np.sum(<A>) => np.add.reduce(<A>.ravel())
    np.sum(<V>) => np.einsum("i->", <V>)
    np.sum(<M>) => np.einsum("ij->", <M>)
    np.sum(<V>) => <V> @ np.ones(len(<V>))
    np.sum(<V>) => sum(<V>)
    np.sum(<A>) => sum(<A>.flat)
    np.sum(<V>) => functools.reduce(operator.add, <V>)
    np.sum(<A>) => np.cumsum(<A>)[-1]
    np.sum(<A>) => np.mean(<A>) * np.size(<A>)
    np.sum(<A>) => np.nansum(<A>)
    np.sum(<A>, axis=<Y>) => np.add.reduce(<A>, axis=<Y>)
    np.sum(<M>, axis=0) => np.ones(len(<M>)) @ <M>
    np.sum(<M>, axis=1) => np.einsum("ij->i", <M>)
    np.sum(<M>, axis=1) => np.array([sum(row) for row in <M>])
    np.sum(<M>, axis=0) => sum(<M>)
    np.sum(<A> * <B>) => np.vdot(<A>, <B>)
    np.sum(<A> * <A>) => np.linalg.norm(<A>) ** 2
    np.sum(<A> ** 2) => np.square(<A>).sum()
    np.sum(<V> * <W>) => np.inner(<V>, <W>)
    np.sum(<V> * <W>) => sum(p * q for p, q in zip(<V>, <W>))
    np.mean(<A>) => np.sum(<A>) / <A>.size
    np.mean(<A>) => np.average(<A>)
    np.mean(<V>) => sum(<V>) / len(<V>)
    np.mean(<A>, axis=<Y>) => np.sum(<A>, axis=<Y>) / <A>.shape[<Y>]
    np.max(<A>) => np.maximum.reduce(<A>, axis=None)
    np.max(<V>) => max(<V>)
    np.max(<A>, axis=<Y>, keepdims=True) => np.amax(<A>, axis=<Y>, keepdims=True)

ufuncs: an operator as NumPy's function
    <E> + <F> => np.add(<E>, <F>)
    <E> - <F> => np.subtract(<E>, <F>)
    <E> * <F> => np.multiply(<E>, <F>)
    <E> / <F> => np.true_divide(<E>, <F>)
    <E> / <F> => np.divide(<E>, <F>)
    <E> ** <X> => np.power(<E>, <X>)
    <E> ** <X> => np.float_power(<E>, <X>)
    -<E> => np.negative(<E>)
    <A> @ <B> => np.matmul(<A>, <B>)
    <X> * <A> => np.multiply(<X>, <A>)
    <E> > <X> => np.greater(<E>, <X>)
    <E> < <X> => np.less(<E>, <X>)

operator module: an operator as a function of the module operator
    <E> + <F> => operator.add(<E>, <F>)
    <E> - <F> => operator.sub(<E>, <F>)
    <E> * <X> => operator.mul(<E>, <X>)
    <E> / <X> => operator.truediv(<E>, <X>)
    <E> ** <X> => operator.pow(<E>, <X>)
    -<E> => operator.neg(<E>)
    <A> @ <B> => operator.matmul(<A>, <B>)
    <A>[<X>] => operator.getitem(<A>, <X>)
    <A>[<n>] => operator.itemgetter(<n>)(<A>)
    <E> > <X> => operator.gt(<E>, <X>)
    <A>.T => operator.attrgetter("T")(<A>)
    <A>.sum() => operator.methodcaller("sum")(<A>)
    <X> + <E> => operator.iadd(<X>, <E>)
    <A>.shape[0] => operator.length_hint(<A>)

out: what a function makes goes into an array that is there
    np.exp(<A>) => np.exp(<A>, out=np.empty_like(<A>))
    np.tanh(<A>) => np.tanh(<A>, out=np.zeros_like(<A>))
    np.sqrt(<A>) => np.sqrt(<A>, np.empty(<A>.shape))
    np.log(<A>) => np.log(<A>, out=<A>.copy())
    np.sin(<A>) => np.sin(<A>, out=<A>.copy())
    <A> * <X> => np.multiply(<A>, <X>, out=np.empty_like(<A> * <X>))
    <A> + <X> => np.add(<A>, <X>, out=(<A> + <X>))
    <A> @ <B> => np.matmul(<A>, <B>, out=np.empty_like(<A> @ <B>))
    np.sum(<A>, axis=0) => np.sum(<A>, axis=0, out=np.empty(<A>.shape[1:]))
    np.maximum(<A>, <X>) => np.maximum(<A>, <X>, out=np.empty_like(<A>))

powers: squares, roots and quotients by their other names
    <E> ** 2 => <E> * <E>
    <E> ** 2 => np.square(<E>)
    <E> ** 2 => <E> ** 2.0
    <E> ** 2 => pow(<E>, 2)
    <E> * <E> => <E> ** 2
    <E> * <E> => np.square(<E>)
    <E> * <E> => abs(<E>) ** 2
    np.sqrt(<E>) => <E> ** 0.5
    np.sqrt(<E>) => np.power(<E>, 1 / 2)
    np.sqrt(<S>) => math.sqrt(<S>)
    np.exp(<S>) => math.exp(<S>)
    np.log(<S>) => math.log(<S>)
    np.sqrt(<E>) => np.exp(0.5 * np.log(<E>))
    np.exp(<E>) => np.e ** <E>
    np.exp(<E>) => np.expm1(<E>) + 1
    np.exp(<E>) => np.exp2(<E> / np.log(2.0))
    np.log(<E>) => np.log2(<E>) * np.log(2.0)
    np.log(<E>) => np.log1p(<E> - 1)
    np.tanh(<E>) => np.sinh(<E>) / np.cosh(<E>)
    np.tanh(<E>) => 1 - 2 / (np.exp(2 * <E>) + 1)
    <X> / <E> => <X> * <E> ** -1
    <X> / <E> => <X> * (1 / <E>)
    <X> / <E> => <X> * np.reciprocal(<E>)
    <E> - <F> => <E> + -<F>
    <E> - <F> => -(<F> - <E>)
    <E> - <F> => <E> + (-1) * <F>
    <E> + <F> => <F> + <E>
    <E> + <F> => <E> - (-<F>)
    <E> * <F> => <F> * <E>
    np.abs(<E>) => np.fabs(<E>)
    np.abs(<E>) => abs(<E>)
    np.abs(<E>) => np.sqrt(<E> ** 2)
    np.abs(<E>) => np.maximum(<E>, -<E>)
    np.abs(<E>) => <E> * np.sign(<E>)
    np.maximum(<E>, 0) => <E> * (<E> > 0)
    np.maximum(<E>, <X>) => np.where(<E> > <X>, <E>, <X>)
    np.maximum(<E>, <X>) => np.fmax(<E>, <X>)
    np.maximum(<E>, <X>) => np.clip(<E>, <X>, None)
    np.maximum(<E>, <X>) => np.clip(<E>, a_min=<X>, a_max=np.inf)
    np.where(<X>, <E>, <F>) => np.where(np.logical_not(<X>), <F>, <E>)
    np.where(<X>, <E>, <F>) => <X> * <E> + (1 - <X>) * <F>
    np.where(<X>, <E>, <F>) => np.choose(<X>, [<F>, <E>])
    np.where(<X>, <E>, <F>) => np.select([<X>], [<E>], default=<F>)

products: products of arrays by their other names
    <A> @ <B> => np.dot(<A>, <B>)
    <V> @ <W> => np.inner(<V>, <W>)
    <V> @ <W> => np.sum(<V> * <W>)
    <V> @ <W> => np.einsum("i,i->", <V>, <W>)
    <V> @ <W> => np.einsum("i,i", <V>, <W>)
    <V> @ <W> => np.tensordot(<V>, <W>, axes=1)
    <M> @ <V> => np.einsum("ij,j->i", <M>, <V>)
    <M> @ <V> => np.sum(<M> * <V>, axis=1)
    <M> @ <V> => np.array([row @ <V> for row in <M>])
    <M> @ <V> => np.matmul(<M>, <V>[:, None])[:, 0]
    <M> @ <V> => (<M> @ <V>.reshape(-1, 1)).ravel()
    <M> @ <V> => <V> @ <M>.T
    <V> @ <M> => np.einsum("i,ij->j", <V>, <M>)
    <V> @ <M> => <M>.T @ <V>
    <M> @ <A> => np.einsum("ij,j...->i...", <M>, <A>)
    <M> @ <A> => np.tensordot(<M>, <A>, axes=([1], [0]))
    <A> @ <M> => (<M>.T @ <A>.T).T
    <A> @ <M> => np.einsum("...j,jk->...k", <A>, <M>)
    <A> @ <M> => np.tensordot(<A>, <M>, 1)
    <A> @ <B> => np.linalg.multi_dot([<A>, <B>])
    <M> @ <A> => np.stack([row @ <A> for row in <M>])

constants: a number written in another way
    <k> => float(<k>)
    <k> => np.float64(<k>)
    <k> => np.array(<k>)
    <k> => int(<k>)
    <k> => -(-<k>)
    <k> => (<k> + 1 - 1)
    <k> => math.prod([<k>])
    <k> => [<k>][0]
    <k> => {"k": <k>}["k"]
    <k> => Fraction(<k>)
    <k> => np.int64(<k>)
    <k> => max(<k>, <k>)
    <k> => complex(<k>).real
    <k> => float("<k>")
    <k> => operator.index(<k>)

    <k>
    above:
    $K = <k>
    =>
    $K

    <k>
    above:
    class $Settings:
        value = <k>
    =>
    $Settings.value

    <k>
    above:
    class $Kind(enum.Enum):
        ONE = <k>
    =>
    $Kind.ONE.value

    <k>
    above:
    $table = {"rate": <k>, "other": 0.0}
    =>
    $table["rate"]

    <k>
    above:
    $K = np.array([<k>, 0.5])
    =>
    $K[0]

    <k>
    above:
    $settings = types.SimpleNamespace(rate=<k>)
    =>
    $settings.rate

    <k>
    above:
    def $rate():
        return <k>
    =>
    $rate()

comparisons: a condition written in another way
    <X> > <Y> => <Y> < <X>
    <X> > <Y> => not <X> <= <Y>
    <X> < <Y> => not (<X> >= <Y>)
    <X> < <Y> => <X> - <Y> < 0
    <X> < <Y> => bool(<X> < <Y>)
    <S> < <T> => np.sign(<S> - <T>) == -1
    <X> < <Y> => (<X> < <Y>) is True
    <X> > <Y> => all([<X> > <Y>])
    <X> > <Y> => any((<X> > <Y>, False))
    <X> > <Y> => (<X> > <Y> and True)
    <X> > <Y> => (False or <X> > <Y>)
    <X> > <Y> => np.any(<X> > <Y>)
    <X> > <Y> => (<X> > <Y>).astype(bool)
    <X> > <Y> => np.logical_and(<X> > <Y>, True)
    <X> == <Y> => not <X> != <Y>
    <X> if <Y> else <Z> => <Z> if not <Y> else <X>
    <X> if <Y> else <Z> => (<Z>, <X>)[bool(<Y>)]
    <X> if <Y> else <Z> => {True: <X>, False: <Z>}[bool(<Y>)]
    <X> if <Y> else <Z> => (<Y> and [<X>] or [<Z>])[0]
"""

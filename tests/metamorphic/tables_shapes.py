"""Rewritings of keys, shapes and conversions: patterns, as patterns.py reads them."""

SHAPES = r"""
transposes: transposes by their other names
    <M>.T => <M>.transpose()
    <M>.T => <M>.transpose(1, 0)
    <M>.T => <M>.swapaxes(0, 1)
    <M>.T => np.swapaxes(<M>, 0, -1)
    <M>.T => np.moveaxis(<M>, 0, 1)
    <M>.T => np.einsum("ij->ji", <M>)
    <M>.T => np.array([<M>[:, j] for j in range(<M>.shape[1])])
    <M>.T => np.stack(list(zip(*<M>)))
    <M>.T => np.rot90(<M>)[::-1]
    <M> => <M>.T.T
    <M> => np.swapaxes(np.swapaxes(<M>, 0, 1), 0, 1)
    <A>.T => np.transpose(<A>, range(<A>.ndim)[::-1])
    <A>.swapaxes(<X>, <Y>) => np.swapaxes(<A>, <X>, <Y>)

keys: entries and slices by their other names
    <V>[<n>] => <V>[(<n>,)]
    <V>[<n>] => <V>[<n> - len(<V>)]
    <V>[<n>] => np.take(<V>, <n>)
    <V>[<n>] => <V>.take(<n>)
    <V>[<n>] => <V>[<n>, ...]
    <V>[<n>] => <V>.item(<n>)
    <V>[<n>] => <V>.tolist()[<n>]
    <V>[<n>] => <V>[<n> : <n> + 1][0]
    <V>[<n>] => <V>[[<n>]][0]
    <V>[<n>] => list(<V>)[<n>]
    <V>[<n>] => <V>.__getitem__(<n>)
    <V>[<n>] => <V>.flat[<n>]
    <V>[<n>] => (np.arange(len(<V>)) == <n>) @ <V>
    <M>[<n>] => <M>[<n>, :]
    <M>[<n>] => <M>[<n>, ...]
    <M>[<n>] => <M>[np.s_[<n>]]
    <M>[<n>] => np.take(<M>, <n>, axis=0)
    <M>[<n>] => <M>[<n>, slice(None)]
    <M>[<n>] => <M>[np.array([<n>])][0]
    <M>[<n>, <m>] => <M>[<n>][<m>]
    <M>[<n>, <m>] => <M>[(<n>, <m>)]
    <M>[<n>, <m>] => <M>.item(<n>, <m>)
    <M>[<n>, <m>] => <M>.ravel()[<n> * <M>.shape[1] + <m>]
    <A>[<X>:] => <A>[slice(<X>, None)]
    <A>[:<X>] => <A>[slice(<X>)]
    <A>[:<X>] => <A>[0:<X>]
    <A>[<X>:<Y>] => <A>[np.s_[<X>:<Y>]]
    <A>[<X>:<Y>] => <A>[<X>:<Y>:1]
    <A>[<X>:<Y>] => <A>[<X>:<Y>, ...]
    <A>[<X>:] => <A>[np.arange(<X>, len(<A>))]
    <A>[<X>:] => np.take(<A>, range(<X>, len(<A>)), axis=0)
    <A>[<X>:] => np.delete(<A>, range(<X>), axis=0)
    <A>[<X>:] => <A>[np.arange(len(<A>)) >= <X>]
    <A>[<X>:] => np.split(<A>, [<X>])[1]
    <A>[<X>:<Y>] => <A>[<X>:][: <Y> - <X>]
    <A>[:-1] => <A>[: len(<A>) - 1]
    <A>[:-1] => <A>[np.arange(len(<A>)) < len(<A>) - 1]
    <A>[1:] - <A>[:-1] => np.diff(<A>)
    <V>[:, None] => <V>[:, np.newaxis]
    <V>[:, None] => <V>.reshape(-1, 1)
    <V>[:, None] => np.expand_dims(<V>, 1)
    <V>[:, None] => np.atleast_2d(<V>).T
    <V>[:, None] => <V>[..., None]
    <V>[None, :] => <V>[None]
    <V>[None, :] => <V>[np.newaxis]
    <V>[None, :] => <V>.reshape((1, -1))
    <A>[<X>, :] => <A>[<X>]
    <A>[:, <n>] => <A>[..., :, <n>]
    <M>[:, <n>] => <M>.T[<n>]
    <M>[:, <n>] => np.take(<M>, <n>, axis=1)
    <M>[:, <n>] => np.array([row[<n>] for row in <M>])
    <M>[:, <n>] => <M>[:, [<n>]].squeeze(axis=1)
    <M>[:, <n>] => <M>[slice(None), <n>]
    <A>[<X>] => <A>[<X>, ...]

shapes: reshapes and concatenations that come to nothing
    <A> => <A>.reshape(-1).reshape(<A>.shape)
    <A> => np.ravel(<A>).reshape(<A>.shape)
    <A> => <A>.flatten().reshape(*<A>.shape)
    <A> => <A>[None][0]
    <A> => np.expand_dims(<A>, -1)[..., 0]
    <A> => np.squeeze(<A>[None], axis=0)
    <A> => np.stack([<A>])[0]
    <A> => np.array([<A>, <A>])[1]
    <A> => np.concatenate([<A>[:1], <A>[1:]])
    <A> => np.concatenate((<A>, <A>))[: len(<A>)]
    <V> => np.append(<V>[:-1], <V>[-1])
    <V> => np.r_[<V>[:1], <V>[1:]]
    <V> => np.hstack([<V>[:2], <V>[2:]])
    <M> => np.vstack(list(<M>))
    <M> => np.vstack([<M>[0], <M>[1:]])
    <A> => np.roll(np.roll(<A>, 1), -1)
    <A> => <A>[::-1][::-1]
    <A> => np.flip(np.flip(<A>))
    <A> => np.array(list(<A>))
    <A> => np.asarray([row for row in <A>])
    <V> => np.array([v for v in <V>])
    <V> => np.array(<V>.tolist())
    <V> => np.fromiter(<V>, dtype=float)
    <V> => np.fromiter((v for v in <V>), float, count=len(<V>))
    <A> => np.tile(<A>, 1).reshape(<A>.shape)
    <A> => np.repeat(<A>, 1, axis=0)
    <A> => np.broadcast_to(<A>, <A>.shape)
    <A> => np.broadcast_arrays(<A>, <A>)[0]
    <A> => np.pad(<A>, 1)[(slice(1, -1),) * <A>.ndim]
    <A> => np.array_split(<A>, 1)[0]
    <V> => np.concatenate(np.split(<V>, len(<V>)))
    <V> => np.diag(np.diag(<V>))
    <M> => np.triu(<M>) + np.tril(<M>, -1)
    <V> => np.block([<V>[:1], <V>[1:]])

casts: conversions that come to nothing
    <E> => np.asarray(<E>)
    <E> => np.array(<E>)
    <A> => np.array(<A>, dtype=float, copy=True)
    <A> => <A>.copy()
    <A> => np.ascontiguousarray(<A>)
    <A> => <A>.astype(float)
    <A> => <A>.astype(np.float64, copy=False)
    <A> => np.asanyarray(<A>, dtype=<A>.dtype)
    <E> => np.positive(<E>)
    <E> => +<E>
    <E> => <E> + 0
    <E> => <E> * 1.0
    <E> => 1 * <E>
    <E> => 0.5 * <E> + 0.5 * <E>
    <E> => -(-<E>)
    <E> => np.real(<E>)
    <E> => np.where(True, <E>, 0.0)
    <E> => (<E> if True else None)
    <E> => np.float64(1.0) * <E>
    <A> => np.nan_to_num(<A>)
    <A> => np.atleast_1d(<A>)
    <A> => copy.copy(<A>)
    <A> => copy.deepcopy(<A>)
    <S> => float(<S>)
    <S> => np.float64(<S>)
    <S> => np.asarray(<S>)[()]
    <S> => np.array(<S>).item()
    <S> => np.array([<S>])[0]
    <S> => sum([<S>])
    <S> => max(<S>, <S>)
    <S> => np.sum(<S>)
    <S> => np.full(3, <S>)[1]
    <S> => np.full((), <S>)
    <A> => sum([<A>, np.zeros_like(<A>)])
    <A> => np.maximum(<A>, -np.inf)
    <A> => np.sort(<A>.ravel())[np.argsort(np.argsort(<A>.ravel()))].reshape(<A>.shape)
"""

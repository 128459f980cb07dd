"""Statements with calls in them that change something, wherever a call can stand.

`p` is an instance: `p.n` counts its calls, `p.t` is what `p.add` put together. What is
read twice, too early, or where Python does not read it at all, is counted wrongly.
"""

IN_PLACE = """
p.add(x[0]).add(x[1])
p.lst().append(x[1])
p.lst().extend([x[1], p.val(2.)])
p.lst()[p.num()] = x[1]*3
p.lst()[p.num()] += x[1]*3
p.lst().pop()
p.lst().reverse()
p.lst().clear(); p.l.append(x[0])
p.dic()['a'] = x[0]*p.val(2.)
p.dic()['a'] *= x[0]
p.dic().update(a=x[0]**2)
p.dic().update({'c': x[0]**2}); r = p.d['c']
p.dic().setdefault('q', x[1]*x[0]); r = p.d['q']
p.arr().fill(x[0])
p.arr().sort()
p.arr()[...] = x*x
p.arr()[p.num()] = x[1]*x[1]
p.arr()[p.num():] *= 2
p.arr()[:p.num()] += x[1]
p.arr()[p.num()] += p.arr()[p.num()]
p.arr()[[p.num(), p.num()]] = x[1]**2
p.arr()[[0,p.num()]] += x[1]**2
p.arr()[p.arr() > 0] *= x[0]
p.arr()[np.array([True,False,p.num()>0])] = x[0]
p.mat()[p.num()][p.num()] = x[2]**2
p.mat()[p.num(), p.num()] *= x[2]**2
p.mat()[p.num()][:2] = x[:2]**2
p.mat().T[p.num()][:2] *= x[:2]**2; r=np.sum(p.m*p.m)
p.mat()[:, p.axis()] = x*x; r=np.sum(p.m*p.m)
np.add.at(p.arr(), [0, p.num()], x[:2])
np.add.at(p.arr(), p.num(), x[0])
np.subtract.at(p.arr(), [0, p.num()], p.val(x[0]))
np.add(p.arr(), p.val(1.), out=p.arr())
np.multiply(p.arr(), x, p.arr())
np.copyto(p.arr(), p.val(x))
np.fill_diagonal(p.mat(), p.val(x[0])); r=np.sum(p.m*p.m)
p.obj().up(x[0]); r = p.q.s
p.obj().up(x[0]).up(x[1]).up(p.val(2.)); r = p.q.s
p.obj().s = x[0]*p.val(2.); r = p.q.s
p.obj().s *= x[0]*3; r = p.q.s
p.obj().s += p.obj().s*x[1]; r = p.q.s
p.obj().dbl = x[1]*x[2]; r = p.q.s
p.obj().dbl *= x[1]; r = p.q.s
p.obj().k += 1; r = p.q.k*x[0]
p.dat()[p.num()] = x[1]; r = p.dd.u
p.dat()[p.num()] += x[1]; r = p.dd.u
p.dat().u += x[1]*p.dat().u; r = p.dd.u
p.fn()(x[0])
(a, b), c = p.tup(), p.val(2.); r = a*b[0]*c
del p.dic()['a']; r = p.d['b']
p.add(x[0]).arr()[p.num()] = p.add(x[1]).get()
p.add(x[0]).arr()[p.num()] *= p.add(x[1]).get()
p.add(p.add(x[0]).add(x[2]).get()).add(p.get())
p.add(x[0]).lst().append(p.add(x[1]).get()); r = p.l[-1]
p.add(x[0]).obj().up(p.get()).up(x[1]); r = p.q.s
p.add(x[0]).dic()['a'] *= p.add(x[1]).get(); r = p.d['a']
p.add(x[0]).q.up(x[1]); r = p.q.s
p.add(x[0]).l.append(x[1]); r = p.l[-1]
p.add(x[0]).a.sort(); r = p.a[0]
p.add(x[0]).a.fill(p.val(x[0])); r = p.a[0]
p.add(x[0]).a.T[:] = x*x; r = p.a[0]
p.add(x[0]).add(x[1]).q.s = x[1]**2; r = p.q.s
p.add(x[0]).add(x[1]).n += 1; r = p.n*x[0]
p.val(x[0])
os_ = [p.q, Sum()]; os_[p.num()].up(x[0]); r = os_[1].s
os_ = {'a': p.q, 'b': Sum()}; os_[p.key()].s += x[0]; r = p.q.s
ls = [p.l, [x[0]]]; ls[p.num()].append(x[1]); r = ls[1][-1]
ls = [p.l, [x[0]]]; ls[p.num()].extend(p.lst()); r = ls[1][-1]
ls = [p.a, x*2]; ls[p.num()][p.num()] *= x[1]; r = ls[1][2]
ls = [p.a, x*2]; ls[p.num()].fill(x[1]); r = ls[1][2]
ls = [p.a, x*2]; ls[p.num()].sort(); r = ls[1][2]
ls = [p.a, x*2]; ls[p.num()] = ls[p.num()]*ls[p.axis()]; r = ls[1][2]
ls = [p.dd, Datum(x[1])]; r = ls[p.num()](x[1])
ls = [p.dd, Datum(x[1])]; r = ls[p.num()][p.num()]
ls = [p.dd, Datum(x[1])]; ls[p.num()].u *= x[2]; r = ls[1].u
ls = [p.dd, Datum(x[1])]; ls[p.num()][2] = x[2]; r = ls[1].u
ls = [p.dd, Datum(x[1])]; r = sum(ls[p.num()])
(p.obj() if p.num() else p.obj()).s = x[0]**2; r = p.q.s
(p.lst() if p.num() else p.lst()).append(x[0]); r = p.l[-1]
p.arr().sort(axis=p.axis()); r = p.a[p.num()]
p.mat().sort(axis=p.axis()); r = np.sum(p.m*np.arange(9.).reshape(3,3))
p.mat()[p.num()].sort(); r = np.sum(p.m*np.arange(9.).reshape(3,3))
p.mat()[p.num()].fill(p.val(x[0])); r = np.sum(p.m*np.arange(9.).reshape(3,3))
p.mat().T[p.num()].fill(p.val(x[0])); r = np.sum(p.m*np.arange(9.).reshape(3,3))
p.mat()[p.num(), :2] += p.arr()[p.num():][:2]; r = np.sum(p.m*np.arange(9.).reshape(3,3))
p.mat()[p.num()] *= p.mat()[p.num()]; r = np.sum(p.m*np.arange(9.).reshape(3,3))
p.mat()[p.num()][p.num()] *= p.mat()[p.num()][p.num()]; r = np.sum(p.m*np.arange(9.).reshape(3,3))
p.mat()[p.num()], p.mat()[p.num()] = p.mat()[p.num()]*1, p.mat()[p.num()]*2; r = np.sum(p.m*np.arange(9.).reshape(3,3))
p.arr()[p.num()], p.q.s = p.val(x[0]), p.val(x[1]); r = p.q.s
p.arr()[p.num()] = p.obj().s = p.val(x[0]); r = p.q.s
p.l[p.num()], p.l[p.num()] = p.l[p.num()], p.val(x[1]); r = p.l[1]
p.dic()[p.key()] = p.dic()[p.key()]*p.val(x[0]); r = p.d['a']
p.dic()[p.key()], p.n = p.val(x[0]), p.n+1; r = p.d['a']
p.a[p.num()] -= p.a[p.num()]*p.a[p.num()]
p.a[p.num():p.num()+2] **= p.num()
p.a[::p.num()] /= p.val(3.)
p.a[p.num()] = p.a[p.num()] = p.val(x[0])
p.n += p.num(); r = x[0]*p.n
p.t += p.add(x[0]).t*x[1]; r = p.t
p.t = p.add(x[0]).t + p.t*x[1]; r = p.t
p.q.s += p.obj().up(x[0]).s*2; r = p.q.s
p.q.dbl += p.obj().up(x[0]).s*2; r = p.q.s
p.a += p.arr()*p.val(1.)
p.l += [p.val(x[0])]; r = p.l[-1]
p.lst().extend(p.arr()); r = p.l[-1]
p.lst().append(p.lst().pop()); r = p.l[-1]*p.l[0]
"""
TESTS = """
r = x[0] if hasattr(p.obj(), 's') else x[1]
r = x[0] if isinstance(p.obj(), P) else x[1]*x[1]
r = x[0] if isinstance(p.dat(), Datum) else x[1]*x[1]
r = x[0] if p.dat() else x[1]*x[1]
r = x[0] if not p.dat() else x[1]*x[1]
r = x[0] if p.non() is None else x[1]
r = x[0] if p.val(1) is None else x[1]
r = p.non() or x[0]
r = p.non() or p.dat().u
r = x[0] if p.dat() == p.dat() else x[1]**2
r = x[0] if 1 in p.dat() else x[1]**2
r = (p.fn() if p.num() else p.fn())(x[1])
r = (p.non() or p.fn())(x[1])
r = sum(p.val(v) for v in p.lst() if p.num())
r = x[0] if 0 < p.val(x[1]) < 3 else x[1]*2
r = x[0] if p.val(1.) < p.val(1.) < p.val(1.) else x[1]*2
r = x[0] if p.num() in (1, p.num()) else x[1]
r = x[0] if 'a' in p.dic() else x[1]
r = x[0] if x[0] in p.lst() else x[1]
r = x[0] if p.msg() == 'ab' else x[1]
r = x[0] if p.msg().startswith('a') else x[1]
r = x[0] if p.tup()[0] > 0 and p.tup()[1][1] > 0 else p.val(x[1])
r = x[0] if any([p.val(1.) > 2, p.val(1.) > 1]) else x[1]
r = x[0] if np.any(p.arr() > 0) else x[1]
r = x[0] if (p.arr() > 0).all() else x[1]*x[1]
if p.val(x[0]) > 9: r = x[0]
if p.num() == 2: r = x[0]
while p.val(1.) < 3: r = x[0]*p.n
while p.add(2.5 + x[0]*x[0]).t < 4: r = p.t
while p.num() != 2 and p.val(1) < 5: r = x[0]
r = x[0]*(0. < p.val(x[1]) < 3)
r = (0. < p.val(x[1]) < p.val(x[0]))*x[0]
if p.num() == 2 and p.add(x[0]).n > 0: r = x[0]
if p.num() == 1 or p.add(x[0]).n > 0: r = x[0]
if p.num() == 2 or p.add(x[0]).n > 0: r = x[0]
if p.num() == 5 and p.arr()[0] > 0 or p.num() == 2: r = x[0]
if p.num() == 5 < p.num() < p.num(): r = x[0]
if not (p.num() == 2 and p.num() == 3): r = x[0]
if x[0] > 5 and p.num() == 1: r = x[0]
if x[0] < 5 and p.num() == 1: r = x[0]
if x[0] > 5 or p.num() == 1: r = x[0]
if x[0] < 5 or p.num() == 1: r = x[0]
if x[0] > 5 > p.num(): r = x[0]
if x[0] > 0 > p.val(x[0]): r = x[0]
if x[0] > 0 and x[1] > 5 and p.num(): r = x[0]
while x[0] > 5 and p.num() == 1: r = x[0]
while p.n < 4 and p.num() != 0: r = x[0]
while p.n < 4 and (p.num() != 0 or p.num()): p.add(x[0])
while p.t < 4 and p.add(2.5 + x[0]*x[0]).t < 4: r = p.t
while not (p.t > 4 or p.add(2.5 + x[0]*x[0]).t > 3): r = p.t
while 0 <= p.t < p.val(4.) and p.n < 9: p.add(x[0])
r = x[0] if x[0] > 5 and p.num() == 1 else x[1]
r = x[0] if x[0] < 5 or p.num() == 1 else x[1]
r = [v for v in x if v > 0 and p.val(v) > 0][0]
r = sum(v for v in x if v > 1 or p.val(v) > 0)
r = sum(p.val(v) for v in x if v > 1 or p.num() > 0)
assert x[0] < 5 or p.num() == 1; r = x[0]
r = (x[0] > 5 and p.val(x[0])) + (x[0] < 5 or p.val(x[0])) + x[1]
r = (p.arr() if p.num() else p.arr())[p.num()]
r = list(p.dic().keys())[0] == 'a' and x[0]*p.n
r = ' '.join([p.msg(), p.msg()]) == 'ab ab' and x[0]*p.n
r = x[0] if p.msg()[p.axis()] == 'a' else x[1]
r = x[0] if p.msg().upper() in ('AB', p.msg()) else x[1]
r = np.select([p.arr() > 0, p.arr() < 0], [p.arr(), p.val(x)])[0]
"""
ITERATED = """
r = sum(v*2 for k, v in p.dic().items())
r = sum(p.d[k] for k in p.dic())
r = sum(a*b for a, b in zip(p.lst(), p.arr()))
r = sum(i*a for i, a in enumerate(p.arr(), p.num()))
r = sum(a*p.val(1.) for a in reversed(p.lst()))
r = np.sum(np.array([p.val(v) for v in p.arr()]))
r = sum([p.val(v)*w for v in p.lst() for w in p.arr()])
r = 0.; exec_ = [p.val(v) for v in x]; r = exec_[2]*exec_[0]
for v in p.arr(): p.add(v)
for v in p.lst(): p.add(v).add(p.val(v))
for i in range(p.num(), p.num()+2): p.add(x[i%3]*i)
for i, v in enumerate(p.lst()): p.a[i] = v*p.val(1.)
for k in p.dic(): p.add(p.d[k])
for k, v in p.dic().items(): p.add(v)
for p.a[p.num()] in [x[0]*2, x[1]*3]: p.add(p.a[0])
for v in reversed(p.arr()): p.add(v)
for v in sorted(p.arr()): p.add(v)
r = sum(i*a for i, a in enumerate(p.arr(), start=p.num()))
for i, a in enumerate(p.arr(), start=p.num()): p.add(a*i)
r = sum(i*a for i, a in zip(range(p.num(), 9), p.arr()))
r = sum(a*b for a, b in zip(reversed(p.arr()), p.lst()))
r = [v*2 for v in reversed(p.arr())][0]
r = [v*2 for v in list(reversed(p.arr()))][0]
r = sum(v for v in p.arr()[p.num():])
r = sum(v for v in p.arr()[p.num():][::-1])
for v in p.arr()[p.num():]: p.add(v)
for i in range(p.num(), len(p.arr()), p.num()-1): p.add(x[i])
for i in range(len(p.lst())): p.add(x[i])
r = sum(p.arr()[i] for i in range(p.num(), 3))
r = np.sum([a*b for a, b in zip(p.arr(), p.lst())])
r = {k: v*p.val(1.) for k, v in p.dic().items()}['b']
r = {k: p.val(1.) for k in p.dic()}['b']*x[0]
r = [f(x[0]) for f in (p.fn(), p.fn())][p.num()%2]
r = sum(f(p.val(1.)) for f in [p.fn(), p.fn()])*x[0]
"""
READ = """
r = p.lst().pop()*p.lst().pop(0)
r = p.dic().get('a')*p.dic()['b']
r = p.dic().get('zz', p.val(x[0]))
r = p.dic().pop('a')
r = p.dic().setdefault('q', x[1]*x[0])
r = sum(p.dic().values())
r = p.d[p.key()]*2
r = np.multiply(p.arr(), x, out=p.arr())[p.num()]
r = np.cumsum(p.arr(), out=p.arr())[1]
r = getattr(p.obj(), 's')*x[0]
r = getattr(p.obj(), 'zz', x[0])
r = p.dat()[p.num()]
r = len(p.dat())*x[0]
r = p.dat()(x[0])
r = sum(p.dat())
u, v = p.dat(); r = u*v*x[1]
r = float(p.dat())
r = p.pnt().a*p.pnt()[1]
r = p.pnt()._replace(a=p.val(x[2])).both()
r = p.pnt().both()
r = p.pnt()._asdict()['a']
a_, b_ = p.pnt(); r = a_*b_
r = p.fn()(x[0])
r = p.fn()(p.fn()(x[0]))
r = {'k': p.fn()}['k'](p.val(x[0]))
r = (lambda z: z*z)(p.val(x[0]))
r = (lambda z=p.val(x[0]): z*z+z)()
r = functools.partial(p.fn(), p.val(x[0]))()
r = functools.reduce(lambda a, b: a*b, p.lst())
r = functools.reduce(lambda a, b: a*b+p.val(1.), p.lst(), p.val(x[0]))
r = sum(map(p.fn(), p.lst()))
r = sum(map(lambda a, b: a*b, p.lst(), p.arr()))
r = sum(sorted(p.lst())[:2])
r = max(p.lst())*min(p.lst())
r = max(p.val(x[0]), p.val(x[1]))
r = min(p.val(x[0]), p.val(x[1]), key=lambda z: -z)
r = max(p.lst(), key=p.fn())
r = sum(p.arr())
r = sum(p.lst(), p.val(x[0]))
r = np.sum(p.arr(), axis=p.axis())
r = p.arr().sum(axis=p.axis())
r = p.mat().sum(axis=p.axis())[p.num()]
r = np.sum(p.mat()[p.num()])
r = np.concatenate([p.arr(), p.arr()])[p.num()]
r = np.sum(np.where(p.arr() > 0, p.val(x), p.arr()))
r = np.dot(p.arr(), p.arr())
r = p.arr() @ p.mat() @ p.arr()
r = p.arr().dot(p.arr())
r = p.arr().reshape(-1, p.axis()+1)[p.num(), 0]
r = p.arr().shape[p.axis()]*x[0]
r = p.arr().size*x[0]*p.mat().ndim
r = len(p.arr())*x[0] + len(p.lst())
r = p.arr().T[p.num()]
r = p.arr().copy()[p.num()]*2
r = p.arr().item(p.num())
r = p.arr()[p.num()].item()
r = float(p.arr()[p.num()])
r = p.arr().max()*p.arr().min()
r = p.arr().astype(float)[p.num()]
r = np.clip(p.arr(), p.val(0.), p.val(1.))[0]
r = p.arr().clip(p.val(-0.1), p.val(9.))[0]
r = p.val(x[0])**2
r = p.val(x[0])**p.num()
r = p.val(x[0]) % p.val(0.4)
r = p.val(x[0]) // p.val(0.4) + x[0]
r = divmod(p.val(x[0]), p.val(0.4))[1]
r = abs(p.val(x[2]))
r = round(p.val(x[0]), 1) + pow(p.val(x[0]), 2)
r = x[0]*(p.num() == p.num())
r = {'ab': x[0], 'c': x[1]}[p.msg()]
r = x[p.num()]*x[p.num()]
r = x[p.num():][0]
r = x[-p.num()]
r = x[p.num():p.num()+2].sum()
r = x[[p.num(), p.num()]].sum()
r = x[::p.num()+1].sum()
r = x[(p.num(),)]
r = x[..., p.num()]
r = np.take(x, [p.num(), p.num()])[1]
y = [p.val(x[0]), p.val(x[1])]; r = y[0]*y[1]
y = {'a': p.val(x[0]), **p.dic()}; r = y['a']
y = [*p.lst(), p.val(x[0])]; r = y[-1]*y[0]
a, b = p.val(x[0]), p.val(x[1]); r = a*b
a, b, c = p.arr(); r = a*b
a, *b = p.lst(); r = a*b[0]
a = b = p.val(x[0]); r = a*b
a = p.a[p.num()] = p.val(x[0]); r = a
r = 1.; r *= p.val(x[0]); r -= p.val(x[1])
r = (q := p.val(x[0]))*q
r = f2(p.val(x[0]), k=p.val(x[1]))
r = f2(*[p.val(x[0])], **{'k': p.val(x[1])})
r = f2(*p.lst()[:2])
r = p.tup()[p.axis()]*p.tup()[1][0]
r = np.sum(np.vectorize(p.fn())(p.arr()))
r = np.einsum('i,i->', p.arr(), p.arr())
r = np.stack([p.arr(), x])[p.num()%2].sum()
r = np.outer(p.arr(), p.arr())[p.num(), p.num()]
r = operator.mul(p.val(x[0]), p.val(x[1]))
r = operator.itemgetter(1)(p.lst())
r = operator.attrgetter('s')(p.obj())*x[0]
r = math.hypot(p.val(x[0]), p.val(x[1]))
r = list(p.arr())[p.num()]
r = tuple(p.lst())[p.num()]
r = dict(p.dic(), c=p.val(1.))['a']
r = dict(zip('ab', p.arr()))['b']
r = list(itertools.accumulate(p.lst(), lambda a, b: a*b))[2]
assert p.num() == 1; r = x[0]
elif_ = p.num(); r = x[0]*elif_
r = p.add(x[0]).add(x[1]).t*p.add(x[2]).n
r = p.add(x[0]).arr()[p.num()]
fs = {'a': p.fn(), 'b': p.fn()}; r = fs[p.key()](x[1])
r = functools.partial(f2, p.val(x[0]), k=p.val(x[1]))()
r = functools.partial(f2, *[p.val(x[0])], **{'k': p.val(x[1])})()
r = list(reversed(p.lst()))[0]*list(reversed(p.arr()))[1]
r = sum(list(p.lst()))*sum(tuple(p.arr()))
r = p.lst().copy()[p.num()]
r = p.dic().copy()['a']
r = len(p.dic().keys())*x[0]
r = p.dic().popitem()[1]
r = sum(p.pnt())
r = max(*p.pnt(), p.val(x[0]))
r = np.maximum(*p.pnt())
r = np.array(p.pnt()).sum()
r = np.array([p.lst(), p.lst()]).sum()
r = np.array(p.lst())[p.num()]
r = np.asarray(p.arr())[p.num()]
r = np.full(p.num()+1, p.val(x[0])).sum()
r = np.zeros_like(p.arr())[0] + x[0]
r = np.arange(p.num(), 9)[p.num()]*x[0]
r = np.linspace(p.val(x[0]), p.val(x[1]), p.num()+3)[p.num()]
r = np.interp(p.val(x[0]), p.arr()*0+np.arange(3.), x)
r = np.split(p.arr(), [p.num()])[0].sum()
r = np.tile(p.arr(), p.num()+1)[2]
r = np.repeat(p.arr(), p.num()+1)[2]
r = np.roll(p.arr(), p.num())[2]
r = np.flip(p.arr())[p.num()]
r = np.apply_along_axis(p.fn(), p.axis(), p.arr())[0]
r = np.piecewise(p.arr(), [p.arr() > 0], [p.fn(), 0.])[0]
r = np.choose([0, 1, 0], [p.arr(), p.val(x)])[1]
r = np.ravel(p.mat())[p.num()]*p.mat().ravel()[p.num()]
r = p.mat().reshape(-1)[p.num()]
r = p.mat().T @ p.arr() @ x
r = p.mat()[np.ix_([p.num(), 0], [p.num()])].sum()
r = p.mat()[p.arr() > 0].sum()
r = p.mat()[p.arr() > 0, p.num()].sum()
r = (p.arr() > 0).sum()*x[0]
r = np.sum(p.arr(), where=p.arr() > 0)
r = np.sum(p.arr(), initial=p.val(x[0]))
r = np.sum(p.arr()[p.arr().argsort()][:p.num()])
r = p.arr()[p.arr().argmax()]
r = p.arr()[np.argmin(p.arr())]*p.num()
r = (lambda *a, **k: a[0]*k['z'])(p.val(x[0]), z=p.val(x[1]))
r = (lambda a, b=p.val(x[1]): a*b)(*[p.val(x[0])])
r = (lambda: p.val(x[0]))() * (lambda: p.val(x[1]))()
r = (lambda f: f()*f())(lambda: p.val(x[0]))
r = (lambda s: s.add(x[0]).add(x[1]).get())(p.add(1.))
r = f2(a=p.val(x[0]), k=p.val(x[1]))
r = f2(p.val(x[0]), k=f2(p.val(x[1])))
r = -p.val(x[0]) + +p.val(x[1])
r = x[0]*~p.num()
r = x[0]*(p.num() & 1 | p.num())
r = int(p.val(3.7))*x[0]
r = bool(p.val(3.7))*x[0]
r = np.float64(p.val(x[0]))
r = isinstance(p.val(x[0]), float)*x[0]
r = callable(p.fn())*x[0]
r = np.isscalar(p.val(1.5))*x[0]
r = np.ndim(p.arr())*np.shape(p.arr())[0]*np.size(p.arr())*x[0]
r = slice(p.num(), p.num()+1); r = x[r][0]
r = x[slice(p.num(), None)][0]
r = 0.; r += p.add(x[0]).add(x[1]).t; r *= p.add(x[2]).t
r = math.sqrt(p.val(x[0])) + np.sqrt(p.val(x[0])) + math.pow(p.val(x[0]), p.num())
r = math.atan2(p.val(x[0]), p.val(x[1]))
r = math.floor(p.val(x[0]))*x[1]
"""

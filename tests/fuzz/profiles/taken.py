"""Functions of NumPy that are given a list which a loop has made, for an array.

A list of numbers or of rows, appended to, comprehended or extended, is handed to a
function that makes an array of it. Where NumPy takes it, so does the gradient.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.fuzz.case import Case
from tests.fuzz.judge import Verdict, examine
from tests.fuzz.program import Parameter, Program

PROGRAMS = 12
REFUSED_AT_MOST = 0.02
SINGLE = """exp log log1p expm1 sqrt square cbrt sin cos tan tanh sinh cosh arctan arcsin
arcsinh exp2 log2 log10 reciprocal negative positive abs fabs absolute sinc i0 degrees
radians deg2rad nan_to_num arctanh""".split()
PAIRS = """add subtract multiply divide maximum minimum hypot power logaddexp arctan2 fmax
true_divide float_power""".split()
WHOLE = """np.cumsum({L}); np.cumprod({L}); np.flip({L}); np.ravel({L}); np.copy({L})
np.diff({L}); np.roll({L}, 1); np.repeat({L}, 2); np.tile({L}, 2); np.transpose({L})
np.clip({L}, 0.2, 0.8); np.nansum({L}); np.ptp({L}); np.median({L}); np.linalg.norm({L})
np.mean({L}, axis=0)
np.append({L}, 1.0); np.prod({L}, axis=0); np.std({L}); np.var({L}); np.max({L}, axis=0)
np.where(np.greater({L}, 0.5), {L}, 2.0); np.expand_dims({L}, 0); np.sort({L}, axis=0)
np.squeeze({L}); np.where({L}, 1.5, 2.0) * x[0]; np.nanmean({L}); np.average({L})
np.argmax({L}) * x[0]; np.isfinite({L}) * x[0]; np.any(np.isnan({L})) + x[0]
np.all(np.less({L}, 9.0)) * x[0]; np.vander({L}); np.diagflat({L})
np.swapaxes({L}, 0, -1); np.broadcast_to({L}, np.shape({L})); np.full_like({L}, x[0])
np.zeros_like({L}) + x[0]; np.count_nonzero({L}) * x[0]; np.outer({L}, {L})"""
MADE = {
    "append": "L = []\nfor i in range(len(x)):\n    L.append({e})",
    "comprehension": "L = [{e} for i in range(len(x))]",
    "joined": "L = [x[0] * 0.5]\nfor i in range(len(x) - 1):\n    L = L + [{e}]",
    "extended": "L = []\nfor i in range(len(x)):\n    L.extend([{e}])",
    "added": "L = [x[-1]]\nfor i in range(1, len(x)):\n    L += [{e}]",
}
ENTRIES = "x[i] * x[i]", "np.sin(x[i])", "x[i]", "0.5 * x[i] + 0.1", "x[i] * x[0]"
ONLY_NUMBERS = ("vander", "diagflat", "squeeze")


def forms() -> tuple[str, ...]:
    """What is written with the list L."""
    ones = tuple(f"np.{name}({{L}})" for name in SINGLE)
    twos = tuple(f"np.{n}({a})" for n in PAIRS for a in ("{L}, 1.5", "x, {L}"))
    split = [one.strip() for line in WHOLE.splitlines() for one in line.split(";")]
    return ones + twos + tuple(split)


def program(seed: int) -> Program:
    rng = Random(f"taken {seed}")
    form = rng.choice(forms())
    rows = rng.random() < 0.3 and not any(name in form for name in ONLY_NUMBERS)
    made = rng.choice(list(MADE))
    text = MADE[made].format(e=rng.choice(ENTRIES))
    value = form.format(L="L")
    around = rng.choice(("np.sum({})", "np.mean({})", "np.sum(np.sin({}))"))
    body = (*text.splitlines(), f"out = {value}", f"return {around.format('out')}")
    dims = ("n", "d") if rows else ("n",)
    x = Parameter("x", dims, low=0.3, high=0.9, signed=False)
    return Program((x,), body, seed)


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    case = Case(program(seed), {}, "x", level="none")
    yield case, examine(case, engine, companions=False)

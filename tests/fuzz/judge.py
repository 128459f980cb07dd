"""examine(case, engine): everything that is wrong with one gradient, in words.

`engine` has gradgen's public functions: gradgen itself, or a stand-in whose
faults are planted. What is right is decided by gradgen.verify.finite alone.
"""

from __future__ import annotations

import re
import signal
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from gradgen.errors import GradgenError
from tests.fuzz.case import Case, Truth, tolerance
from tests.fuzz.program import SAMPLES

# NumPy before 2.0 makes float64 of a float32 number that meets a Python number.
OLD_PROMOTION = np.__version__.startswith("1.")
# Copied functions that are an adjoint, not a question about shapes: products of
# arrays of more than two dimensions, what is stored twice at one place. They may bring
# _unbroadcast with them.
ALGORITHMS = {
    "def _product_of_the_others",
    "def _cumprod_adjoint",
    "def _share_in_quantile",
    "def _added_along_axis",
    "def _stored_last",
    "def _increasing",
    "def _matrix_power",
    "def _convolve_adjoint",
    "def _correlate_left",
    "def _correlate_right",
    "def _from_windows",
    "def _signal_adjoint",
    "def _banded_adjoint",
    "def _banded_transpose",
    "def _cofactors",
    "def _eigvals_adjoint",
    "def _upright",
    "def _vectors_of",
    "def _eigvectors_adjoint",
} | {
    f"def _{name}_{side}"
    for name in ("inner", "dot", "matmul")
    for side in ("left", "right")
}
PATIENCE = 30  # seconds of the processor for one case
STANDSTILL = 300  # seconds, on however busy a machine
HELPER = re.compile(r"def _\w*|broadcast_to")


@dataclass(frozen=True)
class Fault:
    kind: str
    detail: str

    @property
    def likeness(self) -> str:
        """What faults of one cause share: for an error its place and what it says."""
        if self.kind not in ("internal error", "crash"):
            return self.kind
        lines = self.detail.rstrip().splitlines()
        places = [line for line in lines if line.startswith('  File "/')]
        if self.kind == "crash":
            return re.sub(r"\d+|'\w+'", "", lines[-1])
        return re.sub(r"\d+|'\w+'", "", " ".join([*places[-1:], lines[-1]]))


@dataclass
class Verdict:
    """Faults found; a refusal's message; the emitted text, as far as there is one."""

    faults: list[Fault] = field(default_factory=list)
    refusal: str | None = None
    text: str = "(none)"
    measured: bool = True  # False: differences could not measure this program


class TooLong(BaseException):
    """The engine, or what it wrote, has no end."""


@contextmanager
def patience():
    """Raises TooLong in the main thread of a system that has alarms."""

    def give_up(*_):
        raise TooLong

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    limits = (signal.SIGALRM, STANDSTILL), (signal.SIGPROF, PATIENCE)
    before = [signal.signal(number, give_up) for number, _ in limits]
    signal.alarm(STANDSTILL)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.setitimer(signal.ITIMER_PROF, 0)
        for (number, _), old in zip(limits, before):
            signal.signal(number, old)


def examine(
    case: Case, engine, truth: Truth | None = None, companions=True, text=True
) -> Verdict:
    """The verdict on one case.

    `companions` adds value_and_grad and vjp to the gradient itself: two more
    requests to the engine. `text` asks for the text at these facts where the calls
    have one of their own, for what is known of their arguments.
    """
    truth = truth or Truth(case.program)
    verdict = Verdict()
    if not truth.measures(case.names):
        verdict.measured = False
        return verdict
    with noted(verdict), np.errstate(all="ignore"):  # a nan is found by its value
        examine_all(case, engine, truth, verdict, companions, text)
    return verdict


def examine_within(
    seconds: float, case: Case, engine, truth: Truth | None = None
) -> tuple[Verdict, float]:
    """The verdict without companions, and the seconds of the processor that it took.

    What takes longer than `seconds` is measured again: a busy machine makes a run
    longer, and none shorter.
    """
    for _ in range(2):
        begun = time.process_time()
        verdict = examine(case, engine, truth, companions=False)
        taken = time.process_time() - begun
        if taken <= seconds:
            break
    return verdict, taken


def broken_off() -> Fault:
    """The exception at hand as a fault: of the engine, or of the text it wrote."""
    text = traceback.format_exc(limit=-6)
    return Fault("crash" if '  File "<gradgen ' in text else "internal error", text)


@contextmanager
def noted(verdict: Verdict) -> Iterator[None]:
    """Within patience: a refusal, what has no end and what breaks off are its."""
    try:
        with patience():
            yield
    except GradgenError as refusal:
        verdict.refusal = str(refusal)
    except TooLong:
        verdict.faults.append(Fault("too long", f"more than {PATIENCE} seconds"))
    except Exception:  # whatever else comes out of the engine is a fault of its own
        verdict.faults.append(broken_off())


def examine_all(case, engine, truth, verdict, companions, text) -> None:
    request = dict(wrt=case.wrt, shapes=dict(case.shapes))
    if case.keep_calls:
        request["keep_calls"] = True
    if case.save != "values":
        request["save"] = case.save
    gradient = of_strict(case, engine, request, verdict)
    if text or case.complete:
        verdict.text = gradient.source
    verdict.faults += of_gradient(case, gradient, truth)
    if companions:
        verdict.faults += of_companions(case, engine, request, gradient, truth)
    if case.complete:
        verdict.faults += of_text(case, verdict.text)


def of_strict(case, engine, request, verdict):
    """The gradient; with all facts told, one that needs no helper is asked for."""
    if case.complete:
        try:
            return engine.grad(case.program.function, **request, strict=True)
        except GradgenError as refusal:
            strict = Fault("strict refusal", str(refusal))
        gradient = engine.grad(case.program.function, **request)
        verdict.faults.append(strict)
        return gradient
    return engine.grad(case.program.function, **request)


def of_gradient(case: Case, gradient, truth: Truth) -> Iterator[Fault]:
    """Faults of the gradient, in float64 at both sizes, and in float32."""
    for sample in SAMPLES:
        args, seed = case.program.arguments(sample), truth.seed(sample)
        result = gradient(*args, seed=seed)
        yield from of_form(case, result, "grad")
        got = as_tuple(case, result)
        yield from of_values(case, got, truth, sample)
        yield from of_ownership(case, got, args, seed, sample)
        yield from of_dtype(case, got, args)
        yield from unchanged(case, args, case.program.arguments(sample))
        yield from unchanged_seed(seed, truth.seed(sample))
        kept = [np.copy(g) for g in got]
        spoil(got)  # a result that is also something saved would show now
        again = as_tuple(case, gradient(*args, seed=seed))
        yield from same(case, again, kept, "unrepeatable", exactly=True)
        ones = np.ones(np.shape(seed)) if np.shape(seed) else 1.0
        default = as_tuple(case, gradient(*args))
        wanted = as_tuple(case, gradient(*args, seed=ones))
        yield from same(case, default, wanted, "default seed")
    args, seed = (truth.program.arguments(0, np.float32), truth.seed(0, np.float32))
    got = as_tuple(case, gradient(*args, seed=seed))
    if numbers_are_told(case, args) and not promoted(case, args):
        yield from of_dtype(case, got, args)
    for name, g in zip(case.names, got):
        want = truth.gradient(0, name).value
        if np.shape(g) != want.shape:
            yield Fault(
                "shape", f"d_{name} in float32: {np.shape(g)}, not {want.shape}"
            )
        elif case.narrow and not np.all(np.abs(g - want) <= narrow_tolerance(want)):
            if not sways(case, gradient, truth, name):
                yield Fault("float32 value", f"d_{name}\n{side_by_side(g, want)}")


def narrow_tolerance(want) -> float:
    return 5e-3 * np.max(np.abs(want), initial=0.0) + 1e-3


def sways(case, gradient, truth, name: str) -> bool:
    """Whether the float64 gradient changes much with the last digits of float32.

    It has been held against the measured one; what it does there says whether a
    gradient of float32 arguments can be right to the tolerance at all.
    """
    rng = np.random.default_rng(case.program.seed)
    want = truth.gradient(0, name).value
    for _ in range(3):
        args = case.program.arguments(0)
        for i, arg in enumerate(args):
            if np.asarray(arg).dtype.kind == "f":
                moved = (
                    4 * np.finfo(np.float32).eps * rng.choice([-1, 1], np.shape(arg))
                )
                args[i] = (
                    arg + arg * moved if np.shape(arg) else arg + arg * float(moved)
                )
        got = as_tuple(case, gradient(*args, seed=truth.seed(0)))
        change = np.abs(got[case.names.index(name)] - want)
        if np.any(change > narrow_tolerance(want) / 8):
            return True
    return False


def numbers_are_told(case, args) -> bool:
    """Whether each Python number among the arguments has the fact that it is one.

    NumPy makes float64 of a number in np.log(a) and keeps it weak in 2 * a; without
    the fact an argument counts as an array of the common dtype.
    """
    return all(
        case.shapes.get(param.name) == ""
        for param, arg in zip(case.program.params, args)
        if isinstance(arg, (float, int))
    )


def promoted(case, args) -> bool:
    """Whether NumPy before 2.0 makes float64 of the primal's own value."""
    value = case.program.function(*args) if OLD_PROMOTION else np.float32(0)
    return np.asarray(value).dtype != np.float32


def of_values(case, got, truth, sample) -> Iterator[Fault]:
    for name, g in zip(case.names, got):
        want = truth.gradient(sample, name).value
        if np.shape(g) != want.shape:
            shapes = f"got {np.shape(g)}, want {want.shape}"
            yield Fault("shape", f"d_{name} at sizes {sizes(case, sample)}: {shapes}")
        elif not np.all(np.abs(g - want) <= tolerance(want)):
            where = f"d_{name} at sizes {sizes(case, sample)}"
            yield Fault("value", f"{where}\n{side_by_side(g, want)}")


def of_ownership(case, got, args, seed, sample) -> Iterator[Fault]:
    """Faults of memory: read-only, or shared with what others hold."""
    others = [(param.name, arg) for param, arg in zip(case.program.params, args)]
    others.append(("the seed", seed))
    for name, g in zip(case.names, got):
        if isinstance(g, np.ndarray):
            if not g.flags.writeable:
                yield Fault("read-only", f"d_{name}")
            for other, array in others:
                if isinstance(array, np.ndarray) and np.shares_memory(g, array):
                    yield Fault("shared memory", f"d_{name} and {other}")
            others.append((f"d_{name}", g))


def of_dtype(case, got, args) -> Iterator[Fault]:
    """Faults of type: float32 for float32; for a Python number, any scalar float.

    A Python float is right for every number: numpy does not let it promote.
    """
    dtypes = {
        p.name: getattr(a, "dtype", None) for p, a in zip(case.program.params, args)
    }
    for name, g in zip(case.names, got):
        if type(g) is float or (OLD_PROMOTION and np.ndim(g) == 0):
            continue
        dtype = np.asarray(g).dtype
        if dtypes[name] is None and dtype.kind != "f":
            yield Fault("dtype", f"d_{name} of a number is {dtype}")
        elif dtypes[name] is not None and dtype != dtypes[name]:
            yield Fault("dtype", f"d_{name} of a {dtypes[name]} argument is {dtype}")


def unchanged(case, args, originals) -> Iterator[Fault]:
    for param, arg, original in zip(case.program.params, args, originals):
        if np.asarray(arg).tobytes() != np.asarray(original).tobytes():
            yield Fault("argument changed", param.name)


def unchanged_seed(seed, original) -> Iterator[Fault]:
    if np.asarray(seed).tobytes() != np.asarray(original).tobytes():
        yield Fault("argument changed", "the seed")


def of_companions(case, engine, request, gradient, truth) -> Iterator[Fault]:
    """Faults of value_and_grad, and of vjp's pullback called twice."""
    function = case.program.function
    both = engine.value_and_grad(function, **request)
    callback = engine.vjp(function, **request)
    for sample in SAMPLES:
        args, seed = case.program.arguments(sample), truth.seed(sample)
        primal = function(*case.program.arguments(sample))
        joint = as_tuple(case, gradient(*args, seed=seed))
        value, gradients = both(*args, seed=seed)
        yield from of_form(case, gradients, "value_and_grad")
        rounded = getattr(engine, "rounds", False)
        yield from of_primal(value, primal, "value_and_grad", rounded)
        yield from same(case, as_tuple(case, gradients), joint, "value_and_grad")
        result, pullback = callback(*args)
        yield from of_primal(result, primal, "vjp", rounded)
        for call in ("first", "second"):
            found = pullback(seed)
            yield from of_form(case, found, "vjp")
            found = as_tuple(case, found)
            yield from same(case, found, joint, f"callback, {call} call")
            yield from of_ownership(case, found, args, seed, sample)
            spoil(found)
        yield from unchanged(case, args, case.program.arguments(sample))


def of_primal(value, primal, who, rounded=False) -> Iterator[Fault]:
    """Faults of the value: it has the primal's bits, or is `rounded` otherwise."""
    value, primal = np.asarray(value), np.asarray(primal)
    if (value.shape, value.dtype) != (primal.shape, primal.dtype):
        kinds = f"{value.dtype} {value.shape}, not {primal.dtype} {primal.shape}"
        yield Fault("primal value", f"{who}: {kinds}")
    elif rounded and np.allclose(value, primal, 1e-11, 1e-12, equal_nan=True):
        return
    elif value.tobytes() != primal.tobytes():
        yield Fault("primal value", f"{who}:\n{side_by_side(value, primal)}")


def of_text(case, text) -> Iterator[Fault]:
    """Faults of text that had all facts: a helper."""
    found = set(HELPER.findall(text)) - set(HELPER.findall(case.program.source))
    if found & ALGORITHMS:
        found -= ALGORITHMS | {"def _unbroadcast", "def _uncropped"}
    if "is 1, and is stretched" in text:  # a length that no fact tells: X + y[:2]
        found -= {"def _unbroadcast"}
    if "has no value" in text:  # what a round keeps may be None: no fact tells of that
        found -= {"def _copied"}
    found = sorted(found)
    if found:
        yield Fault("helper", f"{', '.join(found)} with all shapes known")


def same(case, got, want, kind, exactly=False) -> Iterator[Fault]:
    """Faults of two results that are the same numbers, computed in two ways."""
    for name, g, w in zip(case.names, got, want):
        close = 0.0 if exactly else 1e-10 * np.max(np.abs(w), initial=0.0) + 1e-12
        if np.shape(g) != np.shape(w):
            yield Fault(kind, f"d_{name}: shapes {np.shape(g)} and {np.shape(w)}")
        elif not np.all(np.abs(g - w) <= close):
            yield Fault(kind, f"d_{name}\n{side_by_side(g, w)}")


def as_tuple(case, result) -> tuple:
    """The gradients in order, also where the engine gave one without a tuple."""
    found = result if isinstance(result, tuple) else (result,)
    if len(found) != len(case.names):
        raise TypeError(f"wrt={case.wrt!r} gave {len(found)} gradients")
    return found


def of_form(case, result, who) -> Iterator[Fault]:
    """A fault of form: a tuple is for a tuple, even of one, and for nothing else."""
    if isinstance(result, tuple) == isinstance(case.wrt, str):
        yield Fault("form", f"{who} of wrt={case.wrt!r} gave a {type(result).__name__}")


def spoil(gradients) -> None:
    """Overwrite what the caller owns: nothing else may notice."""
    for g in gradients:
        if isinstance(g, np.ndarray) and g.flags.writeable:
            g[...] = np.nan


def sizes(case, sample) -> str:
    return ", ".join(f"{dim}={n}" for dim, n in case.program.sizes[sample].items())


def side_by_side(got, want) -> str:
    with np.printoptions(precision=8, linewidth=100, threshold=60):
        return f"  got  {indented(got)}\n  want {indented(want)}"


def indented(array) -> str:
    return str(np.asarray(array)).replace("\n", "\n       ")

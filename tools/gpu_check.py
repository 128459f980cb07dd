"""Runs every committed gradient on a GPU: as numpy text on cupy arrays, and for cupy.

    python tools/gpu_check.py [--out FILE.json]

Each is compared with NumPy's numbers (1e-10 in float64, 1e-4 in float32). Counted are
the copies from the device to the host while a gradient runs, and timed the gradient
over its primal on the device and the same on the host. The result is a JSON text with
card, driver, versions and date. Without cupy or without a GPU it says so, and exits
with 0.
"""

from __future__ import annotations

import argparse
import copy
import datetime
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
TOLERANCES = {"float64": 1e-10, "float32": 1e-4}
REPEATS = 20
# methods of cupy's arrays that copy to the host
READS = "get item tolist __float__ __int__ __bool__ __index__ __complex__".split()
PREFIXES = ("grad_", "value_and_grad_", "vjp_", "hvp_", "hessian_", "jacobian_")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, help="the JSON file to write")
    options = parser.parse_args(arguments)
    why = missing()
    if why:
        print(f"skipped: {why}")
        return 0
    result = checked()
    text = json.dumps(result, indent=2) + "\n"
    if options.out is None:
        print(text, end="")
    else:
        options.out.write_text(text, encoding="utf-8", newline="\n")
    wrong = [one["file"] for one in result["files"] if one.get("wrong")]
    print(f"{len(result['files'])} files, {len(wrong)} wrong", file=sys.stderr)
    return 1 if wrong else 0


def missing() -> str:
    """Why nothing can be run here, "" where it can."""
    try:
        import cupy
    except ImportError:
        return "cupy is not installed"
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        return f"no GPU: {error}"
    return "" if count else "no GPU"


def checked() -> dict:
    """What each file came to, with the machine, the versions and the date."""
    import cupy
    from tests.test_generated import FILES, MATRICES

    runtime = cupy.cuda.runtime
    properties = runtime.getDeviceProperties(0)
    return {
        "card": properties["name"].decode(),
        "driver": runtime.driverGetVersion(),
        "cuda": runtime.runtimeGetVersion(),
        "cupy": cupy.__version__,
        "numpy": version("numpy"),
        "python": sys.version.split()[0],
        "date": datetime.date.today().isoformat(),
        "files": [
            {"file": name, "target": target, **of_file(name, path)}
            for name in (*FILES, *MATRICES)
            for target, path in (
                ("numpy", ROOT / "generated" / f"{name}.py"),
                ("cupy", ROOT / "generated" / "cupy" / f"{name}.py"),
            )
            if path.exists()
        ],
    }


def of_file(name: str, path: Path) -> dict:
    """What one text came to: its errors, copies to the host and times."""
    from tests.test_generated import FILES, primal

    found: dict = {"errors": {}, "wrong": False}
    function = loaded(path)
    host = loaded(ROOT / "generated" / f"{name}.py")
    for dtype, tolerance in TOLERANCES.items():
        args, seed = arguments(name, getattr(np, dtype))
        want = leaves(run(host, args, seed))
        given, of_seed = on_device(args), on_device(seed)
        try:
            with counted() as copies:
                got = run(function, given, of_seed)
                synchronise()
            error = distance(leaves(got), want)
        except Exception as failure:  # whatever it is, it is the result
            found["errors"][dtype] = f"{type(failure).__name__}: {failure}"
            found["wrong"] = True
            continue
        found["errors"][dtype] = error
        found["wrong"] |= not error <= tolerance
        found["copies_to_host"] = copies[0]
    if not found["wrong"]:
        args, seed = arguments(name, np.float64)
        given, of_seed = on_device(args), on_device(seed)
        gradient = timed(lambda: run(function, given, of_seed))
        found["seconds"] = gradient
        found["over_numpy"] = gradient / timed(lambda: run(host, args, seed))
        if name not in FILES:
            return found  # a matrix of derivatives, of no one function's cost
        try:
            source = primal(name)
            found["over_primal"] = gradient / timed(
                lambda: source(*copy.deepcopy(given))
            )
        except Exception as failure:  # a primal may be for NumPy alone
            found["over_primal"] = f"{type(failure).__name__}: {failure}"
    return found


def arguments(name: str, dtype: type) -> tuple[list, object]:
    """The arguments of a committed text, and the seed, None where it takes none."""
    from tests.target.test_cupy import MATRICES
    from tests.test_generated import call

    if name not in MATRICES:
        args, _, seed = call(name, 0, dtype)
        return args, seed
    given = MATRICES[name](np.random.default_rng(0))
    return [np.asarray(arg).astype(dtype) for arg in given], None


def loaded(path: Path) -> Callable:
    """The gradient that a file defines last."""
    names: dict = {"__name__": "alone"}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), names)
    return [f for n, f in names.items() if n.startswith(PREFIXES)][-1]


def run(function: Callable, args: list, seed):
    """The gradients of a text: of a callback those that it gives for a seed."""
    if seed is None:
        return function(*args)
    if function.__name__.startswith("vjp_"):
        value, backprop = function(*args)
        return value, backprop(seed)
    return function(*args, seed)


def on_device(value):
    """The arrays of a value on the device, those in containers too."""
    import cupy

    if isinstance(value, np.ndarray):
        return cupy.asarray(value)
    if isinstance(value, np.floating):
        return cupy.asarray(value)
    if isinstance(value, dict):
        return {key: on_device(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(on_device(item) for item in value)
    return value


def leaves(value) -> list[np.ndarray]:
    """The arrays of a result, on the host."""
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in leaves(item)]
    return [value.get() if hasattr(value, "get") else np.asarray(value)]


def distance(got: list[np.ndarray], want: list[np.ndarray]) -> float:
    """The largest difference of two results, over the largest entry; nan is wrong."""
    worst = 0.0
    for one, other in zip(got, want, strict=True):
        if one.shape != other.shape or one.dtype != other.dtype:
            return float("inf")
        if not np.array_equal(np.isnan(one), np.isnan(other)):
            return float("inf")
        size = np.max(np.abs(np.nan_to_num(other)), initial=1.0)
        away = np.abs(np.nan_to_num(one) - np.nan_to_num(other))
        worst = max(worst, float(np.max(away, initial=0.0) / size))
    return worst


@contextmanager
def counted() -> Iterator[list[int]]:
    """Counts the reads of a value by the host: .get(), float(), if, and their like."""
    import cupy

    copies, depth = [0], [0]
    there = [name for name in READS if hasattr(cupy.ndarray, name)]
    kept = {name: getattr(cupy.ndarray, name) for name in there}

    def counting(read: Callable) -> Callable:
        def counted_read(array, *args, **kwargs):
            copies[0] += depth[0] == 0
            depth[0] += 1
            try:
                return read(array, *args, **kwargs)
            finally:
                depth[0] -= 1

        return counted_read

    for name, read in kept.items():
        setattr(cupy.ndarray, name, counting(read))
    try:
        yield copies
    finally:
        for name in there:
            delattr(cupy.ndarray, name)


def synchronise() -> None:
    import cupy

    cupy.cuda.get_current_stream().synchronize()


def timed(work: Callable) -> float:
    """The median of the seconds that a call takes, the device's work included."""
    for _ in range(3):
        work()
    synchronise()
    seconds = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        synchronise()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


if __name__ == "__main__":
    raise SystemExit(main())

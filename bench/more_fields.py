"""Particles and fields: primals, their gradients by hand, and how both are run."""

from __future__ import annotations

import numpy as np

from bench.loop_workloads import amounts, small_step
from bench.workload import COUNT, Workload


def lennard_jones(x):
    gaps = x[:, None, :] - x[None, :, :]
    # A particle is at distance 1 of itself, where the potential is 0.
    squares = np.sum(gaps**2, axis=-1) + np.eye(len(x), dtype=x.dtype)
    inverse = 1 / squares**3
    return 2 * np.sum(inverse**2 - inverse)


def by_hand_lennard_jones(x, d_energy=1.0):
    gaps = x[:, None, :] - x[None, :, :]
    squares = np.sum(gaps**2, axis=-1) + np.eye(len(x), dtype=x.dtype)
    inverse = 1 / squares**3
    energy = 2 * np.sum(inverse**2 - inverse)

    d_squares = 6 * d_energy * inverse * (1 - 2 * inverse) / squares
    # Both particles of a pair: the sum over gaps is one product of matrices.
    d_x = 4 * (np.sum(d_squares, axis=1)[:, None] * x - d_squares @ x)
    return energy, d_x


def springs(x, first, second, rest):
    gaps = x[first] - x[second]
    lengths = np.sqrt(np.sum(gaps * gaps, axis=1))
    return 0.5 * np.sum((lengths - rest) ** 2)


def by_hand_springs(x, first, second, rest, d_energy=1.0):
    gaps = x[first] - x[second]
    lengths = np.sqrt(np.sum(gaps * gaps, axis=1))
    stretch = lengths - rest
    energy = 0.5 * np.sum(stretch**2)

    d_gaps = (d_energy * stretch / lengths)[:, None] * gaps
    d_x = np.zeros_like(x)
    np.add.at(d_x, first, d_gaps)
    np.subtract.at(d_x, second, d_gaps)
    return energy, d_x


def total_variation(u, image, weight):
    across = u[:-1, 1:] - u[:-1, :-1]
    down = u[1:, :-1] - u[:-1, :-1]
    norms = np.sqrt(across**2 + down**2 + 1e-6)
    return 0.5 * np.sum((u - image) ** 2) + weight * np.sum(norms)


def by_hand_total_variation(u, image, weight, d_loss=1.0):
    across = u[:-1, 1:] - u[:-1, :-1]
    down = u[1:, :-1] - u[:-1, :-1]
    norms = np.sqrt(across**2 + down**2 + 1e-6)
    error = u - image
    loss = 0.5 * np.sum(error**2) + weight * np.sum(norms)

    scale = weight * d_loss / norms
    d_across = scale * across
    d_down = scale * down
    d_u = d_loss * error
    d_u[:-1, 1:] += d_across
    d_u[1:, :-1] += d_down
    d_u[:-1, :-1] -= d_across + d_down
    return loss, d_u


def image_filter(image, kernel, target):
    rows, columns = target.shape
    out = np.zeros_like(target)
    for i in range(kernel.shape[0]):
        for j in range(kernel.shape[1]):
            out += kernel[i, j] * image[i : i + rows, j : j + columns]
    return np.sum(np.tanh(out) * target)


def by_hand_image_filter(image, kernel, target, d_loss=1.0):
    rows, columns = target.shape
    out = np.zeros_like(target)
    for i in range(kernel.shape[0]):
        for j in range(kernel.shape[1]):
            out += kernel[i, j] * image[i : i + rows, j : j + columns]
    sharp = np.tanh(out)
    loss = np.sum(sharp * target)

    d_out = d_loss * target * (1 - sharp**2)
    d_image = np.zeros_like(image)
    d_kernel = np.empty_like(kernel)
    for i in range(kernel.shape[0]):
        for j in range(kernel.shape[1]):
            d_kernel[i, j] = np.sum(d_out * image[i : i + rows, j : j + columns])
            d_image[i : i + rows, j : j + columns] += kernel[i, j] * d_out
    return loss, (d_image, d_kernel)


def wave_2d(u, speed, steps):
    before = u.copy()
    for _ in range(steps):
        after = 2 * u - before
        after[1:-1, 1:-1] += speed[1:-1, 1:-1] * (
            u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1]
        )
        before, u = u, after
    return np.sum(u**2)


def by_hand_wave_2d(u, speed, steps, d_loss=1.0):
    before = u.copy()
    curvatures = []
    inner = speed[1:-1, 1:-1]
    for _ in range(steps):
        after = 2 * u - before
        curvature = (
            u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1]
        )
        after[1:-1, 1:-1] += inner * curvature
        curvatures.append(curvature)
        before, u = u, after
    loss = np.sum(u**2)

    d_u = 2 * d_loss * u
    d_before = np.zeros_like(u)
    d_speed = np.zeros_like(speed)
    for step in reversed(range(steps)):
        middle = d_u[1:-1, 1:-1]
        d_speed[1:-1, 1:-1] += middle * curvatures[step]
        d_curvature = inner * middle
        d_before += 2 * d_u
        d_before[:-2, 1:-1] += d_curvature
        d_before[2:, 1:-1] += d_curvature
        d_before[1:-1, :-2] += d_curvature
        d_before[1:-1, 2:] += d_curvature
        d_before[1:-1, 1:-1] -= 4 * d_curvature
        d_u, d_before = d_before, -d_u
    return loss, (d_u + d_before, d_speed)


def fitzhugh_nagumo(v, w, current, a, b, dt, steps):
    total = 0.0
    for _ in range(steps):
        v_rate = v - v**3 / 3 - w + current
        w_rate = 0.08 * (v + a - b * w)
        v = v + dt * v_rate
        w = w + dt * w_rate
        total = total + np.sum(v * v)
    return total


def by_hand_fitzhugh_nagumo(v, w, current, a, b, dt, steps, d_total=1.0):
    total = 0.0
    states = []
    for _ in range(steps):
        states.append((v, w))
        v_rate = v - v**3 / 3 - w + current
        w_rate = 0.08 * (v + a - b * w)
        v = v + dt * v_rate
        w = w + dt * w_rate
        total = total + np.sum(v * v)

    d_v, d_w = np.zeros_like(v), np.zeros_like(w)
    d_current, d_a, d_b = np.zeros_like(current), 0.0, 0.0
    after = v
    for v, w in reversed(states):
        d_v += 2 * d_total * after
        d_v_rate = dt * d_v
        d_w_rate = 0.08 * dt * d_w
        d_current += d_v_rate
        d_a = d_a + np.sum(d_w_rate)
        d_b = d_b - np.sum(d_w_rate * w)
        d_v += d_v_rate * (1 - v**2) + d_w_rate
        d_w = d_w - b * d_w_rate - d_v_rate
        after = v
    return total, (d_current, d_a, d_b)


def one_half(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Places in the first half of an array."""
    return rng.integers(shape[0] // 2, size=shape)


def other_half(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Places in the second half of an array."""
    return one_half(rng, shape) + shape[0] // 2


def lattice(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Particles about one apart, none of them close to another."""
    rows = int(np.ceil(shape[0] ** (1 / shape[1])))
    corners = np.stack(np.meshgrid(*[np.arange(rows)] * shape[1]), axis=-1)
    places = corners.reshape(-1, shape[1])[: shape[0]]
    return 1.1 * places + rng.uniform(-0.05, 0.05, shape)


FIELDS = (
    Workload(
        name="lennard_jones",
        primal=lennard_jones,
        wrt=("x",),
        shapes={"x": "n d"},
        sizes={"small": {"n": 12, "d": 3}, "large": {"n": 400, "d": 3}},
        hand=by_hand_lennard_jones,
        draws={"x": lattice},
    ),
    Workload(
        name="springs",
        primal=springs,
        wrt=("x",),
        shapes={"x": "n d", "first": "n:int", "second": "n:int", "rest": "n"},
        sizes={"small": {"n": 16, "d": 3}, "large": {"n": 20_000, "d": 3}},
        hand=by_hand_springs,
        draws={"first": one_half, "second": other_half, "rest": amounts},
    ),
    Workload(
        name="total_variation",
        primal=total_variation,
        wrt=("u",),
        shapes={"u": "n m", "image": "n m", "weight": ""},
        sizes={"small": {"n": 16, "m": 16}, "large": {"n": 512, "m": 512}},
        hand=by_hand_total_variation,
        draws={"weight": amounts},
    ),
    Workload(
        name="image_filter",
        primal=image_filter,
        wrt=("image", "kernel"),
        shapes={"image": "r+k-1 c+k-1", "kernel": "k k", "target": "r c"},
        sizes={
            "small": {"k": 3, "r": 12, "c": 10},
            "large": {"k": 5, "r": 400, "c": 300},
        },
        hand=by_hand_image_filter,
        taped=False,
    ),
    Workload(
        name="wave_2d",
        primal=wave_2d,
        wrt=("u", "speed"),
        shapes={"u": "n m", "speed": "n m", "steps": COUNT},
        sizes={
            "small": {"n": 16, "m": 16, "steps": 20},
            "large": {"n": 256, "m": 256, "steps": 20},
        },
        hand=by_hand_wave_2d,
        draws={"speed": lambda rng, shape: rng.uniform(0.1, 0.2, shape)},
        taped=False,
    ),
    Workload(
        name="fitzhugh_nagumo",
        primal=fitzhugh_nagumo,
        wrt=("current", "a", "b"),
        shapes={
            "v": "n",
            "w": "n",
            "current": "n",
            "a": "",
            "b": "",
            "dt": "",
            "steps": COUNT,
        },
        sizes={"small": {"n": 16, "steps": 20}, "large": {"n": 20_000, "steps": 20}},
        hand=by_hand_fitzhugh_nagumo,
        draws={"a": amounts, "b": amounts, "dt": small_step},
    ),
)

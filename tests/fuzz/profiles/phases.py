"""Complex arrays that are changed in place, under gradient, tangent and Hessian.

An array is complex from the start, becomes so by a factor, or is filled; entries,
slices, masks, real and imaginary parts of it are stored into, added to and multiplied,
by views, by out= and in loops, and what comes of it is a real number.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.fuzz import along
from tests.fuzz.case import Case
from tests.fuzz.clauses import indented
from tests.fuzz.judge import Verdict

PROGRAMS = 12
REFUSED_AT_MOST = 0.3  # stores into parts of views

MADE = """
z = x * (1 + 0.5j)
z = np.exp(1j * x)
z = x + 1j * x[::-1]
z = np.zeros(4, complex)|z[:] = x
z = np.zeros(4, complex)|z[1:] = x[1:] * 1j|z[0] = x[0]
z = np.fft.fft(x)
z = np.empty(4, dtype=complex)|for i in range(4):|    z[i] = np.exp(1j * i * x[i])
z = np.array(x, dtype=complex)
z = x.astype(complex)|z *= np.exp(0.3j)
z = np.outer(x, np.exp(1j * x))[1]
z = np.full(4, 0.5 + 0.1j)|z += x
z = np.ones(4) * (x[0] + 1j * x[1])
z = np.zeros_like(x, dtype=complex)|z.real = x|z.imag = x * 0.3
"""
CHANGES = """
z[0] = x[1] * 1j
z[1] = x[0]
z[1:] *= 0.7 + 0.2j
z *= z
z *= np.conj(z)
z += 1j * x
z -= x * 0.5
z /= 1.5 + x * 1j
z[::2] += x[1::2]
z[z.real > 0.3] *= 1j
z[x > 0.4] = 0.2j
z.real *= 0.5
z.real[1:] = x[1:]
z.imag += x
z.imag[0] = x[2]
np.multiply(z, x, out=z)
np.conj(z, out=z)
np.exp(z * 0.3, out=z)
w = z[1:]|w *= 1j
w = z.real|w += x
w = z|w[0] += x[0] * 1j
for i in range(1, 4):|    z[i] = z[i - 1] * x[i] + 0.1j
for i in range(3):|    z[i] += np.conj(z[i + 1])
for i in range(4):|    z[i] *= np.exp(1j * x[i])
for i in range(2):|    z *= x + 0.5j|    z[i] = x[i] * z[3]
if x[0] > 0.4:|    z[0] = z[1] * 1j|else:|    z *= 0.5
if x[1] > 0.4:|    z = z * x
z[:2], z[2:] = z[2:] * 1j, z[:2].copy()
z[[0, 2]] = z[[2, 0]] * 1j
np.add.at(z, [0, 0, 1], 1j * x[0])
z = np.where(x > 0.4, z, 1j * x)|z[0] *= 2
M = z.reshape(2, 2)|M[0] += x[2:]
M = np.outer(z, x)|M[0] *= 1j|z = M.sum(axis=0)
y = x * 0.5|y[0] = z[1].real|z[2] = y[0] * 1j
y = np.abs(z + 2)|y[1:] *= x[1:]|z = z * y
z = np.fft.ifft(z)
z[-1] = np.sum(z)
z[1] = abs(z[0] + 2)
t = z[0]|z[0] = 0|z[1] += t
"""
ENDS = """
np.sum(np.abs(z) ** 2)
np.sum((z * z.conj()).real)
np.sum(z.real * x) + np.sum(z.imag)
np.real(np.vdot(z, z))
np.sum(z ** 2).imag
np.abs(np.sum(z * x) + 0.7)
np.sum(np.abs(z + 0.3))
(z @ z).real + x[0]
np.linalg.norm(np.append(z, 1.0))
float(np.sum(z.imag * z.real))
"""


class Writer:
    """Writes one program, at random."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(f"phases {seed}")

    def one(self, text: str) -> list[str]:
        return self.rng.choice(text.strip().splitlines()).split("|")

    def text(self) -> str:
        lines = self.one(MADE)
        for _ in range(self.rng.randint(1, 4)):
            lines += self.one(CHANGES)
        body = indented([*lines, f"return {self.one(ENDS)[0]}"])
        return "\n".join(["import numpy as np", "", "", "def f(x):", *body, ""])


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    """The program of this seed with nothing told."""
    yield from along.verdicts(Writer(seed).text(), seed, engine, 4)

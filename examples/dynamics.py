"""Systems in time: Lotka-Volterra by Runge-Kutta, bodies that attract each other."""

import numpy as np

# Keeps the attraction of two bodies finite where they meet.
SOFTENING = 1e-2


def rates(x, y, a, b, c, d):
    """How fast prey x and predators y change."""
    xy = x * y
    return a * x - b * xy, d * xy - c * y


def rk4_lotka_volterra(x, y, a, b, c, d, dt, steps):
    """Sum of squares of many pairs of populations after `steps` of Runge-Kutta."""
    for step in range(steps):
        x1, y1 = rates(x, y, a, b, c, d)
        x2, y2 = rates(x + 0.5 * dt * x1, y + 0.5 * dt * y1, a, b, c, d)
        x3, y3 = rates(x + 0.5 * dt * x2, y + 0.5 * dt * y2, a, b, c, d)
        x4, y4 = rates(x + dt * x3, y + dt * y3, a, b, c, d)
        x = x + dt / 6 * (x1 + 2 * x2 + 2 * x3 + x4)
        y = y + dt / 6 * (y1 + 2 * y2 + 2 * y3 + y4)
    return np.sum(x * x + y * y)


def nbody_steps(position, velocity, mass, dt, steps):
    """Kinetic energy of bodies that attract each other, after `steps` of length dt."""
    for step in range(steps):
        acceleration = np.zeros_like(position)
        for i in range(len(mass)):
            for j in range(i):
                gap = position[j] - position[i]
                distance = np.sqrt(np.sum(gap * gap) + SOFTENING)
                pull = gap / distance**3
                acceleration[i] += mass[j] * pull
                acceleration[j] -= mass[i] * pull
        velocity += dt * acceleration
        position += dt * velocity
    return 0.5 * np.sum(mass * np.sum(velocity**2, axis=1))

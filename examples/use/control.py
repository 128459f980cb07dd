"""Model predictive control: at each tick a plan is improved by its emitted gradient.

What runs on the machine is generated/swing_cost.py and NumPy, nothing of gradgen.

python -m examples.use.control
"""

import numpy as np

from generated.swing_cost import value_and_grad_swing_cost

DT = 0.05


def planned(forces, angle, speed, tries=10, rate=0.4):
    """The plan after a few steps down its gradient, each shortened until it helps."""
    cost, slope = value_and_grad_swing_cost(forces, angle, speed, DT)
    for _ in range(tries):
        step = rate
        while step > 1e-6:
            better = np.clip(forces - step * slope, -8.0, 8.0)
            new, new_slope = value_and_grad_swing_cost(better, angle, speed, DT)
            if new < cost:
                forces, cost, slope = better, new, new_slope
                break
            step = step / 4
    return forces


def controlled(angle=0.6, speed=0.0, ticks=120, horizon=20):
    """The angles of a pendulum that starts leaning, tick by tick."""
    forces, angles = np.zeros(horizon), [angle]
    for _ in range(ticks):
        forces = planned(forces, angle, speed)
        speed = speed + DT * (9.8 * np.sin(angle) + forces[0])
        angle = angle + DT * speed
        angles.append(angle)
        forces = np.append(forces[1:], 0.0)
    return np.array(angles)


if __name__ == "__main__":
    angles = controlled()
    for tick in (0, 10, 20, 40, 80, 120):
        print(f"tick {tick:3}: angle {angles[tick]:+.4f}")

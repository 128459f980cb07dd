"""Sea water (seawater)."""

import numpy as np

from tests.wild.survey import Survey

SEA = dict(
    s=np.array([34.2, 35.1, 33.6]),
    t=np.array([5.3, 12.1, 18.4]),
    pt=np.array([5.3, 12.1, 18.4]),
    p=np.array([120.0, 950.0, 2100.0]),
    r=np.array([0.96, 1.02, 0.98]),
    lat=np.array([41.0, -12.0, 55.0]),
    lon=np.array([-30.0, 15.0, 2.0]),
    depth=np.array([100.0, 900.0, 2000.0]),
    length=np.array([10.0, 60.0, 120.0]),
)

SURVEYS = (
    Survey("seawater", "seawater.eos80", SEA),
    Survey("seawater", "seawater.extras", SEA),
    Survey("seawater", "seawater.library", SEA | dict(Rt=SEA["r"], delT=SEA["t"] - 15)),
)

"""Rotations (transforms3d, ahrs, pyquaternion)."""

import numpy as np

from tests.wild.survey import Survey

Q = np.array([0.83, 0.21, -0.34, 0.39])
Q = Q / np.sqrt(Q @ Q)
P = np.array([0.62, -0.45, 0.51, 0.39])
P = P / np.sqrt(P @ P)
V = np.array([0.4, -1.1, 0.7])


def matrix(q):
    """The rotation by a unit quaternion."""
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


R = matrix(Q)
TURN = dict(
    q=Q,
    q1=Q,
    q2=P,
    n=1.3,
    v=V,
    xyz=Q[1:],
    M=R,
    mat=R,
    vector=V,
    theta=0.8,
    quat=Q,
    quaternion=Q,
    ai=0.4,
    aj=-0.3,
    ak=0.9,
    axis=V,
    angle=0.8,
    striu=np.array([0.2, -0.3, 0.4]),
    direction=np.array([1.0, 0.0, 0.0]),
    normal=np.array([0.0, 0.6, 0.8]),
    factor=1.4,
    T=V,
    Z=np.array([1.1, 0.9, 1.3]),
    A=np.eye(4) + 0.1 * np.arange(16.0).reshape(4, 4) / 4,
    A44=np.eye(4) + 0.1 * np.arange(16.0).reshape(4, 4) / 4,
)
MODULES = "quaternions euler axangles shears zooms".split()

ATTITUDE = dict(
    p=P,
    q=Q,
    q0=Q,
    q1=Q,
    q2=P,
    v=V,
    axis=V,
    angle=0.8,
    angles=np.array([0.3, -0.2, 0.7]),
    R=R,
    C=R,
    dcm=R,
    R1=R,
    R2=matrix(P),
    a=np.array([0.2, -0.3, 9.7]),
    m=np.array([20.0, -3.0, 40.0]),
    t_array=np.array([0.1, 0.4, 0.8]),
    x=V,
    y=np.array([0.5, 0.9, -0.3]),
    A=R[None],
    B=matrix(P)[None],
    w=V,
)

SURVEYS = (
    *(
        Survey(
            "transforms3d",
            f"transforms3d.{name}",
            TURN,
            exact={
                "compose": {"R": R},
                "mat2sadn": {
                    "mat": np.eye(3) + 0.3 * np.outer([1, 0, 0], [0, 0.6, 0.8])
                },
                "inverse_outer": {"mat": np.outer(V, V) * 0.7},
            },
        )
        for name in MODULES
    ),
    *(
        Survey("ahrs", f"ahrs.{name}", ATTITUDE, apart={"q_random": "it draws"})
        for name in ("common.mathfuncs", "utils.metrics", "common.orientation")
    ),
    Survey(
        "pyquaternion",
        "pyquaternion.quaternion",
        dict(vector=V, rate=np.array([0.1, 0.2, -0.3]), timestep=0.1),
        objects={"Quaternion": lambda module: module.Quaternion(*Q)},
        functions=False,
        apart={"Quaternion.integrate": "it stores"},
    ),
)

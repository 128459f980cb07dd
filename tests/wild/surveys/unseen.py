"""Packages whose arguments are guessed: rotations, energy, chemistry, orbits, errors."""

import numpy as np

from tests.wild.survey import Survey

# a turn about (0.36, 0.48, 0.8) by 1.1, and a shift
TURN = np.array(
    [
        [0.6164, -0.6186, 0.4872, 0.3],
        [0.8074, 0.5794, -0.1111, -0.4],
        [-0.2131, 0.4620, 0.8609, 0.9],
        [0.0, 0.0, 0.0, 1.0],
    ]
)
# where what is guessed has a result that is not defined, or a kink
EXACT = {
    "batch_quaternion_xyzw_from_wxyz": {"Q_wxyz": np.array([0.4, 0.5, -0.3, 0.7])},
    "batch_quaternion_wxyz_from_xyzw": {"Q_xyzw": np.array([0.4, 0.5, -0.3, 0.7])},
    "squared_length": {"quat": TURN[0], "vec": TURN[0]},
    "length": {"quat": TURN[0], "vec": TURN[0]},
    "exponential_coordinates_from_transforms": {"A2Bs": TURN},
}

MODULES = {
    "pytransform3d": "rotations._axis_angle rotations._quaternion rotations._matrix "
    "rotations._mrp rotations._rotors rotations._euler rotations._jacobians "
    "transformations._transform transformations._screws transformations._dual_quaternion "
    "batch_rotations._utils batch_rotations._quaternion batch_rotations._axis_angle "
    "coordinates trajectories._transforms",
    "pvlib": "irradiance atmosphere clearsky temperature iam shading soiling albedo "
    "spectrum.mismatch inverter solarposition tools bifacial.utils pvarray transformer",
    "pyriemann": "geometry.base geometry.distance geometry.geodesic geometry.kernel "
    "geometry.tangentspace",
    "skyfield": "functions earthlib relativity nutationlib geometry keplerlib",
    "colorspacious": "basics ciecam02 luoetal2006 util conversion comparison",
    "chemicals": "acentric air critical dippr interface lennard_jones permittivity "
    "phase_change refractivity solubility thermal_conductivity utils vapor_pressure "
    "virial viscosity volume",
    "trimesh": "transformations triangles geometry points inertia",
    "pyrr": "vector vector3 matrix33 matrix44 quaternion plane line ray sphere aabb "
    "geometric_tests",
    "lamberthub": "ecc_solvers.avanzini ecc_solvers.utils utils.elements utils.kepler",
    "geoana": "spatial em.tdem.simple_functions",
    "HydroErr": "HydroErr",
    "modern_robotics": "core",
    "deap": "benchmarks",
}

SURVEYS = tuple(
    Survey(package, f"{package}.{name}", {}, EXACT, guessed=True)
    for package, names in MODULES.items()
    for name in names.split()
)

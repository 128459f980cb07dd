"""Packages whose arguments are guessed: rotations, solar energy, chemistry, orbits."""

from tests.wild.survey import Survey

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
}

SURVEYS = tuple(
    Survey(package, f"{package}.{name}", {}, guessed=True)
    for package, names in MODULES.items()
    for name in names.split()
)

"""Coordinates on and above the earth (pymap3d, utm, boule)."""

import numpy as np

from tests.wild.survey import Survey

PLACE = dict(
    lat=np.array([42.0, -31.5, 61.2]),
    lon=np.array([-82.0, 115.3, 24.1]),
    alt=np.array([200.0, 1500.0, 30.0]),
    h=np.array([200.0, 1500.0, 30.0]),
    lat0=41.0,
    lon0=-81.0,
    h0=120.0,
    alt0=120.0,
    az=np.array([33.0, 140.0, 250.0]),
    el=np.array([70.0, 20.0, 45.0]),
    elev=np.array([70.0, 20.0, 45.0]),
    srange=np.array([1e3, 2e4, 5e3]),
    slantRange=np.array([1e3, 2e4, 5e3]),
    x=np.array([660e3, -2.3e6, 2.8e6]),
    y=np.array([-4.7e6, 4.9e6, 1.2e6]),
    z=np.array([4.2e6, -3.3e6, 5.5e6]),
    u=np.array([660.0, -230.0, 280.0]),
    v=np.array([-470.0, 490.0, 120.0]),
    w=np.array([420.0, -330.0, 550.0]),
    e=np.array([186.0, -900.0, 300.0]),
    n=np.array([286.0, 1200.0, -450.0]),
    d=np.array([-939.0, 200.0, 150.0]),
    east=np.array([186.0, -900.0, 300.0]),
    north=np.array([286.0, 1200.0, -450.0]),
    up=np.array([939.0, 200.0, 150.0]),
    e1=np.array([186.0, -900.0, 300.0]),
    n1=np.array([286.0, 1200.0, -450.0]),
    u1=np.array([939.0, 200.0, 150.0]),
    radius=np.array([6.37e6, 6.38e6, 6.36e6]),
    geodetic_lat=np.array([42.0, -31.5, 61.2]),
    geocentric_lat=np.array([42.0, -31.5, 61.2]),
    isometric_lat=np.array([42.0, -31.5, 61.2]),
    conformal_lat=np.array([42.0, -31.5, 61.2]),
    rectifying_lat=np.array([42.0, -31.5, 61.2]),
    authalic_lat=np.array([42.0, -31.5, 61.2]),
    parametric_lat=np.array([42.0, -31.5, 61.2]),
    geocentric_distance=np.array([6.37e6, 6.38e6, 6.36e6]),
    alt_m=np.array([200.0, 1500.0, 30.0]),
    lon1=24.0,
    lat1=61.0,
    lon2=25.5,
    lat2=62.1,
    rng=1.2e5,
    a12=40.0,
    theta=0.7,
)
MODULES = "ecef enu ned rcurve latitude aer haversine spherical lox".split()

WORLD = dict(
    latitude=np.array([42.0, -31.5, 61.2]),
    longitude=np.array([-82.0, 115.3, 24.1]),
    height=np.array([200.0, 1500.0, 30.0]),
    spherical_latitude=np.array([42.0, -31.5, 61.2]),
    radius=np.array([6.37e6, 6.38e6, 6.36e6]),
    sinlat=np.array([0.3, -0.6, 0.8]),
    sinphi=np.array([0.3, -0.6, 0.8]),
)

SURVEYS = (
    *(Survey("pymap3d", f"pymap3d.{name}", PLACE) for name in MODULES),
    Survey(
        "utm",
        "utm.conversion",
        dict(
            latitude=51.2,
            longitude=7.5,
            easting=395201.3,
            northing=5673135.2,
            zone_number=32,
            value=0.7,
            x=7.5,
            lower=-180.0,
            upper=180.0,
        ),
        exact={"to_latlon": {"zone_letter": "U"}},
    ),
    Survey(
        "boule",
        "boule",
        WORLD,
        objects={
            "WGS84": lambda module: module.WGS84,
            "Moon2015": lambda module: module.Moon2015,
        },
        functions=False,
    ),
)

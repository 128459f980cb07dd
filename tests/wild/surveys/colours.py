"""Colours (colour-science)."""

import numpy as np

from tests.wild.survey import Survey

LAB = np.array([[52.0, 48.7, -36.3], [61.3, -22.0, 17.5]])
COLOURS = dict(
    XYZ=np.array([[0.206, 0.122, 0.051], [0.35, 0.41, 0.22]]),
    Lab=LAB,
    Lab_1=LAB,
    Lab_2=LAB[::-1] * 0.9 + 1.3,
    Luv=LAB,
    LCHab=np.array([52.0, 48.7, 36.3]),
    LCHuv=np.array([52.0, 48.7, 36.3]),
    uv=np.array([0.31, 0.48]),
    xy=np.array([0.31, 0.33]),
    xyY=np.array([0.31, 0.33, 0.4]),
    RGB=np.array([[0.46, 0.31, 0.12], [0.2, 0.7, 0.5]]),
    HSV=np.array([0.42, 0.5, 0.7]),
    HSL=np.array([0.42, 0.5, 0.7]),
    HCL=np.array([0.42, 0.5, 0.7]),
    CMY=np.array([0.46, 0.31, 0.12]),
    CMYK=np.array([0.4, 0.2, 0.1, 0.3]),
    ICtCp_1=np.array([0.5, -0.02, 0.1]),
    ICtCp_2=np.array([0.4, 0.05, -0.1]),
    V=np.array([0.31, 0.74]),
    L=np.array([0.18, 0.4]),
    a=np.array([0.18, 0.4]),
    wavelength=np.array([0.0555, 0.6]),
    CCT=np.array([6504.0, 5000.0]),
    x=np.array([0.18, 0.4]),
    Y=np.array([12.2, 40.0]),
    V_values=np.array([4.1, 6.0]),
)
MODULES = (
    "models.cie_lab models.cie_luv models.cie_xyy models.hunter_lab models.ipt "
    "models.oklab models.rgb.cylindrical models.rgb.cmyk "
    "models.rgb.transfer_functions.srgb models.rgb.transfer_functions.gamma "
    "difference.delta_e temperature.mccamy1992 temperature.hernandez1999 "
    "phenomena.rayleigh colorimetry.lightness colorimetry.luminance"
).split()

SURVEYS = tuple(Survey("colour-science", f"colour.{name}", COLOURS) for name in MODULES)

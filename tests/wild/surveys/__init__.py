"""What is surveyed: one file for each field, each a tuple SURVEYS."""

from tests.wild.surveys import (
    colours,
    finance,
    geodesy,
    motion,
    peaks,
    scientific,
    sea,
    sounds,
    statistical,
    tracking,
    unseen,
)

SURVEYS = (
    *peaks.SURVEYS,
    *geodesy.SURVEYS,
    *motion.SURVEYS,
    *tracking.SURVEYS,
    *statistical.SURVEYS,
    *colours.SURVEYS,
    *sea.SURVEYS,
    *finance.SURVEYS,
    *sounds.SURVEYS,
    *scientific.SURVEYS,
    *unseen.SURVEYS,
)

"""A headless Chromium for the tests of pages; it loads files of this machine alone."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync "
    "--window-size=1300,1000"
).split()
MISSING = (
    "the pages of `gradgen explain --html` are tested in Chromium, which is not "
    "installed: apt-get install -y chromium chromium-driver"
)


def started() -> tuple[webdriver.Chrome, Path]:
    """A browser, and the folder of its profile; the test fails where there is none."""
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if program is None or driver is None:
        pytest.fail(MISSING, pytrace=False)
    profile = Path(tempfile.mkdtemp(prefix="gradgen-chromium-"))
    options = Options()
    options.binary_location = program
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=Service(driver)), profile

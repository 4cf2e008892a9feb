"""Find a browser for the tests, or install one: `python -m tests.e2e.browser`.

Looked for first; if there is none, on Debian as root it comes with apt-get, else with Playwright.
"""

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def find() -> str | None:
    """Return the path of a browser on this machine, or None."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    return path or _of_playwright()


def _of_playwright() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if os.access(path, os.X_OK) else None


def install() -> None:
    """Install a browser, or raise `CalledProcessError`."""
    if not from_debian("chromium"):
        command = [sys.executable, "-m", "playwright", "install", "chromium"]
        subprocess.run(command, check=True, timeout=600)


def from_debian(package: str) -> bool:
    """Install a package with apt-get; return whether this is a Debian where we may."""
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return False
    quiet = {
        "stdout": subprocess.DEVNULL,
        "env": os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
    }
    subprocess.run(["apt-get", "update", "-q"], check=True, timeout=300, **quiet)
    command = ["apt-get", "install", "-yq", "--no-install-recommends", package]
    subprocess.run(command, check=True, timeout=600, **quiet)
    return True


def main() -> int:
    """Make sure that there is a browser; say which, or why not."""
    if not find():
        try:
            install()
        except (subprocess.SubprocessError, OSError) as error:
            print(f"No browser, and none could be installed: {error}", file=sys.stderr)
    path = find()
    if not path:
        print("The browser tests need chromium or google-chrome.", file=sys.stderr)
        return 1
    print(f"browser: {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

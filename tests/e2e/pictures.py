"""`make pictures`: photograph the running app for the README."""

import io
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tests.e2e.browser import FLAGS, find
from tests.e2e.ready import SCREEN, ready
from tests.e2e.server import ROOT, serve

FOLDER = ROOT / "tests" / "pictures"
PICTURES = ("live_training", "gradient_multiplier")
LARGEST = 150_000
"""Bytes. A picture is reduced to 256 colours, which its flat areas hardly show."""


def photograph(page: Page, address: str) -> bytes:
    """Open a lesson, wait until it is ready, and return a small PNG."""
    page.goto(address)
    ready(page)
    taken = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    packed = io.BytesIO()
    taken.quantize(256, dither=Image.Dither.NONE).save(packed, "PNG", optimize=True)
    return packed.getvalue()


def save(stem: str, picture: bytes) -> Path:
    """Write a picture; raise `ValueError` if it is too large for the repository."""
    if len(picture) > LARGEST:
        raise ValueError(f"{stem}.png has {len(picture):,} bytes; at most {LARGEST:,} are kept")
    file = FOLDER / f"{stem}.png"
    file.write_bytes(picture)
    return file


def main() -> None:
    """Take all pictures."""
    FOLDER.mkdir(exist_ok=True)
    with serve() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=FLAGS)
        for stem in PICTURES:
            page = browser.new_page(viewport=SCREEN, locale="en-US", color_scheme="light")
            file = save(stem, photograph(page, f"{address}/{stem}"))
            print(f"{file.relative_to(ROOT)}: {file.stat().st_size:,} bytes")
        browser.close()


if __name__ == "__main__":
    main()

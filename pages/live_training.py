"""Placeholder."""

from pages.shared import frame

say = frame.begin("live_training")

"""Placeholder."""

from pages.shared import frame

say = frame.begin("layernorm_placement")

"""The words of the lab: one catalogue a lesson, English and Chinese side by side.

A catalogue is `core/text/<stem>.toml`; each phrase is a table with `en` and `zh`. Related phrases
stand in a family (`[preset.article]` is the phrase `preset.article`). `shared.toml` holds what all
lessons use. Formulas are never in a catalogue: they are written once, in code.
"""

import functools
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LANGUAGES = {"en": "English", "zh": "简体中文"}
FOLDER = Path(__file__).parent / "text"

Phrases = dict[str, dict[str, str]]


@functools.cache
def catalogue(stem: str) -> Phrases:
    """Return the phrases of one catalogue, `{key: {"en": ..., "zh": ...}}`, families flattened."""
    with (FOLDER / f"{stem}.toml").open("rb") as file:
        return dict(_flatten(tomllib.load(file)))


def _flatten(table: dict, prefix: str = "") -> Iterator[tuple[str, dict[str, str]]]:
    for name, entry in table.items():
        if any(isinstance(value, dict) for value in entry.values()):
            yield from _flatten(entry, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", entry


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one lesson in one language; `say("key", name=value)` looks a phrase up.

    Raises `KeyError` for an unknown phrase, a missing language or a missing value.
    """

    stem: str
    lang: str

    def __call__(self, key: str, **values: object) -> str:
        """Return the phrase `key` with its placeholders filled."""
        phrases = catalogue(self.stem)
        phrase = phrases[key] if key in phrases else catalogue("shared")[key]
        text = phrase[self.lang]
        return text.format(**values) if values else text

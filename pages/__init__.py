"""The table of contents. A lesson is one line here and the files that carry its stem."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lesson:
    """One page: `stem` names its files and its URL, `prefix` begins the keys of its controls."""

    stem: str
    prefix: str
    icon: str
    section: str


LESSONS = (
    Lesson("overview", "ov_", "🛣️", ""),
    Lesson("residual_explorer", "re_", "➕", "lessons"),
    Lesson("gradient_multiplier", "gm_", "✖️", "lessons"),
    Lesson("worked_example", "we_", "📐", "lessons"),
    Lesson("layernorm_placement", "ln_", "🧱", "lessons"),
    Lesson("live_training", "lt_", "🔥", "lessons"),
)

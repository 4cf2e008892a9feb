"""Every phrase stands in both languages, with the same placeholders, and is used."""

import ast
import re
import string

import pytest

from core.words import FOLDER, Words, catalogue
from tests.conftest import ROOT
from tests.test_layers import imported

STEMS = sorted(path.stem for path in FOLDER.glob("*.toml"))
PHRASES = [(stem, key) for stem in STEMS for key in catalogue(stem)]


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize(("stem", "key"), PHRASES)
def test_a_phrase_is_whole(stem: str, key: str) -> None:
    phrase = catalogue(stem)[key]
    assert set(phrase) == {"en", "zh"}
    assert phrase["en"].strip()
    assert phrase["zh"].strip()
    assert placeholders(phrase["en"]) == placeholders(phrase["zh"])
    assert phrase["en"].count("$") == phrase["zh"].count("$")


@pytest.mark.parametrize(("stem", "key"), PHRASES)
def test_chinese_uses_chinese_punctuation(stem: str, key: str) -> None:
    text = re.sub(r"`[^`]*`|\$[^$]*\$|\([^)]*https?://[^)]*\)", "", catalogue(stem)[key]["zh"])
    assert not re.search(r"[\u4e00-\u9fff][,;:?!]", text), text


PUNCTUATION = "（）“”《》，。、：；？！,.:;?!()"


def unopened(text: str) -> list[str]:
    """Return what stands between `**` and yet is not drawn bold, by CommonMark's flanking rules.

    Inside, punctuation may touch the `**` only where outside is a space, punctuation or nothing.
    """
    parts = text.split("**")
    around = zip(parts[::2], parts[1::2], parts[2::2], strict=False)

    def bare(outside: str, inside: str) -> bool:
        joins = outside and not outside.isspace() and outside not in PUNCTUATION
        return bool(joins and inside in PUNCTUATION)

    return [
        bold
        for before, bold, after in around
        if bare(before[-1:], bold[0]) or bare(after[:1], bold[-1])
    ]


@pytest.mark.parametrize(("stem", "key"), PHRASES)
def test_what_is_meant_to_be_bold_is_bold(stem: str, key: str) -> None:
    names = [entry["zh"] for other, entry in catalogue(stem).items() if "contestant." in other]
    text = catalogue(stem)[key]["zh"]
    for name in names or ["x"]:
        assert not unopened(re.sub(r"\{(who|other)\}", name, text))


def test_a_bold_name_in_brackets_would_be_noticed() -> None:
    assert unopened("**ReZero（可学习 α）**学会了。") == ["ReZero（可学习 α）"]
    assert not unopened("**ReZero，α 可学习**学会了：**好**（1）。")


@pytest.mark.parametrize("stem", [stem for stem in STEMS if stem != "shared"])
def test_no_phrase_hides_a_shared_one(stem: str) -> None:
    assert not set(catalogue(stem)) & set(catalogue("shared"))


def constants(*patterns: str) -> set[str]:
    """Return every string constant in the files, those inside f-strings too."""
    found: set[str] = set()
    for pattern in patterns:
        for path in ROOT.glob(pattern):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    found.add(node.value)
    return found


def subjects(*patterns: str) -> set[str]:
    """Return the modules of core, and of its charts, that the files import, as patterns."""
    modules = {module for pattern in patterns for module in ROOT.glob(pattern)}
    names = {name.replace(".", "/") for module in modules for name in imported(module)}
    return {f"{name}.py" for name in names if name.startswith("core/")}


@pytest.mark.parametrize("stem", STEMS)
def test_every_phrase_is_used(stem: str) -> None:
    own = (f"pages/**/{stem}*.py", f"core/{stem}.py", f"core/charts/{stem}.py", "pages/shared/*.py")
    said = (
        constants(*own, *subjects(*own))
        if stem != "shared"
        else constants("pages/**/*.py", "core/**/*.py")
    )
    families = {text for text in said if text.endswith(".") and text.count(".") >= 1}
    unused = [
        key
        for key in catalogue(stem)
        if key not in said and not any(key.startswith(family) for family in families)
    ]
    assert not unused


def test_lookup_is_strict() -> None:
    say = Words("gradient_multiplier", "zh")
    assert say("title") == "梯度倍率"
    assert say("plain") == "普通"
    with pytest.raises(KeyError):
        say("no such phrase")
    with pytest.raises(KeyError):
        Words("gradient_multiplier", "fr")("title")
    with pytest.raises(KeyError):
        say("refused.range", name="n")

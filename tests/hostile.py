"""What a link may say to do harm, for the tests of links and for the fuzz."""

import importlib

MARK = "zqx"
"""Stands in every hostile text, so that it is found wherever it is shown."""
LIMIT = 512 * 1024
"""Characters of a query from which Streamlit ignores it as a whole."""

NUMBERS = (
    *("nan", "-inf", "1e999", "-1e308", "5e-324", "9" * 400, "-0", "7.9999999999", "1e3"),
    *("0x10", "1_0", "٣", "½", "  5 ", "+3", "1,5", "true", "None", "[]", "", ("9", "1"), ("", "")),
)
TEXTS = (
    f"<b class={MARK}>{MARK}</b>",
    f"<img class={MARK} src=http://example.org/{MARK}.png onerror=alert(1)>",
    f"<script>alert('{MARK}')</script>",
    f"`{MARK}`</code><iframe class={MARK} src=//example.org></iframe>",
    rf"$\href{{javascript:alert(1)}}{{{MARK}}}$ $\htmlClass{{{MARK}}}{{x}}$",
    rf"$$\huge {MARK} \def\x{{\x\x}}\x$$",
    f"![{MARK}](http://example.org/{MARK}.png)",
    f"[{MARK}](javascript:alert(1)) <javascript:alert(1)> :red[{MARK}] :material/{MARK}:",
    f"\n```\n# {MARK}\n---\n| a | b |\n|-|-|\n~~~",
    f"\u202e{MARK}\u0301\u0301\u200d\U0001f525\ufeff\u2028{MARK}",
    f"\x00\x01\x1b[31m{MARK}\x7f\r\n\t",
    f"{MARK}'; DROP TABLE runs; -- ${{7*7}} {{{{7*7}}}} %s %n {{0.__class__}}",
    f"../../../../etc/{MARK}",
)
CORPUS: tuple[str | tuple[str, ...], ...] = (*NUMBERS, *TEXTS, (TEXTS[0], "1", TEXTS[1]))
LONG = (MARK * LIMIT)[: LIMIT - 1000]
"""One value that fills a query, just short of the limit."""


def tabs(stem: str) -> list[str]:
    """Return the names of a lesson's tabs."""
    return list(importlib.import_module(f"pages.tabs.{stem}").TABS)

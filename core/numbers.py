"""How numbers are written: three significant digits, and powers of ten where they are needed.

A small number is never shown as 0.0000, and a power that no float can hold is written from its
logarithm: `0.1^1000` is 10⁻¹⁰⁰⁰, not 0.
"""

import math

_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_PLAIN_FROM, _PLAIN_BELOW = 1e-3, 1e6


def text(value: float, digits: int = 3) -> str:
    """Return `value` for reading: `0.605`, `3,325`, `9.54×10⁻⁷`, `0`, `∞`, `NaN`."""
    return _write(value, digits, lambda m, e: f"{m}×10{str(e).translate(_SUPERSCRIPT)}")


def tex(value: float, digits: int = 3) -> str:
    r"""Return `value` for KaTeX: `0.605`, `3{,}325`, `9.54\times10^{-7}`."""
    written = _write(value, digits, lambda m, e: rf"{m}\times10^{{{e}}}")
    return _for_tex(written)


def text_log10(exponent: float, digits: int = 3) -> str:
    """Return the number `10^exponent` for reading; `-inf` is an exact 0."""
    return _write_log10(exponent, digits, lambda m, e: f"{m}×10{str(e).translate(_SUPERSCRIPT)}")


def tex_log10(exponent: float, digits: int = 3) -> str:
    """Return the number `10^exponent` for KaTeX; `-inf` is an exact 0."""
    written = _write_log10(exponent, digits, lambda m, e: rf"{m}\times10^{{{e}}}")
    return _for_tex(written)


def _for_tex(written: str) -> str:
    for plain, tex in ((",", "{,}"), ("−", "-"), ("∞", r"\infty"), ("NaN", r"\text{NaN}")):
        written = written.replace(plain, tex)
    return written


def _write(value: float, digits: int, scientific) -> str:
    if math.isnan(value):
        return "NaN"
    sign = "−" if value < 0 else ""
    size = abs(value)
    if math.isinf(size):
        return f"{sign}∞"
    if size == 0 or _PLAIN_FROM <= size < _PLAIN_BELOW:
        return sign + _plain(size, digits)
    mantissa, exponent = f"{size:.{digits - 1}e}".split("e")
    return sign + scientific(mantissa, int(exponent))


def _plain(size: float, digits: int) -> str:
    if size >= 10 ** (digits - 1):
        return f"{size:,.0f}"
    decimals = digits - 1 - math.floor(math.log10(size)) if size else 0
    written = f"{size:,.{decimals}f}"
    return written.rstrip("0").rstrip(".") if "." in written else written


def _write_log10(exponent: float, digits: int, scientific) -> str:
    if exponent == -math.inf:
        return "0"
    if math.isnan(exponent) or exponent == math.inf:
        return "NaN" if math.isnan(exponent) else "∞"
    if math.log10(_PLAIN_FROM) <= exponent < math.log10(_PLAIN_BELOW):
        return _plain(10**exponent, digits)
    whole = math.floor(exponent)
    mantissa = f"{10 ** (exponent - whole):.{digits - 1}f}"
    if mantissa.startswith("10"):
        mantissa, whole = f"{1:.{digits - 1}f}", whole + 1
    return scientific(mantissa, whole)

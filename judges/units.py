"""Units of measure as answers spell them. One canonical name each; nothing is converted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, overload

PERCENT = "%"

_SPELLINGS: dict[str, tuple[str, ...]] = {
    PERCENT: ("%", "percent", "per cent", "pct"),
    "percentage point": ("percentage point", "percentage points", "pp", "ppt"),
    "basis point": ("basis point", "basis points", "bp", "bps"),
    "millisecond": ("ms", "msec", "millisecond", "milliseconds"),
    "second": ("s", "sec", "secs", "second", "seconds"),
    "minute": ("min", "mins", "minute", "minutes"),
    "hour": ("h", "hr", "hrs", "hour", "hours"),
    "day": ("d", "day", "days"),
    "week": ("w", "wk", "wks", "week", "weeks"),
    "month": ("month", "months"),
    "year": ("y", "yr", "yrs", "year", "years"),
    "byte": ("byte", "bytes"),
    "kb": ("kb", "kilobyte", "kilobytes"),
    "mb": ("mb", "megabyte", "megabytes"),
    "gb": ("gb", "gigabyte", "gigabytes"),
    "tb": ("tb", "terabyte", "terabytes"),
    "kib": ("kib", "kibibyte", "kibibytes"),
    "mib": ("mib", "mebibyte", "mebibytes"),
    "gib": ("gib", "gibibyte", "gibibytes"),
    "mm": ("mm", "millimetre", "millimetres", "millimeter", "millimeters"),
    "cm": ("cm", "centimetre", "centimetres", "centimeter", "centimeters"),
    "m": ("m", "metre", "metres", "meter", "meters"),
    "km": ("km", "kilometre", "kilometres", "kilometer", "kilometers"),
    "g": ("g", "gram", "grams", "gramme", "grammes"),
    "kg": ("kg", "kilo", "kilos", "kilogram", "kilograms"),
    "volt": ("v", "volt", "volts"),
    "watt": ("watt", "watts"),
    "kwh": ("kwh",),
    "usd": ("$", "us$", "usd", "dollar", "dollars", "us dollar", "us dollars"),
    "eur": ("€", "eur", "euro", "euros"),
    "gbp": ("£", "gbp", "pound", "pounds", "pounds sterling"),
    "yen": ("¥", "jpy", "yen"),
    "chf": ("chf", "franc", "francs", "swiss francs"),
}
_CANONICAL = {spelling: name for name, spellings in _SPELLINGS.items() for spelling in spellings}

CURRENCIES = frozenset(("$", "us$", "usd", "€", "eur", "£", "gbp", "¥", "jpy", "chf"))
"""What may stand before its number."""


@overload
def canonical(words: Sequence[str]) -> str: ...
@overload
def canonical(words: Sequence[str], *, known: Literal[True]) -> str | None: ...
def canonical(words: Sequence[str], *, known: bool = False) -> str | None:
    """The one name of the unit that these folded words spell; any other words name themselves, in the singular.

    `known`: None for those others.
    """
    spelt = " ".join(words)
    if spelt in _CANONICAL:
        return _CANONICAL[spelt]
    if known:
        return None
    return spelt[:-1] if len(spelt) > 3 and spelt.endswith("s") and not spelt.endswith("ss") else spelt

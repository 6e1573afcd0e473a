"""Instants, spans and zones: one parser, the same on every machine."""

from __future__ import annotations

import zoneinfo
from datetime import UTC, datetime, timedelta
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envs.clock import FrozenClock, format_instant, parse_duration, parse_instant, zone

LISBON, AUCKLAND = zone("Europe/Lisbon"), zone("Pacific/Auckland")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2025-05-01T09:00:00Z", datetime(2025, 5, 1, 9, tzinfo=UTC)),
        ("2025-05-01T09:00Z", datetime(2025, 5, 1, 9, tzinfo=UTC)),
        ("2025-05-01 09:00Z", datetime(2025, 5, 1, 9, tzinfo=UTC)),
        ("2025-05-01T09:00+02:00", datetime(2025, 5, 1, 7, tzinfo=UTC)),
        ("2025-05-01T00:30-11:30", datetime(2025, 5, 1, 12, tzinfo=UTC)),
        ("2025-05-01T09:00", datetime(2025, 5, 1, 8, tzinfo=UTC)),  # Lisbon, summer
        ("2025-01-01T09:00", datetime(2025, 1, 1, 9, tzinfo=UTC)),
    ],
)
def test_instants(text: str, expected: datetime) -> None:
    assert parse_instant(text, LISBON) == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2025-03-30T01:30", "does not exist in Europe/Lisbon"),
        ("2025-10-26T01:30", "occurs twice in Europe/Lisbon"),
        ("2025-02-30T09:00", "is not an instant"),
        ("2025-05-01T24:00", "is not an instant"),
        ("2025-05-01", "is not an instant"),
        ("2025-05-01T09:00z", "is not an instant"),
        ("2025-05-01T09:00+25:00", "is not an instant"),
        ("٢٠٢٥-05-01T09:00Z", "is not an instant"),
        ("tomorrow", "is not an instant"),
        ("", "is not an instant"),
    ],
)
def test_what_is_no_instant_says_why(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        parse_instant(text, LISBON)


def test_a_local_time_needs_a_zone() -> None:
    with pytest.raises(ValueError, match="no offset and there is no zone"):
        parse_instant("2025-05-01T09:00")


@settings(deadline=None, max_examples=200)
@given(st.datetimes(datetime(1970, 1, 2), datetime(2100, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001
def test_a_printed_instant_is_read_back(instant: datetime) -> None:
    whole = instant.replace(microsecond=0)
    assert parse_instant(format_instant(whole)) == whole
    assert format_instant(whole.astimezone(AUCKLAND)) == format_instant(whole)


@settings(deadline=None, max_examples=200)
@given(st.datetimes(datetime(1990, 1, 1), datetime(2035, 1, 1)))  # noqa: DTZ001
def test_a_local_time_is_read_as_it_stands_or_refused(local: datetime) -> None:
    whole = local.replace(microsecond=0)
    try:
        instant = parse_instant(whole.isoformat(), AUCKLAND)
    except ValueError:
        offsets = {whole.replace(tzinfo=AUCKLAND, fold=fold).utcoffset() for fold in (0, 1)}
        assert len(offsets) == 2
    else:
        assert instant.astimezone(AUCKLAND).replace(tzinfo=None) == whole


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("+2h30m", timedelta(hours=2, minutes=30)),
        ("+3d", timedelta(days=3)),
        ("+1w2d", timedelta(days=9)),
        ("+45s", timedelta(seconds=45)),
        ("+0m", timedelta(0)),
    ],
)
def test_spans(text: str, expected: timedelta) -> None:
    assert parse_duration(text) == expected


@pytest.mark.parametrize("text", ["+", "2h", "-2h", "+2", "+30m2h", "+2.5h", "+99999999999w", ""])
def test_what_is_no_span_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="span"):
        parse_duration(text)


def test_zones_come_from_the_package_and_not_from_the_host(tmp_path: Path) -> None:
    """The planted fault: a host whose rules for Kolkata are those of UTC."""
    (tmp_path / "Asia").mkdir()
    (tmp_path / "Asia" / "Kolkata").write_bytes(resources.files("tzdata").joinpath("zoneinfo", "UTC").read_bytes())
    noon = datetime(2025, 5, 1, 12, tzinfo=UTC)
    zoneinfo.reset_tzpath([tmp_path])
    zone.cache_clear()
    try:
        assert noon.astimezone(zoneinfo.ZoneInfo.no_cache("Asia/Kolkata")).hour == 12
        assert noon.astimezone(zone("Asia/Kolkata")).hour == 17
    finally:
        zoneinfo.reset_tzpath()


def test_an_unknown_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="not a time zone"):
        zone("localtime")


def test_the_frozen_clock_stands_and_never_goes_back() -> None:
    start = datetime(2025, 5, 1, tzinfo=UTC)
    clock = FrozenClock(start)
    clock.charge()
    assert clock.now() == start
    clock.advance(start + timedelta(hours=1))
    with pytest.raises(ValueError, match="backwards"):
        clock.advance(start)

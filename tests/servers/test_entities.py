"""Every spelling of a person; ambiguous and unknown names."""

import pytest

from envs.errors import OperationError
from servers.entities import People
from small_company import small_company

COMPANY = small_company()
PEOPLE = People(COMPANY.id, COMPANY.org.people, COMPANY.zone)


@pytest.mark.parametrize(
    "spelling",
    ["bo.lin", "@bo.lin", "BO.LIN", " bo.lin ", "Bo Lin", "bo lin", "@Bo Lin", "bo@birch.example", "BO@birch.example"],
)
def test_each_spelling_names_the_person(spelling: str) -> None:
    assert PEOPLE.find(spelling, "ada").handle == "bo.lin"


def test_an_id_names_the_person_bare_or_as_a_mention() -> None:
    key = PEOPLE["bo.lin"].id
    for spelling in (key, key.lower(), f"@{key}", f"<@{key}>", f"<@{key}|bo>"):
        assert PEOPLE.find(spelling, "ada").handle == "bo.lin"


def test_me_is_the_viewer() -> None:
    assert PEOPLE.find("me", "kim").handle == "kim"
    assert PEOPLE.find("Me", "ada").handle == "ada"


def test_a_name_of_two_people_is_ambiguous_but_a_handle_is_not() -> None:
    with pytest.raises(OperationError) as caught:
        PEOPLE.find("Kim Roe", "ada")
    assert (caught.value.code, caught.value.candidates) == ("ambiguous_name", ("kim", "kimr"))
    assert PEOPLE.find("kim", "ada").handle == "kim"


@pytest.mark.parametrize(("text", "near"), [("bo.lim", "bo.lin"), ("Ada Mos", "ada"), ("@adaa", "ada")])
def test_an_unknown_name_has_the_nearest_as_candidates(text: str, near: str) -> None:
    with pytest.raises(OperationError) as caught:
        PEOPLE.find(text, "ada")
    assert caught.value.code == "user_not_found"
    assert caught.value.candidates[0] == near


@pytest.mark.parametrize("text", ["", "@", "zzzzzzz", "<@>", "x" * 100_000])
def test_nonsense_is_not_found_in_a_short_error(text: str) -> None:
    with pytest.raises(OperationError) as caught:
        PEOPLE.find(text, "ada")
    assert caught.value.code == "user_not_found"
    assert len(caught.value.message) < 200


def test_ids_depend_on_scenario_and_handle_only() -> None:
    assert PEOPLE["ada"].id == People("small", COMPANY.org.people[:1], COMPANY.zone)["ada"].id
    assert PEOPLE["ada"].id != People("other", COMPANY.org.people, COMPANY.zone)["ada"].id
    assert PEOPLE["ada"].id == "UBPADH2X5D"

"""The scale as values."""

from dataclasses import replace

import pytest
from pydantic import TypeAdapter, ValidationError

from deepresearch_mcp.quality.loading import own_scale
from deepresearch_mcp.quality.scale import KindGrades, Shift, Weights, problem_in

SCALE = own_scale()


def test_the_card_of_weights_and_its_decay_stand_as_published():
    weights = SCALE.weights

    assert (weights.authority, weights.author, weights.content, weights.external) == (0.4, 0.2, 0.2, 0.2)
    assert {name: topic.decay for name, topic in SCALE.topics.items()} == {
        "current_events": 0.02,
        "technology": 0.01,
        "business": 0.008,
        "science": 0.002,
        "reference": 0.001,
        "history": 0.0005,
    }


def test_a_profile_shifts_weights_and_kinds_and_leaves_the_rest():
    medical = SCALE.under("medical")

    assert medical.kinds["peer_reviewed"].authority == 1.0
    assert medical.kinds["blog"].authority < SCALE.kinds["blog"].authority
    assert medical.kinds["blog"].domains == SCALE.kinds["blog"].domains
    assert medical.weights.authority == 0.45
    assert medical.weights.content == SCALE.weights.content
    assert SCALE.under("general").weights == SCALE.weights


def test_every_profile_of_a_request_has_its_shift_and_nothing_names_what_is_not_there():
    assert set(SCALE.profiles) == {"general", "academic", "technical", "news", "finance", "legal", "medical"}
    assert problem_in(SCALE) == ("", "")


@pytest.mark.parametrize(
    ("shift", "key"),
    [
        (Shift(topic="cooking"), "profiles.news.topic"),
        (Shift(topic="science", authority={"zine": 0.5}), "profiles.news.authority.zine"),
        (Shift(topic="science", weights={"beauty": 0.5}), "profiles.news.weights.beauty"),
        (
            Shift(topic="science", weights=dict.fromkeys(("authority", "author", "content", "external"), 0.0)),
            "profiles.news.weights",
        ),
    ],
)
def test_a_profile_that_names_what_is_not_there_is_told_with_its_key(shift: Shift, key: str):
    wrong = replace(SCALE, profiles={**SCALE.profiles, "news": shift})

    assert problem_in(wrong)[0] == key


def test_no_domain_stands_under_two_kinds():
    listed = [site for kind in SCALE.kinds.values() for site in kind.domains]

    assert len(listed) == len(set(listed)) <= 700


def test_weights_that_weigh_nothing_are_refused():
    with pytest.raises(ValueError, match="above 0"):
        Weights(authority=0, author=0, content=0, external=0)


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("https://www.Example.org/", "example.org"),
        ("example.org/Some/path/", "example.org/Some/path"),
        ("GOV.*", "gov.*"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("edu", "edu"),
    ],
)
def test_a_domain_may_be_written_in_the_usual_ways(written: str, kept: str):
    kind = TypeAdapter(KindGrades).validate_python({"authority": 0.5, "domains": [written]})

    assert kind.domains == (kept,)


@pytest.mark.parametrize("wrong", ["", "*", ".*", "*.example.org", "a b.example", "https://", "a.*.example"])
def test_what_is_no_domain_is_refused(wrong: str):
    with pytest.raises(ValidationError, match="it should be a domain"):
        TypeAdapter(KindGrades).validate_python({"authority": 0.5, "domains": [wrong]})


def test_a_sign_of_one_letter_would_be_in_every_text_and_is_refused():
    with pytest.raises(ValidationError, match="two characters"):
        TypeAdapter(KindGrades).validate_python({"authority": 0.5, "paths": ["/"]})

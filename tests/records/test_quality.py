"""The grades of a source as a record."""

import pytest
from pydantic import ValidationError

from deepresearch_mcp.records.quality import Quality

GRADES = {
    "score": 0.5, "authority": 0.9, "author": 0.7, "content": 0.4, "external": 0.6, "recency": 1.0, "relevance": 0.3,
    "kind": "official", "peer_reviewed": False, "standing": "fair",
}  # fmt: skip


def test_grades_survive_json_unchanged():
    quality = Quality.model_validate(GRADES | {"flags": ("outdated", "paywalled")})

    assert Quality.model_validate_json(quality.model_dump_json()) == quality


@pytest.mark.parametrize("wrong", [{"score": 1.01}, {"flags": ("ugly",)}, {"standing": "superb"}, {"colour": "red"}])
def test_what_is_no_grade_is_refused(wrong: dict[str, object]):
    with pytest.raises(ValidationError):
        Quality.model_validate(GRADES | wrong)

"""What is known of the files of collections, and which of them meet conditions."""

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from pathlib import PurePosixPath

from deepresearch_mcp.records.conditions import Condition, all_hold
from deepresearch_mcp.records.sources import DocumentCard
from deepresearch_mcp.store.sql import Conn, among


def of_which_hold(
    conn: Conn, conditions: Sequence[Condition], collections: Collection[str]
) -> Mapping[str, set[tuple[str, str]]] | None:
    """The files of collections with these ids that meet all conditions: hash of the text → ids and paths.

    None if there are no conditions: then no file is looked at.
    """
    if not conditions:
        return None
    found = conn.execute(
        "SELECT f.collection_id, f.path, f.facts, r.card FROM collection_files f"  # noqa: S608 - question marks alone
        f" JOIN readings r ON r.number = f.reading WHERE f.collection_id IN {among(collections)}",
        (*collections,),
    )
    allowed: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
    for collection, path, said, card_json in found:
        card = DocumentCard.model_validate_json(card_json)
        if all_hold(conditions, facts_of(path, card, json.loads(said))):
            allowed[card.snapshot].add((collection, path))
    return dict(allowed)


def facts_of(path: str, card: DocumentCard, said: Mapping[str, str]) -> dict[str, str]:
    """All facts of a file. What it says of itself outranks what was found out, but for its path."""
    found = {
        "type": PurePosixPath(path).suffix.lstrip(".").lower() or card.kind,
        "date": card.published.isoformat() if card.published else "",
        "title": card.title,
        "author": card.author,
        "language": card.language,
    }
    return {**found, **said, "path": path}

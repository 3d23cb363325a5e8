"""The noun that documentation has for what a question says in another form: `concurrency` for `concurrent`."""

_NOUNS = {
    "concurrent": "concurrency", "concurrently": "concurrency", "consistent": "consistency",
    "persistent": "persistence", "persist": "persistence", "redundant": "redundancy", "efficient": "efficiency",
    "dependent": "dependency", "depend": "dependency", "latent": "latency", "available": "availability",
    "reliable": "reliability", "durable": "durability", "scalable": "scalability", "compatible": "compatibility",
    "secure": "security", "private": "privacy", "accurate": "accuracy", "recover": "recovery", "atomic": "atomicity",
    "isolate": "isolation", "isolated": "isolation", "replicate": "replication", "replicated": "replication",
    "authenticate": "authentication", "authenticated": "authentication", "encrypt": "encryption",
    "encrypted": "encryption", "compress": "compression", "compressed": "compression", "migrate": "migration",
    "configure": "configuration", "configured": "configuration", "install": "installation",
    "optimize": "optimization", "optimise": "optimisation", "serialize": "serialization", "validate": "validation",
    "writer": "writing", "writers": "writing", "reader": "reading", "readers": "reading",
    "undo": "revert", "undone": "revert",
}  # fmt: skip
"""Words of questions → the word of headings on the same matter, where full-text search takes them for two words."""


def as_headings_say(words: list[str]) -> list[str]:
    """Return search terms with each word replaced by the noun for it; the same terms where there is none."""
    return [_NOUNS.get(word.casefold(), word) for word in words]

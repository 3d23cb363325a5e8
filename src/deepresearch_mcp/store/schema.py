"""The tables, as numbered migrations that bring any older store to the newest schema.

The SQL serves both SQLite and PostgreSQL. Where they differ it uses `$serial` and `$keyed`, or statements for one
database alone.
"""

from dataclasses import dataclass

from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.store.sql import Conn, Dialect


@dataclass(frozen=True, slots=True)
class Migration:
    """One change of the schema. Its place in `MIGRATIONS` is its number, so never move or edit it."""

    name: str
    common: tuple[str, ...]
    """Statements for both databases, after the `$words` are filled in."""
    sqlite: tuple[str, ...] = ()
    """Statements for SQLite alone, run after the common ones."""
    postgres: tuple[str, ...] = ()
    """Statements for PostgreSQL alone, run after the common ones."""

    def of(self, dialect: Dialect) -> list[str]:
        """The statements to run in this dialect."""
        own = self.postgres if dialect.name == "postgres" else self.sqlite
        return [dialect.of(statement) for statement in (*self.common, *own)]


_RUNS = (
    """
    CREATE TABLE runs(
      run_id TEXT PRIMARY KEY, caller TEXT NOT NULL, question TEXT NOT NULL, request TEXT NOT NULL,
      fingerprint TEXT NOT NULL, status TEXT NOT NULL CHECK(status <> 'interrupted'), stage TEXT NOT NULL,
      owner TEXT, fence BIGINT NOT NULL, cancel INTEGER NOT NULL DEFAULT 0,
      created DOUBLE PRECISION NOT NULL, updated DOUBLE PRECISION NOT NULL, ended DOUBLE PRECISION,
      error TEXT, progress TEXT) $keyed
    """,
    "CREATE INDEX runs_by_age ON runs(created, run_id)",
    "CREATE INDEX runs_by_caller ON runs(caller, created, run_id)",
    "CREATE INDEX runs_by_fingerprint ON runs(fingerprint, caller, created)",
    "CREATE INDEX runs_live ON runs(status, owner) WHERE ended IS NULL",
    # Not $keyed: results are long, and would bloat the tree of keys.
    """
    CREATE TABLE steps(
      number $serial, run_id TEXT NOT NULL, key TEXT NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL,
      attempt INTEGER NOT NULL, fence BIGINT NOT NULL, needs TEXT NOT NULL, request TEXT NOT NULL,
      result TEXT, error TEXT, cost DOUBLE PRECISION,
      started DOUBLE PRECISION NOT NULL, ended DOUBLE PRECISION, UNIQUE(run_id, key))
    """,
    """
    CREATE TABLE claims(
      number $serial, run_id TEXT NOT NULL, claim_id TEXT NOT NULL, claim TEXT NOT NULL, UNIQUE(run_id, claim_id))
    """,
    """
    CREATE TABLE events(
      number $serial, run_id TEXT NOT NULL, at DOUBLE PRECISION NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL)
    """,
    "CREATE INDEX events_by_run ON events(run_id, number)",
)

_DOCUMENTS = (
    """
    CREATE TABLE documents(
      snapshot TEXT PRIMARY KEY, text TEXT NOT NULL, title TEXT NOT NULL, passages INTEGER NOT NULL)
    """,
    # One card per reading: by a run, into a collection, or, if both are empty, for the cache.
    """
    CREATE TABLE readings(
      number $serial, run_id TEXT NOT NULL, collection TEXT NOT NULL, source_id TEXT NOT NULL, snapshot TEXT NOT NULL,
      url TEXT NOT NULL, title TEXT NOT NULL, read_at DOUBLE PRECISION NOT NULL, card TEXT NOT NULL,
      UNIQUE(run_id, collection, source_id, snapshot))
    """,
    "CREATE INDEX readings_by_snapshot ON readings(snapshot, collection)",
    """
    CREATE TABLE passages(
      number BIGINT PRIMARY KEY, snapshot TEXT NOT NULL, first INTEGER NOT NULL, beyond INTEGER NOT NULL,
      heading TEXT NOT NULL) $keyed
    """,
    "CREATE INDEX passages_by_snapshot ON passages(snapshot, first)",
    """
    CREATE TABLE cache(
      url TEXT PRIMARY KEY, reading BIGINT NOT NULL, validators TEXT NOT NULL, kept DOUBLE PRECISION NOT NULL) $keyed
    """,
    """
    CREATE TABLE collections(
      name TEXT PRIMARY KEY, path TEXT NOT NULL, updated DOUBLE PRECISION NOT NULL) $keyed
    """,
    """
    CREATE TABLE collection_files(
      name TEXT NOT NULL, path TEXT NOT NULL, size BIGINT NOT NULL, modified_ns BIGINT NOT NULL,
      reading BIGINT NOT NULL, PRIMARY KEY(name, path)) $keyed
    """,
)

_FULL_TEXT = (
    # Contentless: documents.text holds the words, at the passage's offsets.
    """
    CREATE VIRTUAL TABLE passages_fts USING fts5(
      title, heading, body, content='', tokenize='porter unicode61 remove_diacritics 2')
    """,
)

_JUDGEMENTS = (
    """
    CREATE TABLE judgements(
      subject TEXT PRIMARY KEY, verdict TEXT NOT NULL, reason TEXT NOT NULL, judge TEXT NOT NULL,
      kept DOUBLE PRECISION NOT NULL) $keyed
    """,
)

_LIVES = (
    # Hash of wire version, configuration and credentials; only processes with an equal hash may resume the run.
    "ALTER TABLE runs ADD COLUMN setup TEXT NOT NULL DEFAULT ''",
    # The run from which this one was forked.
    "ALTER TABLE runs ADD COLUMN origin TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE steps ADD COLUMN used TEXT",
    "CREATE INDEX steps_by_end ON steps(ended) WHERE cost IS NOT NULL",
)

_ANSWERS = (
    # The last answer of each search engine to each query, used when the engine cannot be asked.
    """
    CREATE TABLE answers(subject TEXT PRIMARY KEY, hits TEXT NOT NULL, kept DOUBLE PRECISION NOT NULL) $keyed
    """,
    "CREATE INDEX answers_by_age ON answers(kept)",
)

# The most hits that were asked for: an answer of ten is none to a query for twenty.
_LIMITS = ("ALTER TABLE answers ADD COLUMN most BIGINT NOT NULL DEFAULT 0",)

_FULL_TEXT_POSTGRES = (
    # As FTS5 does: English stemming for every language, and no stopwords, so that every word is indexed.
    "CREATE TEXT SEARCH DICTIONARY deepresearch_stem(TEMPLATE = pg_catalog.snowball, Language = english)",
    "CREATE TEXT SEARCH CONFIGURATION deepresearch(COPY = pg_catalog.simple)",
    """
    ALTER TEXT SEARCH CONFIGURATION deepresearch
      ALTER MAPPING FOR asciiword, word, numword WITH deepresearch_stem
    """,
    "CREATE SEQUENCE passages_number",
    "ALTER TABLE passages ALTER number SET DEFAULT nextval('passages_number')",
    "ALTER TABLE passages ADD COLUMN words tsvector",
    "CREATE INDEX passages_by_word ON passages USING gin(words)",
)

_REPORTS = (
    # On one machine reports are files; several machines share no folder.
    """
    CREATE TABLE reports(
      run_id TEXT NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY(run_id, name)) $keyed
    """,
)

_TRAIL = ("ALTER TABLE events ADD COLUMN hash TEXT NOT NULL DEFAULT ''",)

_INQUIRIES = (
    # What a run asks its user; the run waits for the reply.
    """
    CREATE TABLE inquiries(
      number $serial, run_id TEXT NOT NULL, inquiry_id TEXT NOT NULL, asked DOUBLE PRECISION NOT NULL,
      inquiry TEXT NOT NULL, replied DOUBLE PRECISION, reply TEXT, UNIQUE(run_id, inquiry_id))
    """,
)

_SPENT = (
    # What steps of deleted runs used within the last day, since deleting a run refunds nothing.
    """
    CREATE TABLE spent(
      run_id TEXT NOT NULL, key TEXT NOT NULL, fence BIGINT NOT NULL, caller TEXT NOT NULL,
      at DOUBLE PRECISION NOT NULL, used TEXT NOT NULL, PRIMARY KEY(run_id, key)) $keyed
    """,
)

_KEYS = ("CREATE TABLE keys(name TEXT PRIMARY KEY, value TEXT NOT NULL) $keyed",)

_DEATHS = (
    # Consecutive servers that died while working on a run without finishing a step. `handed`: a clean shutdown.
    "ALTER TABLE runs ADD COLUMN deaths INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE runs ADD COLUMN dying DOUBLE PRECISION",
    "ALTER TABLE runs ADD COLUMN handed INTEGER NOT NULL DEFAULT 0",
)

_CONTENTS = (
    # SHA-256 of what was read, so that a file that was only touched is not parsed again.
    "ALTER TABLE collection_files ADD COLUMN content TEXT NOT NULL DEFAULT ''",
    # What a file says of itself, as a JSON object of strings.
    "ALTER TABLE collection_files ADD COLUMN facts TEXT NOT NULL DEFAULT '{}'",
)

_VECTORS = (
    # Never deleted with a text: the same text added again costs no second embedding. `vector`: base64 of floats.
    """
    CREATE TABLE vectors(
      snapshot TEXT NOT NULL, first INTEGER NOT NULL, beyond INTEGER NOT NULL, model TEXT NOT NULL,
      vector TEXT NOT NULL, PRIMARY KEY(snapshot, first, beyond, model)) $keyed
    """,
)

_TOKENS = (
    # Callers over HTTP. `digest`: SHA-256 of the token, which itself is nowhere; `scopes`: words between spaces.
    """
    CREATE TABLE tokens(
      token_id TEXT PRIMARY KEY, digest TEXT NOT NULL UNIQUE, name TEXT NOT NULL, caller TEXT NOT NULL,
      scopes TEXT NOT NULL, created DOUBLE PRECISION NOT NULL, expires DOUBLE PRECISION, used DOUBLE PRECISION,
      revoked DOUBLE PRECISION) $keyed
    """,
)

_WEBHOOKS = (
    # Whom to tell of a run's end. `due`: not to be sent before; a process that sends it moves it on.
    """
    CREATE TABLE webhooks(
      number $serial, run_id TEXT NOT NULL, url TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'waiting',
      attempts INTEGER NOT NULL DEFAULT 0, due DOUBLE PRECISION NOT NULL DEFAULT 0,
      reason TEXT NOT NULL DEFAULT '', UNIQUE(run_id, url))
    """,
    "CREATE INDEX webhooks_open ON webhooks(due) WHERE state IN ('waiting', 'pending')",
)

_SESSIONS = (
    # What a caller over HTTP configured before it asked; `run_id` is empty until then.
    """
    CREATE TABLE sessions(
      session_id TEXT PRIMARY KEY, caller TEXT NOT NULL, config TEXT NOT NULL,
      created DOUBLE PRECISION NOT NULL, run_id TEXT NOT NULL DEFAULT '') $keyed
    """,
    "CREATE INDEX sessions_by_run ON sessions(run_id)",
)

_FIGURES = (
    # Outlives its run, so that sums for the operator never fall: no text, no caller.
    """
    CREATE TABLE figures(
      run_id TEXT PRIMARY KEY, at DOUBLE PRECISION NOT NULL, status TEXT NOT NULL, seconds DOUBLE PRECISION NOT NULL,
      usd DOUBLE PRECISION NOT NULL, input_tokens BIGINT NOT NULL, output_tokens BIGINT NOT NULL,
      searches BIGINT NOT NULL, pages BIGINT NOT NULL, rounds BIGINT NOT NULL, sufficiency BIGINT NOT NULL,
      quality DOUBLE PRECISION, error TEXT NOT NULL) $keyed
    """,
    """
    CREATE TABLE ratings(
      run_id TEXT PRIMARY KEY, rated TEXT NOT NULL, note TEXT NOT NULL, at DOUBLE PRECISION NOT NULL) $keyed
    """,
)

_SHARES = (
    # Links that show one run to others. `digest`: SHA-256 of what stands in the link, which itself is nowhere.
    """
    CREATE TABLE shares(
      number $serial, share_id TEXT NOT NULL UNIQUE, digest TEXT NOT NULL UNIQUE, run_id TEXT NOT NULL,
      created DOUBLE PRECISION NOT NULL, expires DOUBLE PRECISION NOT NULL, revoked DOUBLE PRECISION)
    """,
    "CREATE INDEX shares_by_run ON shares(run_id)",
    # What the caller of a token may use; NULL: what the settings say.
    "ALTER TABLE tokens ADD COLUMN runs_at_once INTEGER",
    "ALTER TABLE tokens ADD COLUMN requests_a_minute INTEGER",
    "ALTER TABLE tokens ADD COLUMN usd_per_day DOUBLE PRECISION",
)

_WATCHED = (
    # What models were asked, where telemetry.log_prompts is set; their answers are in `steps`.
    """
    CREATE TABLE prompts(
      number $serial, run_id TEXT NOT NULL, key TEXT NOT NULL, at DOUBLE PRECISION NOT NULL, model TEXT NOT NULL,
      role TEXT NOT NULL, system TEXT NOT NULL, prompt TEXT NOT NULL, UNIQUE(run_id, key))
    """,
    # W3C trace contexts. `parent`: of the caller who started the run; `root`: of its first attempt.
    """
    CREATE TABLE traces(run_id TEXT PRIMARY KEY, parent TEXT NOT NULL, root TEXT NOT NULL) $keyed
    """,
)

_JUDGED = (
    "ALTER TABLE figures ADD COLUMN answer DOUBLE PRECISION",
    "ALTER TABLE figures ADD COLUMN process DOUBLE PRECISION",
)

_OWNED = (
    # `collection_id`: owner and name with a slash between them; it also stands in `collection_files` and `readings`.
    # What there was belongs to this machine's own user, who alone can share it with all callers.
    "ALTER TABLE collections RENAME COLUMN name TO collection_id",
    "ALTER TABLE collections ADD COLUMN owner TEXT NOT NULL DEFAULT 'local'",
    "ALTER TABLE collections ADD COLUMN name TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE collections ADD COLUMN shared INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE collection_files RENAME COLUMN name TO collection_id",
    "UPDATE collections SET name = collection_id",
    "UPDATE collections SET collection_id = 'local/' || name",
    "UPDATE collection_files SET collection_id = 'local/' || collection_id",
    "UPDATE readings SET collection = 'local/' || collection WHERE collection <> ''",
    "CREATE UNIQUE INDEX collections_by_owner ON collections(owner, name)",
)

MIGRATIONS: tuple[Migration, ...] = (
    Migration("runs, steps, claims, events", _RUNS),
    Migration("documents, passages, cache, collections", _DOCUMENTS, _FULL_TEXT, _FULL_TEXT_POSTGRES),
    Migration("judgements by content", _JUDGEMENTS),
    Migration("lives of a run, and what its steps used", _LIVES),
    Migration("a chain of events", _TRAIL),
    Migration("reports, where machines share a database", (), postgres=_REPORTS),
    Migration("what deleted runs used", _SPENT),
    Migration("answers of search engines", _ANSWERS),
    Migration("what runs ask their users", _INQUIRIES),
    Migration("keys that servers have in common", _KEYS),
    Migration("servers that died over a run", _DEATHS),
    Migration("how many hits answers were asked for", _LIMITS),
    Migration("contents and facts of collected files", _CONTENTS),
    Migration("vectors of chunks", _VECTORS),
    Migration("tokens of callers", _TOKENS),
    Migration("webhooks of runs", _WEBHOOKS),
    Migration("sessions of callers over HTTP", _SESSIONS),
    Migration("figures and ratings of runs", _FIGURES),
    Migration("links to single runs, and quotas of tokens", _SHARES),
    Migration("prompts and traces of runs", _WATCHED),
    Migration("marks that judges gave runs", _JUDGED),
    Migration("owners of collections", _OWNED),
)


_ELSEWHERE = {
    "sqlite": "DEEPRESEARCH_HOME to another directory",
    "postgres": "DEEPRESEARCH_DATABASE_URL to another database",
}


def is_current(conn: Conn) -> bool:
    """Whether the schema is up to date.

    Raises:
        StoreError: The data was written by a newer version of this package.
    """
    version = conn.dialect.version(conn)
    if version > len(MIGRATIONS):
        raise StoreError(
            f"The data was written by a newer version of deepresearch-server: its schema is number {version}, "
            f"and this version knows {len(MIGRATIONS)}.",
            f"Upgrade deepresearch-server, or set {_ELSEWHERE[conn.dialect.name]}.",
        )
    return version == len(MIGRATIONS)


def apply_migrations(conn: Conn) -> int:
    """Apply the missing migrations, each in its own transaction, and return how many there were.

    Several processes may do this at once only if transactions are exclusive, as on SQLite.

    Raises:
        StoreError: The data was written by a newer version of this package.
    """
    applied = 0
    for number, migration in enumerate(MIGRATIONS, 1):
        with conn.transaction():
            if not is_current(conn) and conn.dialect.version(conn) < number:
                for statement in migration.of(conn.dialect):
                    conn.execute(statement)
                conn.dialect.mark(conn, number)
                applied += 1
    return applied

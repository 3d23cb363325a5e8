// A run as the views want it: what belongs together found by its id.

const KEY = "deepresearch/run";
const ENDED = ["completed", "partial", "failed", "cancelled"];
const DECIDING = ["outdated", "machine_generated", "low_authority"];
const LISTS = ["sections", "citations", "claims", "sources", "unread", "warnings", "checks"];

/** What a source is worth in a few words; a flag that outweighs the score is named, or the two would disagree. */
function worth(quality) {
  const outweighing = quality.standing === "poor" ? (quality.flags ?? []).filter((flag) => DECIDING.includes(flag)) : [];
  return `${quality.standing} (${[`${Math.round(quality.score * 100)} of 100`, ...outweighing.map(words)].join(", ")})`;
}

/** What a mark calls a citation: `3`, or `3a` for one of several quotes of a source. */
const keyOf = (citation) => `${citation.number}${citation.part ?? ""}`;

/** The keys that a mark names: `3a,c` are two. */
function keysOf(mark) {
  const [first, ...more] = mark.split(",");
  const number = /^\d+/.exec(first)?.[0] ?? "";
  return [first, ...more.map((letter) => `${number}${letter}`)];
}

class Research {
  constructor(run) {
    Object.assign(this, run);
    // A check of citations has checked statements in the place of claims.
    this.claims = run.claims?.length ? run.claims : (run.checks ?? []);
    this.claimOf = new Map(this.claims.map((claim) => [claim.claim_id, claim]));
    this.sourceOf = new Map((run.sources ?? []).map((source) => [source.source_id, source]));
    this.citationOf = new Map((run.citations ?? []).map((citation) => [keyOf(citation), citation]));
    this.numbersOf = new Map();
    for (const citation of run.citations ?? [])
      this.numbersOf.set(citation.source_id, [...(this.numbersOf.get(citation.source_id) ?? []), keyOf(citation)]);
    this.removed = run.provenance?.removed ?? [];
    this.texts = new Map(Object.entries(run.texts ?? {}));
  }

  /** A long question is no title: the report has one. */
  title() {
    const own = /^# (.+)$/m.exec(this.report ?? "")?.[1];
    return own && this.question.length > 120 ? own.replace(/\\([!-/:-@[-`{-~])/g, "$1").replaceAll("`", "") : this.question;
  }

  /** What a mark leads to: `3a,c` two quotes of a source; `3` its only one, or all that it has. */
  citationsOf(named) {
    const known = keysOf(named).map((key) => this.citationOf.get(key)).filter(Boolean);
    return known.length || !/^\d+$/.test(named) ? known : (this.citations ?? []).filter((one) => String(one.number) === named);
  }

  /** The claims that a citation's words carry. */
  claimsOf(citation) {
    return citation.claim_ids.map((id) => this.claimOf.get(id)).filter(Boolean);
  }

  numbersOfClaim(claim) {
    return (this.citations ?? []).filter((one) => one.claim_ids.includes(claim.claim_id)).map(keyOf);
  }

  titleOf(sourceId) {
    const source = this.sourceOf.get(sourceId);
    return source?.title || source?.url || "a source that is not listed";
  }

  /** What its source says around a quote: the part that the page holds, or, from the host, the whole. */
  async aroundOf(quote) {
    const held = this.texts.get(quote.source_id);
    if (held) {
      const after = (part) => part.start + Array.from(part.text).length;
      return held.find((part) => part.start <= quote.start && quote.end <= after(part)) ?? null;
    }
    if (!host) return null;
    try {
      const text = await host.read(`research://runs/${this.run_id}/sources/${quote.source_id}`);
      if (text !== null) this.texts.set(quote.source_id, [{ start: 0, text, more: false }]);
      return text === null ? null : this.texts.get(quote.source_id)[0];
    } catch {
      return null; // The quote's own context is shown all the same.
    }
  }
}

const isSingle = (claim) => claim.verdict === "supported" && (claim.corroborating ?? claim.independent) < 2;
const isDisputed = (claim) => claim.verdict === "disputed" || (claim.disputes ?? []).length > 0;

/** The whole run object, its long lists page by page. */
async function fetched(runId) {
  const ask = async (more) => JSON.parse((await host.call("get_report", { run_id: runId, format: "json", wait_seconds: 0, ...more })).text);
  const run = await ask({});
  for (const name of LISTS) {
    if (run[name] !== undefined) continue;
    run[name] = [];
    for (let offset = 0; offset !== null; ) {
      const page = await ask({ section: name, offset });
      run[name].push(...page.items);
      offset = page.next_offset;
    }
  }
  return new Research(run);
}

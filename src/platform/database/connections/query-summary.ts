/** What a statement does, and to which tables, in the words of its text: `SELECT files documents`. */
interface QuerySummary {
  /** `SELECT`, `BEGIN` …; of several statements `BATCH`, or `BATCH SELECT` where all are of one kind. */
  readonly operation: string;
  /** No more of the text than this, so that no value can be in it, however the text was made. */
  readonly summary: string;
}

/** As long as a span's name should be at most. */
const MAX_LENGTH = 255;
/** The service has a few hundred statements; texts that depend on what clients send must not fill the memory. */
const MAX_KNOWN = 1000;

const known = new Map<string, QuerySummary>();

const LITERALS = /'(?:[^']|'')*'/g;
const IN_PARENTHESES = /\([^()]*\)/g;
const VERB = /\b(?:SELECT|INSERT|UPDATE|DELETE)\b/;
const CTE = /\b([a-z_]\w*)\s*(?:\([^()]*\)\s*)?AS\s+(?:NOT\s+)?(?:MATERIALIZED\s*)?\(/g;
/** Keywords are written in capitals, names are not; a name before a parenthesis is a function, except after INTO. */
const TABLE =
  /\bINTO\s+([a-z_][\w.]*)|(?:(?<!DISTINCT\s+)\bFROM|\bJOIN|\bUPDATE)\s+(?:ONLY\s+|LATERAL\s+)?([a-z_][\w.]*)(?![\w.]|\s*\()/g;

/** @param texts of the statements that are sent together */
export function summaryOf(texts: readonly string[]): QuerySummary {
  const [only = ''] = texts;
  if (texts.length <= 1) return summaryOfOne(only);
  const all = texts.map(summaryOfOne);
  const operations = new Set(all.map(({ operation }) => operation));
  const [operation = ''] = operations;
  return {
    operation: operations.size === 1 ? `BATCH ${operation}` : 'BATCH',
    summary: cut(all.map(({ summary }) => summary).join('; ')),
  };
}

function summaryOfOne(text: string): QuerySummary {
  let summary = known.get(text);
  if (!summary) {
    summary = summarize(text);
    if (known.size < MAX_KNOWN) known.set(text, summary);
  }
  return summary;
}

function summarize(text: string): QuerySummary {
  const statement = text.replace(LITERALS, "''");
  let outermost = statement;
  for (let before = ''; before !== outermost;) {
    before = outermost;
    outermost = outermost.replace(IN_PARENTHESES, '');
  }
  const [first = ''] = /[A-Z]+/i.exec(outermost) ?? [];
  const [operation = first] = (first === 'WITH' && VERB.exec(outermost)) || [first.toUpperCase()];
  const own = new Set([...statement.matchAll(CTE)].map(([, name]) => name));
  const tables = new Set<string>();
  for (const [, into, from] of statement.matchAll(TABLE)) {
    const table = into ?? from ?? '';
    if (!own.has(table)) tables.add(table);
  }
  return { operation, summary: cut([operation, ...tables].join(' ')) };
}

function cut(text: string): string {
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 1)}…`;
}

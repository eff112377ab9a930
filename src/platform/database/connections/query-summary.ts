/** The verb and the tables of a statement, for a span: `SELECT files documents`. */
interface QuerySummary {
  /** `SELECT`, `BEGIN` …; `BATCH` for several statements, or `BATCH SELECT` when all have the same verb. */
  readonly operation: string;
  /** Contains only verbs and table names, so it cannot contain values. */
  readonly summary: string;
}

/** Recommended maximum length of a span's name. */
const MAX_LENGTH = 255;
/**
 * Number of summaries kept in memory. The service has a few hundred statements; the limit matters only if a statement's
 * text ever depends on input.
 */
const MAX_KNOWN = 1000;

const known = new Map<string, QuerySummary>();

const LITERALS = /'(?:[^']|'')*'/g;
const IN_PARENTHESES = /\([^()]*\)/g;
const VERB = /\b(?:SELECT|INSERT|UPDATE|DELETE)\b/;
const CTE = /\b([a-z_]\w*)\s*(?:\([^()]*\)\s*)?AS\s+(?:NOT\s+)?(?:MATERIALIZED\s*)?\(/g;
/** Keywords are in capitals, names in lower case. A name before a parenthesis is a function, except after INTO. */
const TABLE =
  /\bINTO\s+([a-z_][\w.]*)|(?:(?<!DISTINCT\s+)\bFROM|\bJOIN|\bUPDATE)\s+(?:ONLY\s+|LATERAL\s+)?([a-z_][\w.]*)(?![\w.]|\s*\()/g;

/** @param texts Texts of the statements that are sent together. */
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
  const statement = text.replace(LITERALS, "''").replaceAll('"', '');
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

import { type Statement } from '../../../platform/database/transactions/tenant-batch.js';

/** Maximum number of words that the lexicon knows from one document, besides those of its title. */
const MAX_WORDS_PER_DOCUMENT = 5000;
/** Maximum number of parts of texts whose words one transaction adds: it locks the documents for that time. */
const PARTS = 15;

const TITLE_PART = 0;

/** Consecutive parts of a document whose words one transaction adds. */
export interface Slice {
  readonly id: string;
  readonly from: number;
  readonly to: number;
  readonly isLast: boolean;
}

/** A word that the lexicon does not have, or has without a document. */
export interface NewWord {
  readonly word: string;
  readonly part: number;
  readonly isMissing: boolean;
  /** Number of words that the lexicon knows from the document. */
  readonly known: number;
}

/** The next parts of the documents, in their order. `last`: the last part; null without any. */
export function slicesOf(
  queued: readonly { readonly id: string; readonly part: number; readonly last: number | null }[],
): Slice[] {
  const slices: Slice[] = [];
  let free = PARTS;
  for (const { id, part, last } of queued) {
    if (free === 0) break;
    const to = Math.min(last ?? part, part + free - 1);
    slices.push({ id, from: part, to, isLast: to >= (last ?? part) });
    free -= Math.max(0, to - part + 1);
  }
  return slices;
}

/**
 * SQL condition: a lexeme is a word of the lexicon, of letters only. The collation makes the result independent of the
 * database.
 */
export function isLexiconWord(lexeme: string): string {
  return `${lexeme} COLLATE "und-x-icu" ~ '^[[:alpha:]]{4,40}$'`;
}

/** Statement for the words of a slice that are to be added ({@link NewWord}). */
export function newWordsOf(tenantId: string, { id, from, to }: Slice): Statement {
  return {
    text: `SELECT n.word, n.part, w.word IS NULL AS "isMissing",
                  (SELECT count(*)::int FROM document_words k WHERE k.tenant_id = $1 AND k.document_id = $2) AS known
             FROM (SELECT u.lexeme AS word, min(t.part) AS part
                     FROM document_texts t CROSS JOIN LATERAL unnest(t.vector) AS u (lexeme, positions, weights)
                    WHERE t.tenant_id = $1 AND t.document_id = $2 AND t.part BETWEEN $3 AND $4
                      AND 'A' = ANY (u.weights)
                    GROUP BY u.lexeme) n
             LEFT JOIN document_words w ON w.tenant_id = $1 AND w.word = n.word
            WHERE w.document_id IS NULL AND ${isLexiconWord('n.word')}
            ORDER BY n.part, n.word`,
    values: [tenantId, id, from, to],
  };
}

/**
 * Adds words of a document, sets the document for words that have none, and updates the queue. Words are added in their
 * order.
 */
export function additionOf(
  tenantId: string,
  { id, to, isLast }: Slice,
  words: readonly NewWord[],
): [Statement, Statement, Statement] {
  const missing = words
    .filter(({ isMissing }) => isMissing)
    .filter(({ part, known }, index) => part === TITLE_PART || known + index < MAX_WORDS_PER_DOCUMENT);
  const open = words.filter(({ isMissing }) => !isMissing);
  return [
    {
      text: `INSERT INTO document_words (tenant_id, word, document_id)
             SELECT d.tenant_id, n.word, d.id
               FROM documents d CROSS JOIN unnest($3::text[]) AS n (word)
              WHERE d.tenant_id = $1 AND d.id = $2 ORDER BY n.word
             ON CONFLICT DO NOTHING RETURNING 1`,
      values: [tenantId, id, missing.map(({ word }) => word)],
    },
    {
      text: `UPDATE document_words w SET document_id = $2
              WHERE w.tenant_id = $1 AND w.document_id IS NULL AND w.word = ANY ($3::text[])`,
      values: [tenantId, id, open.map(({ word }) => word)],
    },
    isLast
      ? {
          text: 'DELETE FROM word_queue q WHERE q.tenant_id = $1 AND q.document_id = $2',
          values: [tenantId, id],
        }
      : {
          text: 'UPDATE word_queue SET part = $3 WHERE tenant_id = $1 AND document_id = $2',
          values: [tenantId, id, to + 1],
        },
  ];
}

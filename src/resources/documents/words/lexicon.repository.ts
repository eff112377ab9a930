import { Injectable } from '@nestjs/common';
import { type Statement } from '../../../platform/database/transactions/tenant-batch.js';
import { type TenantTransaction } from '../../../platform/database/transactions/tenant-transaction.js';

/** Maximum numbers of words; further words are not added. */
const MAX_WORDS_PER_DOCUMENT = 20_000;
const MAX_WORDS = 1_000_000;
/** Maximum numbers of documents, and of parts of their texts, whose words one transaction adds. */
const DOCUMENTS = 20;
const PARTS = 30;
/** Number of words for which one transaction looks for documents. */
const OPEN_WORDS = 100;
/** Maximum number of parts with a word that are checked for one that is not confidential. */
const CHECKED_PARTS = 10_000;

/** A word: letters only, without digits. The collation makes the result independent of the database. */
const IS_WORD = `u.lexeme COLLATE "und-x-icu" ~ '^[[:alpha:]]{4,40}$' AND 'A' = ANY (u.weights)`;

interface Found {
  readonly word: string;
  readonly documentId: string | null;
}

/** Changes of the lexicon in the background (docs/adr/0044). Each method is one transaction. */
@Injectable()
export class LexiconRepository {
  /** Adds the words of queued documents. Returns whether there may be more. */
  async addQueued(tx: TenantTransaction): Promise<boolean> {
    const words = await this.lock(tx);
    const queued = await tx.query<{ id: string; parts: number }>(
      `SELECT q.document_id AS id,
              (SELECT count(*)::int FROM document_texts t WHERE t.tenant_id = $1 AND t.document_id = q.document_id) AS parts
         FROM word_queue q WHERE q.tenant_id = $1 ORDER BY q.document_id LIMIT ${DOCUMENTS}`,
      [tx.tenantId],
    );
    if (queued.length === 0) return false;
    const ids = firstOf(queued).map(({ id }) => id);
    const open = await this.lockOpen(tx, ids);
    const room = words < MAX_WORDS;
    const results = await tx.queryAll([
      ...(room ? open.flatMap((id) => additionOf(tx.tenantId, id)) : []),
      {
        text: 'DELETE FROM word_queue q WHERE q.tenant_id = $1 AND q.document_id = ANY ($2::uuid[])',
        values: [tx.tenantId, ids],
      },
    ]);
    // The first of two statements for each document returns the added words.
    const added = room ? open.reduce((sum, _, index) => sum + (results[2 * index]?.length ?? 0), 0) : 0;
    await this.count(tx, added);
    return true;
  }

  /**
   * Finds documents for words after `after` that have none, and removes those without any. Returns the last word; null
   * if there are no more.
   */
  async findDocuments(tx: TenantTransaction, after: string): Promise<string | null> {
    await this.lock(tx);
    const rows = await tx.query<{ word: string }>(
      `SELECT w.word FROM document_words w
        WHERE w.tenant_id = $1 AND w.document_id IS NULL AND w.word > $2 ORDER BY w.word LIMIT ${OPEN_WORDS}`,
      [tx.tenantId, after],
    );
    const words = rows.map(({ word }) => word);
    const last = words.at(-1);
    if (last === undefined) return null;
    const results = await tx.queryAll(words.map((word) => openDocumentOf(tx.tenantId, word)));
    const found = words.map((word, index): Found => {
      const [row] = (results[index] ?? []) as { id: string }[];
      return { word, documentId: row?.id ?? null };
    });
    await this.setDocuments(tx, found);
    const missing = found.filter(({ documentId }) => documentId === null).map(({ word }) => word);
    const removed = await tx.query(
      `DELETE FROM document_words w WHERE w.tenant_id = $1 AND w.document_id IS NULL AND w.word = ANY ($2::text[])
       RETURNING 1`,
      [tx.tenantId, missing],
    );
    await this.count(tx, -removed.length);
    return last;
  }

  /** Only if the documents still have the words and are not confidential: both may have changed meanwhile. */
  private async setDocuments(tx: TenantTransaction, found: readonly Found[]): Promise<void> {
    const ids = [...new Set(found.flatMap(({ documentId }) => documentId ?? []))].sort();
    const open = await this.lockOpen(tx, ids);
    if (open.length === 0) return;
    await tx.queryAll(
      open.map((id) => {
        const words = found.filter(({ documentId }) => documentId === id).map(({ word }) => word);
        return {
          text: `WITH present AS (
                   SELECT w.word FROM unnest($3::text[]) AS w (word)
                    WHERE EXISTS (SELECT FROM document_texts t WHERE t.tenant_id = $1 AND t.document_id = $2
                                     AND t.vector @@ ('''' || w.word || ''':A')::tsquery))
                 UPDATE document_words w SET document_id = $2
                  WHERE w.tenant_id = $1 AND w.document_id IS NULL AND w.word IN (SELECT p.word FROM present p)`,
          values: [tx.tenantId, id, words],
        };
      }),
    );
  }

  /**
   * Locks documents until the commit and returns the ids of those that are not confidential. Transactions that change
   * the text or the confidentiality of a document lock it before they change the lexicon.
   */
  private async lockOpen(tx: TenantTransaction, ids: readonly string[]): Promise<string[]> {
    const documents = await tx.query<{ id: string; isConfidential: boolean }>(
      `SELECT d.id, d.is_confidential AS "isConfidential" FROM documents d
        WHERE d.tenant_id = $1 AND d.id = ANY ($2::uuid[]) ORDER BY d.id FOR SHARE`,
      [tx.tenantId, ids],
    );
    return documents.filter(({ isConfidential }) => !isConfidential).map(({ id }) => id);
  }

  /** Returns the number of words. Jobs of one tenant run one after another. */
  private async lock(tx: TenantTransaction): Promise<number> {
    const [, rows] = await tx.queryAll([
      {
        text: 'INSERT INTO lexicons (tenant_id) VALUES ($1) ON CONFLICT DO NOTHING',
        values: [tx.tenantId],
      },
      { text: 'SELECT l.words FROM lexicons l WHERE l.tenant_id = $1 FOR UPDATE', values: [tx.tenantId] },
    ]);
    return (rows as { words: number }[] | undefined)?.[0]?.words ?? 0;
  }

  private async count(tx: TenantTransaction, change: number): Promise<void> {
    if (change === 0) return;
    await tx.query('UPDATE lexicons SET words = words + $2 WHERE tenant_id = $1', [tx.tenantId, change]);
  }
}

/** The first documents with at most {@link PARTS} parts in total, at least one. */
function firstOf<T extends { readonly parts: number }>(queued: readonly T[]): T[] {
  let sum = 0;
  return queued.filter(({ parts }, index) => {
    sum += parts;
    return index === 0 || sum <= PARTS;
  });
}

/** Adds the words of a document, and sets the document for words that have none. Words are added in their order. */
function additionOf(tenantId: string, documentId: string): Statement[] {
  const words = `
    SELECT u.lexeme AS word, min(t.part) AS part
      FROM document_texts t CROSS JOIN LATERAL unnest(t.vector) AS u (lexeme, positions, weights)
     WHERE t.tenant_id = $1 AND t.document_id = $2 AND ${IS_WORD}
     GROUP BY u.lexeme ORDER BY 2, 1 LIMIT ${MAX_WORDS_PER_DOCUMENT}`;
  const values = [tenantId, documentId];
  return [
    {
      text: `INSERT INTO document_words (tenant_id, word, document_id)
             SELECT d.tenant_id, n.word, d.id
               FROM documents d CROSS JOIN (${words}) n
              WHERE d.tenant_id = $1 AND d.id = $2 ORDER BY n.word
             ON CONFLICT DO NOTHING RETURNING 1`,
      values,
    },
    {
      text: `WITH present AS (${words})
             UPDATE document_words w SET document_id = $2
              WHERE w.tenant_id = $1 AND w.document_id IS NULL AND w.word IN (SELECT p.word FROM present p)`,
      values,
    },
  ];
}

/** A document with the word that is not confidential. Planned for the word: statistics tell how frequent it is. */
function openDocumentOf(tenantId: string, word: string): Statement {
  return {
    text: `SELECT d.id
             FROM (SELECT t.document_id FROM document_texts_search t
                    WHERE t.tenant_id = $1 AND t.vector @@ $2::tsquery LIMIT ${CHECKED_PARTS}) t
             JOIN documents_search d ON d.id = t.document_id
            WHERE d.tenant_id = $1 AND NOT d.is_confidential LIMIT 1`,
    values: [tenantId, `'${word}':A`],
    planEachTime: true,
  };
}

import { Injectable } from '@nestjs/common';
import { byKey } from '../../../platform/database/paging/by-key.js';
import { type Statement } from '../../../platform/database/transactions/tenant-batch.js';
import {
  type TenantTransaction,
  type WriteTransaction,
} from '../../../platform/database/transactions/tenant-transaction.js';
import { type NewWord, additionOf, newWordsOf, slicesOf } from './word-slices.js';

/** Maximum number of words of a tenant. The documents of further words stay in the queue. */
const MAX_WORDS = 1_000_000;
/** Maximum number of documents whose words one transaction adds. */
const DOCUMENTS = 15;
/** Number of words for which one transaction looks for documents. */
const OPEN_WORDS = 100;
/** Maximum number of parts with a word that are checked for one that may give words. */
const CHECKED_PARTS = 10_000;

/** A document that may give words to the lexicon. */
const IS_OPEN = `NOT d.is_confidential AND d.status <> 'Deleted'`;

/** What a job has to do next. */
interface LexiconWork {
  /** Ids of queued documents, newest change first. */
  readonly documents: string[];
  /** Words without a document, in alphabetical order. */
  readonly words: string[];
}

interface LockedDocument {
  readonly id: string;
  readonly isOpen: boolean;
}

interface Found {
  readonly word: string;
  readonly documentId: string | null;
}

/**
 * Changes of the lexicon in the background (docs/adr/0044). Each change is one transaction. It returns `Busy` while
 * another job changes the lexicon: a worker must not wait for that.
 */
@Injectable()
export class LexiconRepository {
  /** @param skipped documents to leave out */
  async findWork(tx: TenantTransaction, skipped: readonly string[], after: string): Promise<LexiconWork> {
    const [documents, words] = await tx.queryAll<[{ id: string }, { word: string }]>([
      {
        text: `SELECT q.document_id AS id FROM word_queue q
                WHERE q.tenant_id = $1 AND q.document_id <> ALL ($2::uuid[])
                ORDER BY q.queued_at DESC, q.document_id DESC LIMIT ${DOCUMENTS}`,
        values: [tx.tenantId, skipped],
      },
      {
        text: `SELECT w.word FROM document_words w
                WHERE w.tenant_id = $1 AND w.document_id IS NULL AND w.word > $2 ORDER BY w.word LIMIT ${OPEN_WORDS}`,
        values: [tx.tenantId, after],
      },
    ]);
    return {
      documents: documents.map(({ id }) => id),
      words: words.map(({ word }) => word),
    };
  }

  /**
   * Adds words of queued documents: all, or those of the next parts. Clears the document of words of those that may give
   * none. Returns the documents that another transaction has locked; they stay in the queue. `Full`: the lexicon has no
   * room for more words.
   */
  async addWords(tx: WriteTransaction, ids: readonly string[]): Promise<'Busy' | 'Full' | string[]> {
    const words = await this.lockOrNull(tx);
    if (words === null) return 'Busy';
    const isFull = words >= MAX_WORDS;
    const locked = await this.lockDocuments(tx, ids);
    const open = openIds(locked);
    const queued = await tx.query<{ id: string; part: number; last: number | null }>(
      `SELECT q.document_id AS id, greatest(q.part, t.first) AS part, t.last
         FROM word_queue q
        CROSS JOIN LATERAL (SELECT min(t.part) AS first, max(t.part) AS last FROM document_texts t
                             WHERE t.tenant_id = $1 AND t.document_id = q.document_id) t
        WHERE q.tenant_id = $1 AND q.document_id = ANY ($2::uuid[])
        ORDER BY q.queued_at DESC, q.document_id DESC`,
      [tx.tenantId, isFull ? [] : open],
    );
    const slices = slicesOf(queued);
    const found = await tx.queryAll<NewWord[]>(slices.map((slice) => newWordsOf(tx.tenantId, slice)));
    const results = await tx.queryAll(
      slices.flatMap((slice, index) => additionOf(tx.tenantId, slice, found[index] ?? [])),
    );
    // The first of three statements for each slice returns the added words.
    const added = slices.map((_, index) => results[3 * index]?.length ?? 0);
    await this.count(
      tx,
      added.reduce((sum, one) => sum + one, 0),
    );
    const closed = locked.filter(({ isOpen }) => !isOpen).map(({ id }) => id);
    if (closed.length > 0) await this.close(tx, closed);
    return isFull ? 'Full' : ids.filter((id) => !locked.some((document) => document.id === id));
  }

  /** Clears the document of words of confidential documents and those in the bin. Another job looks for others. */
  private async close(tx: WriteTransaction, ids: readonly string[]): Promise<void> {
    const [cleared] = await tx.queryAll([
      {
        text: `UPDATE document_words w SET document_id = NULL
                WHERE w.tenant_id = $1 AND w.document_id = ANY ($2::uuid[]) RETURNING 1`,
        values: [tx.tenantId, ids],
      },
      {
        text: 'DELETE FROM word_queue q WHERE q.tenant_id = $1 AND q.document_id = ANY ($2::uuid[])',
        values: [tx.tenantId, ids],
      },
    ]);
    if (cleared?.length) tx.enqueue('UpdateLexicon', {});
  }

  /** Finds documents for words that have none, and removes those without any. Returns the number of these. */
  async findDocuments(tx: TenantTransaction, words: readonly string[]): Promise<'Busy' | number> {
    if ((await this.lockOrNull(tx)) === null) return 'Busy';
    const statements = words.map((word) => openDocumentOf(tx.tenantId, word));
    const results = await tx.queryAll<{ id: string }[]>(statements);
    const found = words.map((word, index): Found => ({ word, documentId: results[index]?.[0]?.id ?? null }));
    await this.setDocuments(tx, found);
    const missing = found.filter(({ documentId }) => documentId === null).map(({ word }) => word);
    const removed = await tx.query(
      `DELETE FROM document_words w WHERE w.tenant_id = $1 AND w.document_id IS NULL AND w.word = ANY ($2::text[])
       RETURNING 1`,
      [tx.tenantId, missing],
    );
    await this.count(tx, -removed.length);
    return removed.length;
  }

  /** Only if the documents still have the words and may give them: both may have changed meanwhile. */
  private async setDocuments(tx: TenantTransaction, found: readonly Found[]): Promise<void> {
    const ids = [...new Set(found.flatMap(({ documentId }) => documentId ?? []))];
    const open = openIds(await this.lockDocuments(tx, ids));
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
   * Locks documents until the commit, but those that another transaction has locked, for example to make them
   * confidential. Transactions that change what a document may give lock it before they change the lexicon.
   */
  private lockDocuments(tx: TenantTransaction, ids: readonly string[]): Promise<LockedDocument[]> {
    return tx.query<LockedDocument>(
      `SELECT d.id, (${IS_OPEN}) AS "isOpen" FROM documents d
        WHERE d.tenant_id = $1 AND d.id = ANY ($2::uuid[]) ORDER BY d.id FOR SHARE SKIP LOCKED`,
      [tx.tenantId, ids],
    );
  }

  /** Returns the number of words; null while another job has the lock. */
  private async lockOrNull(tx: TenantTransaction): Promise<number | null> {
    const [, [lexicon]] = await tx.queryAll<[object, { words: number }]>([
      {
        text: 'INSERT INTO lexicons (tenant_id) VALUES ($1) ON CONFLICT DO NOTHING',
        values: [tx.tenantId],
      },
      {
        text: 'SELECT l.words FROM lexicons l WHERE l.tenant_id = $1 FOR UPDATE SKIP LOCKED',
        values: [tx.tenantId],
      },
    ]);
    return lexicon?.words ?? null;
  }

  private async count(tx: TenantTransaction, change: number): Promise<void> {
    if (change === 0) return;
    await tx.query('UPDATE lexicons SET words = words + $2 WHERE tenant_id = $1', [tx.tenantId, change]);
  }
}

function openIds(documents: readonly LockedDocument[]): string[] {
  return documents.filter(({ isOpen }) => isOpen).map(({ id }) => id);
}

/** A document with the word that may give it. Planned for the word: statistics tell how frequent it is. */
function openDocumentOf(tenantId: string, word: string): Statement {
  return {
    text: `SELECT d.id
             FROM (SELECT t.document_id FROM document_texts_search t
                    WHERE t.tenant_id = $1 AND t.vector @@ $2::tsquery LIMIT ${CHECKED_PARTS}) t
            ${byKey('documents_search', 'd', 't.document_id')}
            WHERE ${IS_OPEN} LIMIT 1`,
    values: [tenantId, `'${word}':A`],
    planEachTime: true,
  };
}

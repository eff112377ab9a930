import { Injectable } from '@nestjs/common';
import { byKey } from '../../../platform/database/paging/by-key.js';
import { SqlParameters } from '../../../platform/database/sql-parameters.js';
import { type TenantTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { visibleDocumentPage, visibleDocuments } from '../../../platform/tenancy/access/visibility.js';
import { type DocumentEntity } from '../document.entity.js';
import { isLexiconWord } from '../words/word-slices.js';

export type TitledDocument = Pick<DocumentEntity, 'id' | 'title'>;

/** A word in key form, with a document that has it and that the caller can see. */
export interface FoundWord {
  readonly word: string;
  readonly documentId: string;
}

/** Maximum number of rows that each statement checks, so that its time does not grow with the tenant. */
const CHECKED = {
  /** The newest documents: of a caller who sees all, and of one with grants, whose grants are read one by one. */
  newest: 500,
  newestOfGrants: 100,
  /** Documents with words in the title that an index finds. */
  titles: 100,
  /** Words with the beginning, in alphabetical order. */
  words: 300,
  wordsOfGrants: 50,
  /** The newest documents, and their first parts, whose text is searched for words. */
  texts: 50,
  parts: 3,
  /** The first parts of a document in which a word is searched to show how it is written. */
  writtenParts: 20,
  /** Tags from the beginning on, in alphabetical order, and those of them whose documents are searched. */
  tags: 200,
  tagsWithDocuments: 50,
  documentsOfTag: 100,
};
/** Shorter beginnings are frequent. */
export const SHORT = 4;
/** Maximum number of returned titles and words. */
const MOST = 50;

/** Searches for suggestions. Each statement returns only what the caller can see, without the bin. */
@Injectable()
export class SuggestionsRepository {
  /** The newest documents that the caller can see. */
  newest(tx: TenantTransaction, caller: Caller): Promise<TitledDocument[]> {
    const values = new SqlParameters(tx.tenantId);
    const { bind } = values;
    const top = `ORDER BY sort_key DESC, id DESC
                 LIMIT ${caller.has('files.read') ? CHECKED.newest : CHECKED.newestOfGrants}`;
    const keys = visibleDocumentPage(
      caller,
      bind,
      ({ join, condition }) =>
        `SELECT ${join && 'DISTINCT'} d.created_at AS sort_key, d.id FROM documents_search d ${join}
          WHERE d.tenant_id = $1 AND d.status <> 'Deleted' AND ${condition} ${top}`,
      top,
    );
    return tx.query(
      `SELECT d.id, d.title FROM (${keys}) k
        ${byKey('documents', 'd', 'k.id')}
        ORDER BY k.sort_key DESC, k.id DESC`,
      values.list,
      { planEachTime: true },
    );
  }

  /**
   * Documents whose title or file name probably has the words, for a caller who sees all documents. For words that
   * few of the newest documents have: an index finds the others.
   *
   * @param words lexemes
   * @param beginnings alternatives for the beginning of another lexeme; empty: none
   */
  async withWords(
    tx: TenantTransaction,
    caller: Caller,
    words: readonly string[],
    beginnings: readonly string[],
  ): Promise<TitledDocument[]> {
    const lexemes = words.map((word) => `'${word}'`);
    if (beginnings.length > 0) lexemes.push(`(${beginnings.map((one) => `'${one}':*`).join(' | ')})`);
    if (lexemes.length === 0) return [];
    const values = new SqlParameters(tx.tenantId, lexemes.join(' & '));
    const visible = visibleDocuments(caller, 'd', values.bind);
    return tx.query(
      `WITH titles AS MATERIALIZED (
         SELECT t.document_id FROM document_texts_search t
          WHERE t.tenant_id = $1 AND t.part = 0 AND t.vector @@ $2::tsquery LIMIT ${CHECKED.titles})
       SELECT d.id, d.title FROM titles t
        ${byKey('documents_search', 'd', 't.document_id')}
        WHERE d.status <> 'Deleted' AND ${visible}
        ORDER BY d.created_at DESC, d.id DESC LIMIT ${MOST}`,
      values.list,
      { planEachTime: true },
    );
  }

  /** Words of the lexicon with a beginning whose known document the caller can see, shortest first. */
  words(tx: TenantTransaction, caller: Caller, beginning: string): Promise<FoundWord[]> {
    const values = new SqlParameters(tx.tenantId, `${beginning}%`);
    const visible = visibleDocuments(caller, 'd', values.bind);
    return tx.query(
      `SELECT w.word, w.document_id AS "documentId"
         FROM (SELECT w.word, w.document_id FROM document_words_search w
                WHERE w.tenant_id = $1 AND w.word LIKE $2 AND w.document_id IS NOT NULL
                ORDER BY w.word LIMIT ${caller.has('files.read') ? CHECKED.words : CHECKED.wordsOfGrants}) w
        ${byKey('documents_search', 'd', 'w.document_id')}
        WHERE d.status <> 'Deleted' AND ${visible}
        ORDER BY length(w.word), w.word LIMIT ${MOST}`,
      values.list,
      { planEachTime: true },
    );
  }

  /**
   * Words with a beginning in the first parts of the newest of these documents.
   *
   * @param ids documents that the caller can see, newest first
   */
  wordsOf(tx: TenantTransaction, ids: readonly string[], beginning: string): Promise<FoundWord[]> {
    return tx.query(
      `SELECT u.lexeme AS word, (array_agg(t.document_id))[1] AS "documentId"
         FROM document_texts t CROSS JOIN LATERAL unnest(t.vector) AS u (lexeme, positions, weights)
        WHERE t.tenant_id = $1 AND t.document_id = ANY ($2::uuid[]) AND t.part <= ${CHECKED.parts}
          AND u.lexeme LIKE $3 AND ${isLexiconWord('u.lexeme')} AND 'A' = ANY (u.weights)
        GROUP BY u.lexeme ORDER BY count(*) DESC, length(u.lexeme), u.lexeme LIMIT ${MOST}`,
      [tx.tenantId, ids.slice(0, CHECKED.texts), `${beginning}%`],
    );
  }

  /** The first text of the document of each word that has the word. No row if only later parts have it. */
  textsOf(tx: TenantTransaction, words: readonly FoundWord[]): Promise<{ word: string; text: string }[]> {
    return tx.query(
      `SELECT w.word, p.text FROM unnest($2::text[], $3::uuid[]) AS w (word, document_id)
        CROSS JOIN LATERAL (
          SELECT t.text FROM document_texts t
           WHERE t.tenant_id = $1 AND t.document_id = w.document_id AND t.part < ${CHECKED.writtenParts}
             AND t.vector @@ ('''' || w.word || ''':A')::tsquery
           ORDER BY t.part LIMIT 1) p`,
      [tx.tenantId, words.map(({ word }) => word), words.map(({ documentId }) => documentId)],
    );
  }

  /**
   * Tags with a name that begins with a text, and a document that the caller can see: one of these or, for a caller who
   * sees all documents, one of the newest with the tag.
   *
   * @param ids the newest documents that the caller can see
   */
  tags(
    tx: TenantTransaction,
    caller: Caller,
    ids: readonly string[],
    nameKey: string,
  ): Promise<{ id: string; name: string }[]> {
    const values = new SqlParameters(tx.tenantId, nameKey);
    const { bind } = values;
    // Read once, whatever number of tags PostgreSQL expects.
    const ofNewest = () => `n.id IN (WITH used AS MATERIALIZED (
        SELECT dt.tag_id FROM unnest(${bind(ids)}::uuid[]) d (id)
         ${byKey('document_tags', 'dt', 'd.id', { column: 'document_id' })})
      SELECT u.tag_id FROM used u)`;
    const ofOthers = () => `EXISTS (SELECT FROM (
        SELECT dt.document_id FROM document_tags dt WHERE dt.tenant_id = $1 AND dt.tag_id = n.id
         ORDER BY dt.created_at DESC, dt.document_id DESC LIMIT ${CHECKED.documentsOfTag}) dt
     ${byKey('documents', 'd', 'dt.document_id')}
     WHERE d.status <> 'Deleted' AND ${visibleDocuments(caller, 'd', bind)})`;
    return tx.query(
      `SELECT n.id, n.name
         FROM (SELECT t.id, t.name, t.name_key
                 FROM (SELECT t.id, t.name, t.name_key FROM tags t
                        WHERE t.tenant_id = $1 AND t.name_key COLLATE "und-x-icu" >= $2
                        ORDER BY t.name_key COLLATE "und-x-icu", t.id LIMIT ${CHECKED.tags}) t
                WHERE starts_with(t.name_key, $2)
                ORDER BY length(t.name_key), t.name_key, t.id LIMIT ${CHECKED.tagsWithDocuments}) n
        WHERE ${caller.has('files.read') ? ofOthers() : ofNewest()}
        ORDER BY length(n.name_key), n.name_key, n.id`,
      values.list,
      { planEachTime: true },
    );
  }
}

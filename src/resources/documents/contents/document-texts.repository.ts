import { Injectable } from '@nestjs/common';
import { type TextPart, singlePart, partsOf, textOfParts } from '../../../common/text-parts.js';
import { SqlParameters } from '../../../platform/database/sql-parameters.js';
import { documentVector } from '../../../platform/database/schema/document-vector.js';
import { type Statement } from '../../../platform/database/transactions/tenant-batch.js';
import {
  type TenantTransaction,
  type WriteTransaction,
} from '../../../platform/database/transactions/tenant-transaction.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { readableDocuments } from '../../../platform/tenancy/access/visibility.js';
import { type DocumentEntity } from '../document.entity.js';
import { type DocumentVersionEntity } from './document-version.entity.js';
import { beforeTextChange } from './word-changes.repository.js';

const TITLE_PART = 0;
/**
 * Values have the parts before the title, from this one at the earliest (`ck_document_texts_part`): words after the first
 * 14,000 are not searched.
 */
const FIRST_PART = -20;
const LAST_PART = 2 ** 31 - 1;
/** Separates title and file name where an excerpt shows both. */
const SEPARATOR = ' · ';
/** Parts written in one round trip: about 100 kB of text. */
const BATCH = 20;

/** NUL, which PostgreSQL cannot store, and other control characters but form feeds; replaced by blanks. */
const CONTROL = /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f]/g;

/** SQL condition: the content of the document `d` has a text, also while it is read again. */
export const HAS_TEXT = `EXISTS (SELECT FROM document_texts t
  WHERE t.tenant_id = $1 AND t.document_id = d.id AND t.part > ${TITLE_PART})`;

/**
 * Select list: whether a change has queued the job of the lexicon. Transactions that add the same job wait for each other,
 * which would slow down the creation of many documents.
 */
const HAS_JOB = 'EXISTS (SELECT FROM word_queue q WHERE q.tenant_id = $1) AS "hasJob"';

/** Without content, `contentText` and the version are null. `hasText` is also true while the content is read again. */
type TextState = Pick<DocumentEntity, 'title' | 'contentText' | 'contentVersion'> &
  Pick<DocumentVersionEntity, 'recognisedPages'> & { readonly hasText: boolean };

/** The only code that writes the searchable text of documents (docs/adr/0022). */
@Injectable()
export class DocumentTextsRepository {
  /** Updates part 0 with the current title and file name. Must be called after a change of either. */
  async indexTitle(tx: WriteTransaction, documentId: string): Promise<void> {
    const [row] = await tx.query<{ title: string; fileName: string | null; hasJob: boolean }>(
      `SELECT d.title, d.content_file_name AS "fileName", ${HAS_JOB} FROM documents d WHERE d.tenant_id = $1 AND d.id = $2`,
      [tx.tenantId, documentId],
    );
    if (!row) return;
    const part = singlePart(row.fileName === null ? row.title : `${row.title}${SEPARATOR}${row.fileName}`);
    await tx.queryAll([
      ...beforeTextChange(tx, documentId, [TITLE_PART, TITLE_PART]),
      insertion(tx, documentId, TITLE_PART, part),
    ]);
    if (!row.hasJob) tx.enqueue('UpdateLexicon', {});
  }

  /** Replaces the text of the values; an empty one removes it. */
  async replaceValues(tx: WriteTransaction, documentId: string, text: string): Promise<void> {
    const parts = [...partsOf(text)].slice(0, TITLE_PART - FIRST_PART);
    const [jobs] = await tx.queryAll([
      { text: `SELECT ${HAS_JOB}`, values: [tx.tenantId] },
      ...beforeTextChange(tx, documentId, [FIRST_PART, TITLE_PART - 1]),
      {
        text: `DELETE FROM document_texts WHERE tenant_id = $1 AND document_id = $2 AND part < ${TITLE_PART}`,
        values: [tx.tenantId, documentId],
      },
      ...parts.map((part, index) => insertion(tx, documentId, TITLE_PART - parts.length + index, part)),
    ]);
    if (jobs?.[0]?.hasJob !== true) tx.enqueue('UpdateLexicon', {});
  }

  /** Replaces the text of the content; null or a text without words removes it. */
  async replaceText(tx: WriteTransaction, documentId: string, text: string | null): Promise<void> {
    let batch: Statement[] = [
      ...beforeTextChange(tx, documentId, [TITLE_PART + 1, LAST_PART]),
      {
        text: `DELETE FROM document_texts WHERE tenant_id = $1 AND document_id = $2 AND part > ${TITLE_PART}`,
        values: [tx.tenantId, documentId],
      },
    ];
    let number = TITLE_PART;
    for (const part of partsOf((text ?? '').toWellFormed().replace(CONTROL, ' '))) {
      number += 1;
      batch.push(insertion(tx, documentId, number, part));
      if (batch.length < BATCH) continue;
      await tx.queryAll(batch);
      batch = [];
    }
    if (batch.length > 0) await tx.queryAll(batch);
    tx.enqueue('UpdateLexicon', {});
  }

  /** Null if the document does not exist or the caller cannot read it. */
  findReadable(tx: TenantTransaction, caller: Caller, id: string): Promise<TextState | null> {
    const values = new SqlParameters(tx.tenantId, id);
    return tx.queryOrNull<TextState>(
      `SELECT d.title, d.content_text AS "contentText", d.content_version AS "contentVersion",
              coalesce(v.recognised_pages, '{}') AS "recognisedPages", ${HAS_TEXT} AS "hasText"
         FROM documents d LEFT JOIN document_versions v
           ON v.tenant_id = $1 AND v.document_id = d.id AND v.number = d.content_version
        WHERE d.tenant_id = $1 AND d.id = $2 AND ${readableDocuments(caller, 'd', values.bind)}`,
      values.list,
    );
  }

  /** Returns the text of the content; empty if there is none. */
  async readText(tx: TenantTransaction, documentId: string): Promise<string> {
    const parts = await tx.query<{ text: string }>(
      `SELECT t.text FROM document_texts t
        WHERE t.tenant_id = $1 AND t.document_id = $2 AND t.part > ${TITLE_PART} ORDER BY t.part`,
      [tx.tenantId, documentId],
    );
    return textOfParts(parts.map(({ text }) => text));
  }
}

function insertion(tx: TenantTransaction, documentId: string, number: number, part: TextPart): Statement {
  return {
    text: `INSERT INTO document_texts (tenant_id, document_id, part, created_at, text, vector)
           SELECT d.tenant_id, d.id, $3, d.created_at, $4, ${documentVector('$5::text[]', '$6::text[]')}
             FROM documents d WHERE d.tenant_id = $1 AND d.id = $2
           ON CONFLICT (tenant_id, document_id, part) DO UPDATE SET text = excluded.text, vector = excluded.vector`,
    values: [tx.tenantId, documentId, number, part.text, part.words, part.positions],
  };
}

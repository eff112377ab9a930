import { type Statement } from '../../../platform/database/transactions/tenant-batch.js';
import {
  type TenantTransaction,
  type WriteTransaction,
} from '../../../platform/database/transactions/tenant-transaction.js';

// Changes of the lexicon (docs/adr/0044) in the transaction of a change of documents. The documents must be locked: the
// job that adds words locks them, too.

/** Clears the document of the words that are known from these. The job looks for other documents with these words. */
export async function forgetWords(tx: WriteTransaction, documentIds: readonly string[]): Promise<void> {
  await tx.query(
    `UPDATE document_words w SET document_id = NULL
      WHERE w.tenant_id = $1 AND w.document_id = ANY ($2::uuid[])`,
    [tx.tenantId, documentIds],
  );
  tx.enqueue('UpdateLexicon', {});
}

/**
 * For documents that are no longer confidential, or were moved to the bin or restored: the job adds their words, or
 * clears the document of them. Many documents can have too many words to clear in the transaction of the change.
 */
export async function queueDocuments(tx: WriteTransaction, documentIds: readonly string[]): Promise<void> {
  await tx.queryAll([queueStatement(tx, documentIds)]);
  tx.enqueue('UpdateLexicon', {});
}

/** Nothing for actions other than a move to the bin and its reverse. */
export async function afterStateChange(
  tx: WriteTransaction,
  action: string,
  documentIds: readonly string[],
): Promise<void> {
  if (documentIds.length > 0 && (action === 'Delete' || action === 'Restore'))
    await queueDocuments(tx, documentIds);
}

/** Precedes a change of the parts of a text from `first` to `last`: clears the document of words that these have. */
export function beforeTextChange(
  { tenantId }: TenantTransaction,
  documentId: string,
  [first, last]: readonly [number, number],
): Statement[] {
  return [
    {
      text: `WITH former AS (
               SELECT DISTINCT u.lexeme AS word
                 FROM document_texts t CROSS JOIN LATERAL unnest(t.vector) AS u (lexeme, positions, weights)
                WHERE t.tenant_id = $1 AND t.document_id = $2 AND t.part BETWEEN $3 AND $4)
             UPDATE document_words w SET document_id = NULL
              WHERE w.tenant_id = $1 AND w.document_id = $2 AND w.word IN (SELECT f.word FROM former f)`,
      values: [tenantId, documentId, first, last],
    },
    queueStatement({ tenantId }, [documentId]),
  ];
}

/** A document whose words the job has added in part begins again. */
function queueStatement(
  { tenantId }: Pick<TenantTransaction, 'tenantId'>,
  documentIds: readonly string[],
): Statement {
  return {
    text: `INSERT INTO word_queue (tenant_id, document_id)
           SELECT d.tenant_id, d.id FROM documents d WHERE d.tenant_id = $1 AND d.id = ANY ($2::uuid[])
           ON CONFLICT (tenant_id, document_id) DO UPDATE SET part = excluded.part, queued_at = excluded.queued_at`,
    values: [tenantId, documentIds],
  };
}

import { type Statement } from '../../../platform/database/transactions/tenant-batch.js';
import {
  type TenantTransaction,
  type WriteTransaction,
} from '../../../platform/database/transactions/tenant-transaction.js';

// Changes of the lexicon (docs/adr/0044) in the transaction of a change of documents. The documents must be locked: the
// job that adds words locks them, too.

/** Removes the words that are only known from these documents. The job looks for other documents with these words. */
export async function forgetWords(tx: WriteTransaction, documentIds: readonly string[]): Promise<void> {
  await tx.query(
    `UPDATE document_words w SET document_id = NULL
      WHERE w.tenant_id = $1 AND w.document_id = ANY ($2::uuid[])`,
    [tx.tenantId, documentIds],
  );
  tx.enqueue('UpdateLexicon', {});
}

/** For a document that is no longer confidential. */
export async function addWords(tx: WriteTransaction, documentId: string): Promise<void> {
  await tx.queryAll([queueStatement(tx, documentId)]);
  tx.enqueue('UpdateLexicon', {});
}

/** Precedes a change of the parts of a text from `first` to `last`: removes the words that are only known from these. */
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
    queueStatement({ tenantId }, documentId),
  ];
}

function queueStatement({ tenantId }: Pick<TenantTransaction, 'tenantId'>, documentId: string): Statement {
  return {
    text: 'INSERT INTO word_queue (tenant_id, document_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    values: [tenantId, documentId],
  };
}

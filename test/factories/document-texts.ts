import { type WriteTransaction } from '../../src/platform/database/transactions/tenant-transaction.js';
import { DocumentTextsRepository } from '../../src/resources/documents/contents/document-texts.repository.js';
import { type Actor } from '../support/actor.js';
import { type TestTenant } from '../support/tenant.js';
import { type DocumentOverrides, saveDocument } from './documents.js';

/** Inserts a document directly, with search entries for its title and for `text`. */
export async function saveDocumentWithText(
  tenant: TestTenant,
  creator: Actor,
  { text = null, ...overrides }: DocumentOverrides & { readonly text?: string | null } = {},
): Promise<{ id: string; title: string }> {
  const document = await saveDocument(tenant, creator, overrides);
  const texts = tenant.service.app.get(DocumentTextsRepository);
  const tx = ownerTransaction(tenant);
  await texts.indexTitle(tx, document.id);
  await texts.replaceText(tx, document.id, text);
  return document;
}

/** Makes the content of a document Available with this text; form feeds separate its pages. */
export async function saveContentText(tenant: TestTenant, documentId: string, text: string): Promise<void> {
  const { service, id } = tenant;
  await service.app.get(DocumentTextsRepository).replaceText(ownerTransaction(tenant), documentId, text);
  await service.query(`UPDATE documents SET content_text = 'Available' WHERE tenant_id = $1 AND id = $2`, [
    id,
    documentId,
  ]);
}

/** Runs each statement in its own transaction, as the owner of the schema. Queues no jobs. */
export function ownerTransaction({ id: tenantId, service }: TestTenant): WriteTransaction {
  const query = <R extends object>(text: string, values: readonly unknown[] = []) =>
    service.query<R>(text, [...values]);
  return {
    context: { tenantId } as WriteTransaction['context'],
    tenantId,
    query,
    queryAll: async (statements: Parameters<WriteTransaction['queryAll']>[0]) => {
      const results: Record<string, unknown>[][] = [];
      for (const { text, values } of statements) results.push(await query(text, values));
      return results;
    },
    enqueue: () => undefined,
  } as unknown as WriteTransaction;
}

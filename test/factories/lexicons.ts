import { LexiconUpdates } from '../../src/resources/documents/words/lexicon-updates.js';
import { type TestTenant } from '../support/tenant.js';

/** Adds the words of all changed documents to the lexicon of the tenant. */
export function updateLexicon({ service, id }: TestTenant): Promise<void> {
  return service.app.get(LexiconUpdates).update(id);
}

/** The words of the lexicon that searches use, sorted. */
export async function lexiconWords({ service, id }: TestTenant): Promise<string[]> {
  const rows = await service.query<{ word: string }>(
    'SELECT word FROM document_words WHERE tenant_id = $1 AND document_id IS NOT NULL ORDER BY word',
    [id],
  );
  return rows.map(({ word }) => word);
}

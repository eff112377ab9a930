import { LexiconUpdates } from '../../src/resources/documents/words/lexicon-updates.js';
import { type TestTenant } from '../support/tenant.js';

/** Adds the words of all changed documents to the lexicon of the tenant. */
export function updateLexicon({ service, id }: TestTenant): Promise<void> {
  return service.app.get(LexiconUpdates).update(id, undefined, Infinity);
}

/** Runs a job whose time is over after the first transactions: one that adds words, one that finds documents. */
export function beginUpdate({ service, id }: TestTenant): Promise<void> {
  return service.app.get(LexiconUpdates).update(id, undefined, 0);
}

/** The queued jobs that update the lexicon, without running ones. */
export function lexiconJobs({ service, id }: TestTenant): Promise<{ isDue: boolean }[]> {
  return service.query(
    `SELECT run_at <= now() AS "isDue" FROM graphile_worker._private_jobs
      WHERE key = 'UpdateLexicon:' || $1 AND locked_at IS NULL`,
    [id],
  );
}

/** A word of letters only; another one for each number. */
export function numberedWord(n: number): string {
  return `wort${[...n.toString()].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`;
}

/** The words of the lexicon that searches use, sorted. */
export async function lexiconWords({ service, id }: TestTenant): Promise<string[]> {
  const rows = await service.query<{ word: string }>(
    'SELECT word FROM document_words WHERE tenant_id = $1 AND document_id IS NOT NULL ORDER BY word',
    [id],
  );
  return rows.map(({ word }) => word);
}

import { expect } from '@jest/globals';
import { type DocumentOverrides, saveDocument, saveVersion } from '../../../factories/documents.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { asBytes, storedHashes } from '../../../support/stored-content.js';
import { type TestTenant } from '../../../support/tenant.js';

export async function saveDocumentWithContent(
  tenant: TestTenant,
  actor: Actor,
  bytes: string,
  overrides: DocumentOverrides = {},
): Promise<string> {
  const document = await saveDocument(tenant, actor, { title: 'Bauplan', ...overrides });
  await saveVersion(tenant, actor, document.id, { bytes, fileName: 'Plan.txt' });
  return document.id;
}

export async function contentOf(actor: Actor, documentId: string): Promise<Buffer> {
  return (await asBytes(actor.get(`/documents/${documentId}/content`))).body as Buffer;
}

export type ExpectedProblem = [code: Parameters<typeof expectProblem>[1], errorPaths?: string[]];

/** Expects this problem, an unchanged database and unchanged stored bytes. */
export async function expectRefusedWithoutChange(
  tenant: TestTenant,
  test: PromiseLike<unknown>,
  ...problem: ExpectedProblem
): Promise<void> {
  const [before, kept] = [await tenant.fingerprint(), await storedHashes(tenant)];
  expectProblem((await test) as Parameters<typeof expectProblem>[0], ...problem);
  expect([await tenant.fingerprint(), await storedHashes(tenant)]).toEqual([before, kept]);
}

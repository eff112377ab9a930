import { expect } from '@jest/globals';
import {
  type VerifierKey,
  openNote,
  parseVerifierLine,
} from '../../../../src/resources/audit-log/evidence/notes/signed-note.js';
import {
  type Checkpoint,
  parseCheckpoint,
} from '../../../../src/resources/audit-log/evidence/notes/checkpoint.js';
import { type AuditProofResponse } from '../../../../src/resources/audit-log/evidence/evidence.dto.js';
import { hashLeaf } from '../../../../src/resources/audit-log/evidence/tree/merkle-tree.js';
import { TreeBuilder } from '../../../../src/resources/audit-log/evidence/tree/tree-builder.js';
import { DailyCheckpoint } from '../../../../src/resources/audit-log/evidence/daily-checkpoint.js';
import { type Actor } from '../../../support/actor.js';
import { type TestTenant } from '../../../support/tenant.js';
import { waitUntil } from '../../../support/wait-until.js';
import { sequenced, type StoredEvent } from '../../../platform/events/event-log.js';
import {
  type Expectations,
  ExportVerification,
} from '../../../../src/resources/audit-log/evidence/verification.js';
import { rootByInclusion } from './rfc-9162.js';

/** Waits until all committed audit entries have a leaf. Returns the event log. */
export async function treeComplete(tenant: TestTenant): Promise<StoredEvent[]> {
  const events = await sequenced(tenant);
  // At once, not after the time in which the service collects events.
  await tenant.service.app.get(TreeBuilder).complete(tenant.id);
  await waitUntil(
    async () => (await sizeOf(tenant)) === events.length,
    `the leaves of the tenant ${tenant.slug}`,
  );
  return events;
}

export async function sizeOf({ service, id }: TestTenant): Promise<number> {
  const [tree] = await service.query<{ size: number }>(
    'SELECT size::int AS size FROM audit_trees WHERE tenant_id = $1',
    [id],
  );
  return tree?.size ?? 0;
}

/** The checkpoint in a note that one of the published keys has signed. */
export async function opened(actor: Actor, note: string): Promise<Checkpoint> {
  const { text } = await actor.get('/audit-log/keys').expect(200);
  const keys = text.split('\n').flatMap((line) => parseVerifierLine(line) ?? []);
  const checkpoint = parseCheckpoint(openNote(note, keys) ?? '');
  expect(checkpoint).not.toBeNull();
  return checkpoint!;
}

export async function checkpointOf(actor: Actor): Promise<Checkpoint> {
  const { text } = await actor.get('/audit-log/checkpoint').expect(200);
  return opened(actor, text);
}

export async function proofOf(actor: Actor, entryId: string, query = ''): Promise<AuditProofResponse> {
  return (await actor.get(`/audit-log/entries/${entryId}/proof${query}`).expect(200))
    .body as AuditProofResponse;
}

/** Whether the proof is valid for its checkpoint. */
export async function isProved(actor: Actor, proof: AuditProofResponse): Promise<boolean> {
  const { sequence, treeSize, leaf, hashes, checkpoint } = proof;
  const { size, root } = await opened(actor, checkpoint);
  const path = hashes.map((hash) => Buffer.from(hash, 'base64'));
  return size === treeSize && rootByInclusion(hashLeaf(leaf), sequence, treeSize, path).equals(root);
}

/** Signs a daily checkpoint, as on the day after the last one. */
export async function signDaily(tenant: TestTenant): Promise<void> {
  const { service, id } = tenant;
  await service.query(
    `UPDATE audit_trees SET checkpoint_at = now() - interval '24 hours 1 minute' WHERE tenant_id = $1`,
    [id],
  );
  // A tree that is being extended is signed by the next run.
  await waitUntil(async () => {
    await service.app.get(DailyCheckpoint).signDue();
    const [tree] = await service.query<{ isDue: boolean }>(
      `SELECT size > checkpoint_size + 1 AND checkpoint_at < now() - interval '12 hours' AS "isDue"
           FROM audit_trees WHERE tenant_id = $1`,
      [id],
    );
    return tree?.isDue === false;
  }, `the checkpoint of the tenant ${tenant.slug}`);
}

/** The lines of an export. */
export async function exported(actor: Actor, query = ''): Promise<string[]> {
  const { tenant, token } = actor;
  const url = `${tenant.service.url}/api/v1/t/${tenant.slug}/audit-log/export${query}`;
  const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
  expect(response.status).toBe(200);
  return (await response.text()).split('\n').slice(0, -1);
}

/** The verifier keys of a response of GetAuditKeys. */
export function parseKeys(text: string): VerifierKey[] {
  return text.split('\n').flatMap((line) => parseVerifierLine(line) ?? []);
}

/** What the verifier says about the lines of an export. */
export function findingsOf(lines: readonly string[], expected: Expectations): readonly string[] {
  const verification = new ExportVerification(expected);
  for (const line of lines) verification.add(line);
  return verification.end().findings;
}

/** What the verifier says about an export of now. */
export async function verified(
  actor: Actor,
  { earlier = [], continues = [], query = '' }: Partial<Expectations> & { readonly query?: string } = {},
): Promise<readonly string[]> {
  const { text } = await actor.get('/audit-log/keys').expect(200);
  return findingsOf(await exported(actor, query), { keys: parseKeys(text), earlier, continues });
}

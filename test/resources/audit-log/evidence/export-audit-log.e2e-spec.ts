import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveDocument } from '../../../factories/documents.js';
import { recordTags } from '../../../platform/events/event-log.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { waitForBlockedStatements } from '../../../support/locks.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { exported, opened, proofOf, treeComplete, verified } from './evidence-fixture.js';

interface EntryLine {
  readonly sequence: number;
  readonly leaf: string;
  readonly opening: { readonly summary: string | null } | null;
  readonly hash: string;
}

describe('ExportAuditLog', () => {
  let tenant: TestTenant;
  let auditor: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    auditor = await tenant.as('auditor');
    await treeComplete(tenant);
  });

  it('returns 200 with a line for each entry, as in its proof, and the checkpoint of exactly these', async () => {
    await recordTags(tenant, 600);
    const events = await treeComplete(tenant);
    const lines = await exported(auditor);
    expect(lines[0]).toBe('{"fromSize":0,"hashes":[]}');
    const entries = lines.slice(1, -1).map((line) => JSON.parse(line) as EntryLine);
    expect(entries.map(({ sequence }) => sequence)).toEqual(events.map(({ sequence }) => sequence));
    for (const place of [0, 255, 256, 600]) {
      const { leaf, opening } = await proofOf(auditor, events[place]!.entry_id);
      expect(entries[place]).toMatchObject({ leaf, opening });
    }
    const { checkpoint } = JSON.parse(lines.at(-1)!) as { checkpoint: string };
    expect(await opened(auditor, checkpoint)).toMatchObject({ size: 601 });
    expect(await verified(auditor)).toEqual([]);
  });

  it.each([1, 255, 256, 300, 601])(
    'returns 200 with a verifiable export from size %d on',
    async (fromSize) => {
      await recordTags(tenant, 600);
      await treeComplete(tenant);
      const lines = await exported(auditor, `?fromSize=${fromSize}`);
      expect(lines).toHaveLength(601 - fromSize + 2);
      expect(await verified(auditor, { query: `?fromSize=${fromSize}` })).toEqual([]);
    },
  );

  it('returns 200 without the texts of entries about confidential documents of others', async () => {
    const admin = await tenant.as('administrator', 'Secret actor');
    const { id } = await saveDocument(tenant, admin, { title: 'Secret title' });
    await admin.put(`/documents/${id}/confidentiality`, { isConfidential: true }).expect(200);
    await treeComplete(tenant);
    const openings = async (actor: Actor) =>
      (await exported(actor)).slice(1, -1).map((line) => (JSON.parse(line) as EntryLine).opening);
    expect((await openings(auditor)).at(-1)).toBeNull();
    expect(JSON.stringify(await exported(auditor))).not.toContain('Secret');
    expect((await openings(admin)).at(-1)).toMatchObject({ actorName: 'Secret actor' });
    expect([await verified(auditor), await verified(admin)]).toEqual([[], []]);
  });

  it('returns 200 for HEAD without reading the log', async () => {
    const response = await auditor.send('head', '/audit-log/export');
    expect([response.status, response.headers['content-type']]).toEqual([200, 'application/x-ndjson']);
  });

  it.each(['2', '-1', '', 'x', '9007199254740992'])('returns 400 for the fromSize "%s"', async (fromSize) =>
    expectProblem(await auditor.get('/audit-log/export').query({ fromSize }), 'request.invalid', [
      'fromSize',
    ]),
  );

  it('returns 409 while the tenant has no event log', async () => {
    await tenant.query('DELETE FROM event_logs WHERE tenant_id = $1');
    expectProblem(await auditor.get('/audit-log/export'), 'evidence.not-yet');
  });

  it('ignores an unknown parameter', async () => expect(await exported(auditor, '?x=1')).toHaveLength(1 + 2));

  /** Starts an export, and runs `meanwhile` while the service waits for the first entries. */
  async function duringExport<T>(meanwhile: () => PromiseLike<T>): Promise<[Response, T]> {
    const client = await service.owner.connect();
    try {
      await client.query('BEGIN');
      await client.query('LOCK TABLE audit_leaves IN ACCESS EXCLUSIVE MODE');
      const response = await fetch(`${service.url}/api/v1/t/${tenant.slug}/audit-log/export`, {
        headers: { Authorization: `Bearer ${auditor.token}` },
      });
      const result = await meanwhile();
      expect(await waitForBlockedStatements(service)).toBe(true);
      return [response, result];
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  }

  it('returns 429 for a second export of the caller at the same time', async () => {
    const other = await tenant.as('auditor');
    const [first, [second, ofOther]] = await duringExport(async () => [
      await auditor.get('/audit-log/export'),
      await other.send('head', '/audit-log/export'),
    ]);
    expectProblem(second, 'request.rate-limited');
    expect(Number(second.headers['retry-after'])).toBeGreaterThan(0);
    expect(ofOther.status).toBe(200);
    expect((await first.text()).split('\n')).toHaveLength(1 + 3);
    expect(await exported(auditor)).toHaveLength(1 + 2);
  });

  it('ends without the last line when the caller loses the permission', async () => {
    await recordTags(tenant, 600);
    await treeComplete(tenant);
    const admin = await tenant.as('administrator');
    const [response] = await duringExport(() => admin.delete(`/members/${auditor.userId}`).expect(204));
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
  });
});

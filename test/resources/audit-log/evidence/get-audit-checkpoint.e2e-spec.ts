import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '../../../../src/common/identifier.js';
import { recordTags } from '../../../platform/events/event-log.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { TestService } from '../../../support/service/service.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { checkpointOf, treeComplete } from './evidence-fixture.js';
import { rootsByConsistency } from './rfc-9162.js';

const SIGNING_KEY = Buffer.alloc(32, 1).toString('base64');

describe('GetAuditCheckpoint', () => {
  let tenant: TestTenant;
  let auditor: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    auditor = await tenant.as('auditor');
    await treeComplete(tenant);
  });

  it('returns 200 with a signed note about all sequenced entries', async () => {
    await recordTags(tenant, 2);
    await treeComplete(tenant);
    const [{ id: logId = '' } = {}] = await tenant.query<{ id: string }>(
      'SELECT id FROM event_logs WHERE tenant_id = $1',
    );
    const response = await auditor.get('/audit-log/checkpoint');
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
    const origin = `${new URL(service.configuration.publicUrl).host}/t/${tenant.id}/${logId}`;
    const [, ...lines] = new RegExp(
      `^(.*)\\n3\\n([A-Za-z0-9+/]{43}=)\\n\\n— (.*) [A-Za-z0-9+/]{91}=\\n$`,
    ).exec(response.text)!;
    expect([lines[0], lines[2]]).toEqual([origin, origin]);
    expect(await checkpointOf(auditor)).toMatchObject({ origin, size: 3 });
  });

  it('returns 200 with a tree that continues the former one', async () => {
    const before = await checkpointOf(auditor);
    expect(before.size).toBe(1);
    await recordTags(tenant, 5);
    await treeComplete(tenant);
    const after = await checkpointOf(auditor);
    const { hashes: found } = (await auditor.get('/audit-log/consistency?from=1&to=6').expect(200)).body as {
      hashes: string[];
    };
    const hashes = found.map((hash) => Buffer.from(hash, 'base64'));
    expect(rootsByConsistency(1, 6, hashes, before.root)).toEqual([before.root, after.root]);
  });

  it('returns 200 with the same origin after a change of PUBLIC_URL, and with another one for a new log', async () => {
    const { origin } = await checkpointOf(auditor);
    const moved = await TestService.start({ PUBLIC_URL: 'https://files.example' }, service);
    try {
      const elsewhere = Object.create(tenant, { service: { value: moved } }) as TestTenant;
      const caller = auditor.inTenant(elsewhere);
      expect(await checkpointOf(caller)).toMatchObject({ origin });
      const logId = newId();
      await tenant.query('UPDATE event_logs SET id = $2 WHERE tenant_id = $1', logId);
      expect(await checkpointOf(caller)).toMatchObject({ origin: `files.example/t/${tenant.id}/${logId}` });
    } finally {
      await moved.stop();
    }
  });

  it('returns 409 while the tenant has no event log', async () => {
    await tenant.query('DELETE FROM event_logs WHERE tenant_id = $1');
    const response = await auditor.get('/audit-log/checkpoint');
    expectProblem(response, 'evidence.not-yet');
    expect(response.headers['retry-after']).toBe('1');
  });

  describe.each([
    ['without a key', { PUBLIC_URL: 'https://files.example' }, 'evidence.no-key'],
    ['without PUBLIC_URL', { AUDIT_SIGNING_KEY: SIGNING_KEY }, 'evidence.no-public-url'],
  ] as const)('in production %s', (_, environment, problem) => {
    it('returns 409, and stores nothing', async () => {
      const production = await TestService.start({ NODE_ENV: 'production', ...environment }, service);
      try {
        const elsewhere = Object.create(tenant, { service: { value: production } }) as TestTenant;
        const caller = auditor.inTenant(elsewhere);
        expectProblem(await caller.get('/audit-log/checkpoint'), problem);
        expect((await caller.get('/audit-log/keys').expect(200)).text).toBe('');
      } finally {
        await production.stop();
      }
    });
  });
});

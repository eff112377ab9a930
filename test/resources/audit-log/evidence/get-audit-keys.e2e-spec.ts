import { beforeEach, describe, expect, it } from '@jest/globals';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import {
  openNote,
  parseVerifierLine,
} from '../../../../src/resources/audit-log/evidence/notes/signed-note.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { TestService } from '../../../support/service/service.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { treeComplete } from './evidence-fixture.js';

describe('GetAuditKeys', () => {
  let tenant: TestTenant;
  let auditor: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    auditor = await tenant.as('auditor');
    await treeComplete(tenant);
  });

  const keys = async (actor: Actor) =>
    (await actor.get('/audit-log/keys').expect(200)).text.split('\n').slice(0, -1);

  it('returns 200 with the key of the service, also before the first checkpoint', async () => {
    const response = await auditor.get('/audit-log/keys');
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(response.text).toMatch(/^[^\n]+\n$/);
    const key = parseVerifierLine(response.text.trim())!;
    const checkpoint = (await auditor.get('/audit-log/checkpoint').expect(200)).text;
    expect(openNote(checkpoint, [key])).toBe(checkpoint.slice(0, checkpoint.indexOf('\n\n') + 1));
    expect(await keys(auditor)).toEqual([response.text.trim()]);
  });

  it('stores the key of a service without configuration in a file that only its user can read', async () => {
    await keys(auditor);
    const file = path.join(service.dataDirectory, 'audit', 'signing-key');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const seed = await readFile(file, 'utf8');
    expect(Buffer.from(seed, 'base64')).toHaveLength(32);
    const stored = await tenant.query('SELECT t::text FROM audit_keys t WHERE tenant_id = $1');
    expect(JSON.stringify(stored)).not.toContain(Buffer.from(seed, 'base64').toString('hex'));
  });

  it('returns 200 with a retired key first, with which the former checkpoints can be verified', async () => {
    const former = (await auditor.get('/audit-log/checkpoint').expect(200)).text;
    const [formerKey = ''] = await keys(auditor);
    const rotated = await TestService.start(
      { AUDIT_SIGNING_KEY: Buffer.alloc(32, 9).toString('base64') },
      service,
    );
    try {
      const caller = auditor.inTenant(Object.create(tenant, { service: { value: rotated } }) as TestTenant);
      const checkpoint = (await caller.get('/audit-log/checkpoint').expect(200)).text;
      const [first, second = '', ...more] = await keys(caller);
      expect([first, more]).toEqual([formerKey, []]);
      const [retired, current] = [parseVerifierLine(formerKey)!, parseVerifierLine(second)!];
      expect(openNote(former, [retired])).not.toBeNull();
      expect(openNote(checkpoint, [retired])).toBeNull();
      expect(openNote(checkpoint, [current])).not.toBeNull();
    } finally {
      await rotated.stop();
    }
  });

  it('returns 409 while the tenant has no event log', async () => {
    await tenant.query('DELETE FROM event_logs WHERE tenant_id = $1');
    expectProblem(await auditor.get('/audit-log/keys'), 'evidence.not-yet');
  });
});

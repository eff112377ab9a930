import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseCheckpoint } from '../../src/resources/audit-log/evidence/notes/checkpoint.js';
import { treeComplete, verified } from '../resources/audit-log/evidence/evidence-fixture.js';
import { type Actor } from '../support/actor.js';
import { ServiceProcess } from '../support/service/service-process.js';
import { TestService } from '../support/service/service.js';
import { type TestTenant } from '../support/tenant.js';
import { LONG_DATABASE_TIMEOUTS } from '../support/wait-until.js';

/** Sizes of the tree that the processes sign while it grows. */
const SIZES = 12;

describe('Two processes that extend and sign the audit tree of one tenant', () => {
  let service: TestService;
  let tenant: TestTenant;
  let processes: ServiceProcess[];

  beforeAll(async () => {
    service = await TestService.start();
    tenant = await service.tenant();
    const environment = {
      ...{ PORT: '0', METRICS_PORT: '0', ...LONG_DATABASE_TIMEOUTS, ...service.environment },
      ...{ RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_BURST: '1000000' },
    };
    processes = Array.from({ length: 2 }, () => new ServiceProcess(environment));
  });
  afterAll(async () => {
    for (const process of processes ?? []) {
      process.signal('SIGKILL');
      await process.exit;
    }
    await service.stop();
  });

  const send = async (url: string, { token }: Actor, path: string, body?: object) => {
    const response = await fetch(`${url}/api/v1/t/${tenant.slug}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };

  it('sign states of one log, with one key and one origin', async () => {
    const [admin, auditor] = [await tenant.as('administrator'), await tenant.as('auditor')];
    const urls = await Promise.all(processes.map((process) => process.url()));
    const notes = new Set<string>();
    const sizes = new Set<number>();
    for (let round = 0; sizes.size < SIZES; round += 1) {
      await Promise.all(
        urls.map(async (url, index) => {
          const name = `Tag ${round} ${index}`;
          // At first both make the key, register it and fix the origin.
          const [signed, created] = await Promise.all([
            send(url, auditor, '/audit-log/checkpoint'),
            send(url, admin, '/tags', { name }),
          ]);
          expect([signed.status, created.status]).toEqual([200, 201]);
          notes.add(signed.text);
          sizes.add(parseCheckpoint(signed.text)?.size ?? -1);
        }),
      );
    }
    await treeComplete(tenant);
    const { text: keys } = await auditor.get('/audit-log/keys').expect(200);
    expect(keys).toMatch(/^[^\n]+\n$/);
    // One note for each size: signatures of Ed25519 are deterministic.
    expect(notes.size).toBe(sizes.size);
    const earlier = [...notes].map((note) => ({ name: note.split('\n')[1] ?? '', note }));
    expect(await verified(auditor, { earlier })).toEqual([]);
  });
});
